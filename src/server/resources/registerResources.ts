import {
  isInputRequiredResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Era } from '../roots/rootsView.ts';
import type { ToolSetParts } from '../tools/toolSet.ts';
import { completePath, pathTemplate } from './completePath.ts';
import { readResource } from './readResource.ts';
import { withRoots } from './rootCall.ts';
import { pageOf, rootResources } from './rootResources.ts';

const template = {
  uriTemplate: pathTemplate,
  name: 'path',
  title: 'File or Folder',
  description: 'A file or folder in the shared folders, by its path without the first slash.',
};

/**
 * Offers the roots, and what they hold by its path, as resources. Call it before connecting.
 *
 * In the modern era only reading may ask for the roots: a list or a completion has nothing then.
 */
export function registerResources({ server }: McpServer, era: Era, parts: ToolSetParts): void {
  server.registerCapabilities({ resources: { listChanged: era === 'legacy' }, completions: {} });
  server.setRequestHandler('resources/list', async ({ params }, context) => {
    const listed = await withRoots(parts, context, ({ scope }) =>
      pageOf(rootResources(scope), params?.cursor),
    );
    return isInputRequiredResult(listed) ? { resources: [] } : listed;
  });
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [template] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) =>
    withRoots(parts, context, call => readResource(uri, call)),
  );
  server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { ref, argument } = params;
    if (ref.type !== 'ref/resource' || ref.uri !== pathTemplate || argument.name !== 'path') {
      const message = `Only the "path" of the template ${pathTemplate} can be completed.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    const completion = await withRoots(parts, context, call => completePath(argument.value, call));
    return { completion: isInputRequiredResult(completion) ? { values: [] } : completion };
  });
  tellOfChanges(server, parts);
}

/** Tells the client when another list of resources than before is in force. */
function tellOfChanges(server: McpServer['server'], { roots }: ToolSetParts): void {
  let told = '[]';
  roots.onDidChange(({ folders }) => {
    const now = JSON.stringify(rootResources(folders.scope));
    if (now !== told) {
      told = now;
      // A client that can no longer be told has ended the session.
      server.sendResourceListChanged().catch(() => {});
    }
  });
}
