import * as z from 'zod';
import { printable } from '../../domain/printable.ts';
import { makeFolder } from '../writing/makeFolder.ts';
import { changeOf } from '../writing/writableFolder.ts';
import { answer, pathHint, refused, writing } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

const config = {
  title: 'Create Directory',
  description:
    'Make a folder in the shared folders, with the folders that are missing on the way to it. ' +
    'That it exists already is no failure.',
  inputSchema: z.strictObject({ path: z.string().describe(pathHint) }),
  outputSchema: z.object({
    path: z.string().describe('The folder, every link followed.'),
    created: z.array(z.string()).describe('The folders that were made; none when it existed.'),
  }),
  annotations: { ...writing, destructiveHint: false, idempotentHint: true },
};

/** `create-directory`: a folder in a root, a level at a time. */
export function registerCreateDirectory(tools: ToolSet): void {
  tools.addForPaths('create-directory', config, ({ path: input }, { scope, signal }) => {
    signal.throwIfAborted();
    const made = makeFolder(changeOf(scope, input));
    if (!made.ok) {
      return refused(made.message);
    }
    const { path, created } = made.value;
    const text =
      created.length > 0 ? `Created ${printable(path)}.` : `${printable(path)} exists already.`;
    return answer({ path, created }, text);
  });
}
