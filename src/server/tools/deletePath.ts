import * as z from 'zod';
import { printable } from '../../domain/printable.ts';
import { deleteEntry } from '../writing/deleteEntry.ts';
import { changeOf } from '../writing/writableFolder.ts';
import { answer, pathHint, refused, writing } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

const config = {
  title: 'Delete Path',
  description:
    'Delete a file, a link itself, or a folder in the shared folders, for good. A folder with ' +
    'something in it is deleted only with recursive, and a shared folder itself never.',
  inputSchema: z.strictObject({
    path: z.string().describe(pathHint),
    recursive: z.boolean().default(false).describe('Delete a folder with all that is in it.'),
  }),
  outputSchema: z.object({
    path: z.string(),
    type: z.enum(['file', 'directory', 'link', 'other']),
    entries: z.int().describe('How many entries are gone: itself, and all that was in it.'),
  }),
  annotations: { ...writing, destructiveHint: true, idempotentHint: true },
};

/** `delete-path`: takes something out of a root. */
export function registerDeletePath(tools: ToolSet): void {
  tools.addForPaths('delete-path', config, async (args, call) => {
    const change = changeOf(call.scope, args.path);
    const deleted = await deleteEntry(change, { isRecursive: args.recursive }, call);
    if (!deleted.ok) {
      return refused(deleted.message);
    }
    const { path, type, entries } = deleted.value;
    const inside = entries > 1 ? ` with all that was in it (${entries} entries)` : '';
    return answer({ path, type, entries }, `Deleted ${printable(path)}${inside}.`);
  });
}
