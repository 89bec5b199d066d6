import * as z from 'zod';
import { printable } from '../../domain/printable.ts';
import { putFile } from '../writing/putFile.ts';
import { encode } from '../writing/storeFile.ts';
import { changeOf } from '../writing/writableFolder.ts';
import { answer, pathHint, refused, writing } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

const config = {
  title: 'Write File',
  description:
    'Write a whole text file (UTF-8) in the shared folders: create it, or replace all that is in ' +
    'it at once. To change parts of a file, use edit-file.',
  inputSchema: z.strictObject({
    path: z.string().describe(pathHint),
    content: z.string().describe('All that is to be in the file.'),
    overwrite: z.boolean().default(true).describe('Whether a file that exists may be replaced.'),
    createDirectories: z
      .boolean()
      .default(true)
      .describe('Whether folders that are missing on the way may be made.'),
  }),
  outputSchema: z.object({
    path: z.string().describe('The file that was written, every link followed.'),
    created: z.boolean().describe('Whether it is new. If not, it was replaced.'),
    size: z.int().describe('In bytes.'),
    createdDirectories: z.array(z.string()).describe('The folders that were made for it.'),
  }),
  annotations: { ...writing, destructiveHint: true, idempotentHint: true },
};

/** `write-file`: a text file in a root, new or replaced. */
export function registerWriteFile(tools: ToolSet): void {
  tools.addForPaths('write-file', config, (args, { scope, signal }) => {
    signal.throwIfAborted();
    const bytes = encode(args.path, args.content);
    if (!bytes.ok) {
      return refused(bytes.message);
    }
    const written = putFile(changeOf(scope, args.path), {
      bytes: bytes.value,
      mayReplace: args.overwrite,
      mayMakeFolders: args.createDirectories,
    });
    if (!written.ok) {
      return refused(written.message);
    }
    const { path, isNew, createdFolders } = written.value;
    const size = bytes.value.length;
    const text = `${isNew ? 'Created' : 'Replaced'} ${printable(path)} (${size} bytes).`;
    return answer({ path, created: isNew, size, createdDirectories: createdFolders }, text);
  });
}
