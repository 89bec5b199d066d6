import * as z from 'zod';
import { printable } from '../../domain/printable.ts';
import type { RootsView } from '../roots/rootsView.ts';
import { answer, readOnly } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

const outputSchema = z.object({
  supportsRoots: z.boolean().describe('Whether the client shares folders at all.'),
  rootsListChanged: z.boolean().describe('Whether the client says when they change.'),
  rootsCount: z.int(),
  roots: z
    .array(z.object({ uri: z.string(), name: z.string().optional() }))
    .describe('The roots in force, as they were sent or given. Empty means no access.'),
  filePaths: z.array(z.string()).describe('The path of each root.'),
  workingDirectory: z.string().optional().describe('Where relative paths start: the first root.'),
  era: z.enum(['legacy', 'modern']).describe('modern: protocol revision 2026-07-28.'),
  source: z
    .enum(['client', 'options', 'client-within-options', 'anything', 'none'])
    .describe('Who named the roots: the client, or the options the server was started with.'),
  limitedTo: z
    .array(z.string())
    .optional()
    .describe('The folders given by --root, which the roots of the client have to lie in.'),
  skipped: z
    .array(z.object({ uri: z.string(), reason: z.string() }))
    .describe('Roots that were sent or given and that give access to nothing.'),
  problem: z.string().optional().describe('Why the roots are not known, or none.'),
});

const config = {
  title: 'Get Roots',
  description:
    'List the folders the user shares with this server. Every other path is refused. ' +
    'Relative paths start in the first one.',
  inputSchema: z.strictObject({}),
  outputSchema,
  annotations: readOnly,
};

/** `get-roots`: what this server may reach at this moment, and why the rest was left out. */
export function registerGetRoots(tools: ToolSet): void {
  tools.add('get-roots', config, (_args, { view }) => answer(describe(view), textFor(view)));
}

function describe(view: RootsView): z.infer<typeof outputSchema> {
  const { scope, skipped } = view.folders;
  const roots = scope.inPlace();
  return {
    supportsRoots: view.supportsRoots,
    rootsListChanged: view.rootsListChanged,
    rootsCount: roots.length,
    roots: roots.map(({ uri, name }) => ({ uri, ...(name !== undefined && { name }) })),
    filePaths: roots.map(({ announced }) => announced),
    ...(roots[0] && { workingDirectory: roots[0].announced }),
    era: view.era,
    source: view.source,
    ...(view.limit && { limitedTo: view.limit.scope.inPlace().map(({ announced }) => announced) }),
    skipped: [...skipped],
    ...(view.problem !== undefined && { problem: view.problem }),
  };
}

function textFor({ folders: { scope, skipped }, limit, source, problem }: RootsView): string {
  const roots = scope.inPlace();
  const limits = source === 'options' ? [] : (limit?.scope.inPlace() ?? []);
  const lines = [
    ...roots.map(({ announced, name }) => (name ? `${name}: ${announced}` : announced)),
    ...(roots.length === 0 ? ['No folder is shared, so no path is served.'] : []),
    ...limits.map(({ announced }) => `Limited by --root to what is in ${announced}`),
    ...skipped.map(({ uri, reason }) => `Skipped ${uri}: ${reason}`),
    ...(problem === undefined ? [] : [problem]),
  ];
  return lines.map(printable).join('\n');
}
