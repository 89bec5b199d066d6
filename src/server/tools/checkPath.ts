import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { quotePath } from '../../domain/printable.ts';
import { locate } from '../paths/locate.ts';
import type { RootsView } from '../roots/rootsView.ts';
import { answer, pathHint, readOnly, refused } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

const outputSchema = z.object({
  inside: z.boolean(),
  root: z.string().optional().describe('The URI of the root it lies in.'),
  path: z.string().optional().describe('Where it leads, every link followed. It need not exist.'),
  reason: z.string().optional().describe('Why it is not inside.'),
});

const config = {
  title: 'Check Path',
  description:
    'Say whether a path lies in the folders the user shares, in which one, and where it leads. ' +
    'Of paths outside, nothing else is said.',
  inputSchema: z.strictObject({
    path: z.string().describe(pathHint),
  }),
  outputSchema,
  annotations: readOnly,
};

/** `check-path`: whether a path is inside. What can be no path at all is an error. */
export function registerCheckPath(tools: ToolSet): void {
  tools.add('check-path', config, ({ path }, { view }) => check(view, path));
}

function check({ folders: { scope }, problem }: RootsView, input: string): CallToolResult {
  const found = locate(scope, input);
  if (found.ok) {
    const { root, real } = found.value;
    const text = `${quotePath(input)} is inside: it leads to ${quotePath(real)}.`;
    return answer({ inside: true, root: root.uri, path: real }, text);
  }
  if (found.kind !== 'outside') {
    return refused(found.message);
  }
  const reason = problem === undefined ? found.message : `${found.message} ${problem}`;
  return answer({ inside: false, reason }, reason);
}
