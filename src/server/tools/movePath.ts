import * as z from 'zod';
import { printable } from '../../domain/printable.ts';
import { moveEntry } from '../writing/moveEntry.ts';
import { changeOf } from '../writing/writableFolder.ts';
import { answer, pathHint, refused, writing } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

const config = {
  title: 'Move Path',
  description:
    'Move or rename a file, a folder with all that is in it, or a link itself, within the shared ' +
    'folders. Nothing that exists is ever replaced.',
  inputSchema: z.strictObject({
    from: z.string().describe(pathHint),
    to: z.string().describe('The new path, its name included. Nothing may be there yet.'),
  }),
  outputSchema: z.object({
    from: z.string(),
    to: z.string(),
    type: z.enum(['file', 'directory', 'link', 'other']),
  }),
  annotations: { ...writing, destructiveHint: true, idempotentHint: false },
};

/** `move-path`: another path, within the roots, for something in a root. */
export function registerMovePath(tools: ToolSet): void {
  tools.addForPaths('move-path', config, async ({ from, to }, { scope, signal }) => {
    const moved = await moveEntry(changeOf(scope, from), changeOf(scope, to), signal);
    if (!moved.ok) {
      return refused(moved.message);
    }
    const { from: before, to: now, type } = moved.value;
    return answer(
      { from: before, to: now, type },
      `Moved ${printable(before)} to ${printable(now)}.`,
    );
  });
}
