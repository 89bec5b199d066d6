import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { printable } from '../../domain/printable.ts';
import type { RootsView } from '../rootsView.ts';
import type { SessionRoots } from '../sessionRoots.ts';
import { answer, readOnly } from './answers.ts';

const outputSchema = z.object({
  supportsRoots: z.boolean().describe('Whether the client shares folders at all.'),
  rootsListChanged: z.boolean().describe('Whether the client says when they change.'),
  rootsCount: z.int(),
  roots: z
    .array(z.object({ uri: z.string(), name: z.string().optional() }))
    .describe('The roots in force, as the client sent them. Empty means no access.'),
  filePaths: z.array(z.string()).describe('The path of each root.'),
  workingDirectory: z.string().optional().describe('Where relative paths start: the first root.'),
  era: z.enum(['legacy', 'modern']).describe('modern: protocol revision 2026-07-28.'),
  source: z.enum(['client', 'none']).describe('Who named the roots.'),
  skipped: z
    .array(z.object({ uri: z.string(), reason: z.string() }))
    .describe('Roots that the client sent and that give access to nothing.'),
  problem: z.string().optional().describe('Why the roots are not known.'),
});

const config = {
  title: 'Get Roots',
  description:
    'List the folders the user shares with this server. Every other path is refused. ' +
    'Relative paths start in the first one.',
  inputSchema: z.object({}),
  outputSchema,
  annotations: readOnly,
};

/** `get-roots`: what this server may reach at this moment, and why the rest was left out. */
export function registerGetRoots(server: McpServer, roots: SessionRoots): void {
  server.registerTool('get-roots', config, (_args, context) => {
    return roots.use(context, view => answer(describe(view), textFor(view)));
  });
}

function describe(view: RootsView): z.infer<typeof outputSchema> {
  const { scope, skipped } = view.folders;
  return {
    supportsRoots: view.supportsRoots,
    rootsListChanged: view.rootsListChanged,
    rootsCount: scope.roots.length,
    roots: scope.roots.map(({ uri, name }) => ({ uri, ...(name !== undefined && { name }) })),
    filePaths: scope.roots.map(({ announced }) => announced),
    ...(scope.base !== undefined && { workingDirectory: scope.base }),
    era: view.era,
    source: view.problem === undefined ? 'client' : 'none',
    skipped: [...skipped],
    ...(view.problem !== undefined && { problem: view.problem }),
  };
}

function textFor({ folders: { scope, skipped }, problem }: RootsView): string {
  const lines = [
    ...scope.roots.map(({ announced, name }) => (name ? `${name}: ${announced}` : announced)),
    ...(scope.roots.length === 0 ? ['No folder is shared, so no path is served.'] : []),
    ...skipped.map(({ uri, reason }) => `Skipped ${uri}: ${reason}`),
    ...(problem === undefined ? [] : [problem]),
  ];
  return lines.map(printable).join('\n');
}
