import { basename } from 'node:path';
import {
  type InputRequiredResult,
  isInputRequiredResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
} from '@modelcontextprotocol/server';
import type { Era } from '../../domain/exposure.ts';
import { fileUri } from '../../domain/paths/fileUri.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import type { RequestContext } from '../requestContext.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import type { RootsView } from '../roots/rootsView.ts';
import { RunningCall } from '../runningCall.ts';
import type { ToolSetParts } from '../tools/toolSet.ts';
import { completePath, pathTemplate } from './completePath.ts';
import { readResource } from './readResource.ts';

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
  server.setRequestHandler('resources/list', async (_request, context) => {
    const listed = await withRoots(parts, context, ({ scope }) => ({
      resources: rootResources(scope),
    }));
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
  announceChanges(server, parts);
}

/** Tells the client when the list of resources has changed. */
function announceChanges(server: McpServer['server'], { roots }: ToolSetParts): void {
  let announced = '[]';
  roots.onDidChange(({ folders }) => {
    const now = JSON.stringify(rootResources(folders.scope));
    if (now !== announced) {
      announced = now;
      // A client that can no longer be told has ended the session.
      server.sendResourceListChanged().catch(() => {});
    }
  });
}

/**
 * Answers a request that works on the roots of this moment: it takes its turn with the calls of
 * tools. Where the roots have to be asked for within the request, the answer is that question.
 * @throws what a client is told as an error, in sentences a person can act on.
 */
export async function withRoots<R extends object>(
  { roots, limiter, logger }: ToolSetParts,
  context: RequestContext,
  work: (call: RunningCall) => R | Promise<R>,
): Promise<R | InputRequiredResult> {
  const { signal } = context.mcpReq;
  const run = (view: RootsView, revoked?: AbortSignal) =>
    work(new RunningCall(view, context, revoked));
  try {
    const answered = await limiter.run(() => roots.use(context, run, refuseRevoked), signal);
    return answered === 'busy' ? refuseBusy() : answered;
  } catch (error) {
    if (error instanceof ProtocolError) {
      throw error;
    }
    // Nobody reads the answer to a request that was cancelled.
    if (!signal.aborted) {
      logger.error(error instanceof Error ? error : new Error(String(error)));
    }
    const message = 'That did not work. What the server wrote to stderr has the details.';
    throw new ProtocolError(ProtocolErrorCode.InternalError, message);
  }
}

function refuseRevoked(): never {
  const message = 'The folders shared with this server changed meanwhile. Ask again.';
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function refuseBusy(): never {
  const message = 'The server is busy: too many calls are waiting already. Try again in a moment.';
  throw new ProtocolError(ProtocolErrorCode.InternalError, message);
}

/** Each root, as a resource. */
export function rootResources(scope: PathScope<RootFolder>): Resource[] {
  return scope.inPlace().map(({ announced, name }) => ({
    // Without a slash at its end, by which some clients would take it for a folder of resources.
    uri: fileUri(announced, scope.platform),
    name: name ?? (basename(announced) || announced),
    description: 'What this shared folder holds.',
    mimeType: 'text/plain',
  }));
}
