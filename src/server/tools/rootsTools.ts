import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { printable, quotePath } from '../../domain/printable.ts';
import { locate } from '../paths/locate.ts';
import type { RootsView } from '../roots/rootsView.ts';
import { answer, pathHint, readOnly, refused } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

const rootsSchema = z.object({
  supportsRoots: z.boolean().describe('Whether the client declared the roots capability.'),
  rootsListChanged: z.boolean().describe('Whether the client announces changes of its roots.'),
  rootsCount: z.int(),
  roots: z
    .array(z.object({ uri: z.string(), name: z.string().optional() }))
    .describe('The roots in force, as the client or --root named them. Empty means no access.'),
  filePaths: z.array(z.string()).describe('The path of each root.'),
  workingDirectory: z.string().optional().describe('Where relative paths start: the first root.'),
  era: z.enum(['legacy', 'modern']).describe('"modern" means protocol revision 2026-07-28.'),
  source: z
    .enum(['client', 'options', 'client-within-options', 'anything', 'none'])
    .describe('Who named the roots: the client, or the options the server was started with.'),
  limitedTo: z
    .array(z.string())
    .optional()
    .describe('The folders of --root, which limit the roots of the client.'),
  skipped: z
    .array(z.object({ uri: z.string(), reason: z.string() }))
    .describe('Roots that were named but cannot be used.'),
  problem: z.string().optional().describe('Why the roots are unknown, or why there are none.'),
});

const getRootsEntry = {
  title: 'Get Roots',
  description:
    'List the folders the user shares with this server. Every other path is refused. ' +
    'Relative paths start in the first folder.',
  inputSchema: z.strictObject({}),
  outputSchema: rootsSchema,
  annotations: readOnly,
};

/** `get-roots`: the folders that this server may reach now, and why others were left out. */
export function registerGetRoots(tools: ToolSet): void {
  tools.add('get-roots', getRootsEntry, (_args, { view }) => answer(describe(view), textFor(view)));
}

function describe(view: RootsView): z.infer<typeof rootsSchema> {
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
    ...limits.map(({ announced }) => `Limited by --root to the contents of ${announced}`),
    ...skipped.map(({ uri, reason }) => `Skipped ${uri}: ${reason}`),
    ...(problem === undefined ? [] : [problem]),
  ];
  return lines.map(printable).join('\n');
}

const checkPathEntry = {
  title: 'Check Path',
  description:
    'Check whether a path is in the folders that the user shares. If so, the answer has the folder and ' +
    'the real path. If not, the answer does not say whether the path exists.',
  inputSchema: z.strictObject({
    path: z.string().describe(pathHint),
  }),
  outputSchema: z.object({
    inside: z.boolean(),
    root: z.string().optional().describe('The URI of the root that contains the path.'),
    path: z.string().optional().describe('The real path, even if nothing is there.'),
    reason: z.string().optional().describe('Why the path is not inside.'),
  }),
  annotations: readOnly,
};

/** `check-path`: whether a path is inside. An input that cannot be a path is an error. */
export function registerCheckPath(tools: ToolSet): void {
  tools.add('check-path', checkPathEntry, ({ path }, { view }) => check(view, path));
}

function check({ folders: { scope }, problem }: RootsView, input: string): CallToolResult {
  const found = locate(scope, input);
  if (found.ok) {
    const { root, real } = found.value;
    const text = `${quotePath(input)} is inside the shared folders. Its real path is ${quotePath(real)}.`;
    return answer({ inside: true, root: root.uri, path: real }, text);
  }
  if (found.kind !== 'outside') {
    return refused(found.message);
  }
  const reason = problem === undefined ? found.message : `${found.message} ${problem}`;
  return answer({ inside: false, reason }, reason);
}
