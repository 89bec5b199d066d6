import * as z from 'zod';
import { printable } from '../../domain/printable.ts';
import { deleteEntry } from '../writing/deleteEntry.ts';
import { makeFolder } from '../writing/makeFolder.ts';
import { moveEntry } from '../writing/moveEntry.ts';
import { putFile } from '../writing/putFile.ts';
import { type EditedFile, replaceInFile } from '../writing/replaceInFile.ts';
import { encode } from '../writing/storeFile.ts';
import { changeOf } from '../writing/writableFolder.ts';
import { answer, answerTo, pathHint, writing } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

const writeFileEntry = {
  title: 'Write File',
  description:
    'Write a whole text file (UTF-8) in the shared folders: create it, or replace its whole ' +
    'content in one step. CR LF line ends and a byte order mark of the old file are kept. ' +
    'To change parts, use edit-file.',
  inputSchema: z.strictObject({
    path: z.string().describe(pathHint),
    content: z.string().describe('The whole content of the file.'),
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
  tools.addForPaths('write-file', writeFileEntry, (args, { scope }) => {
    const bytes = encode(args.path, args.content);
    const rights = { mayReplace: args.overwrite, mayMakeFolders: args.createDirectories };
    const written = bytes.ok
      ? putFile(changeOf(scope, args.path), { bytes: bytes.value, ...rights })
      : bytes;
    return answerTo(written, ({ path, isNew, size, note, createdFolders }) => {
      const text = `${isNew ? 'Created' : 'Replaced'} ${printable(path)} (${size} bytes).`;
      return answer({ path, created: isNew, size, createdDirectories: createdFolders }, text, note);
    });
  });
}

const edit = z.strictObject({
  oldText: z
    .string()
    .describe('What to replace, character by character as it is in the file, blanks included.'),
  newText: z.string().describe('What takes its place. Empty: it is removed.'),
  replaceAll: z
    .boolean()
    .default(false)
    .describe('Replace it wherever it occurs. Otherwise it has to occur exactly once.'),
});

const editFileEntry = {
  title: 'Edit File',
  description:
    'Replace parts of a text file (UTF-8) in the shared folders by exact match. The edits are ' +
    'applied in order, all of them or none. Answers with a unified diff; with dryRun, nothing is ' +
    'written. Line ends stay as they are: where all are CR LF, LF in an edit counts as CR LF.',
  inputSchema: z.strictObject({
    path: z.string().describe(pathHint),
    edits: z.array(edit).min(1).max(1000),
    dryRun: z.boolean().default(false).describe('Only show what would change.'),
  }),
  outputSchema: z.object({
    path: z.string().describe('The file that was edited, every link followed.'),
    written: z.boolean().describe('Whether the file was changed: not in a dry run.'),
    replaced: z.int().describe('How many places were replaced.'),
    diff: z.string().describe('What changed, as a unified diff.'),
    isCut: z.boolean().describe('Whether the diff was cut at its end to limit the answer.'),
  }),
  // Not idempotent: the old text is gone afterwards, or a second run finds it in the new text.
  annotations: { ...writing, destructiveHint: true, idempotentHint: false },
};

/** `edit-file`: exact replacements in a text file in a root, or what they would change. */
export function registerEditFile(tools: ToolSet): void {
  tools.addForPaths(
    'edit-file',
    editFileEntry,
    async ({ path, edits, dryRun }, { scope, signal }) => {
      const edited = await replaceInFile(
        changeOf(scope, path),
        { edits, isDryRun: dryRun },
        signal,
      );
      return answerTo(edited, value => describe(value, dryRun));
    },
  );
}

function describe({ path, replaced, diff, note }: EditedFile, isDryRun: boolean) {
  const places = replaced === 1 ? '1 place' : `${replaced} places`;
  const done = isDryRun
    ? `Dry run, nothing was written. In ${printable(path)}, ${places} would be replaced:`
    : `Replaced ${places} in ${printable(path)}:`;
  const cut = diff.isCut ? '(The diff is cut here. It goes on.)' : '';
  const structured = { path, written: !isDryRun, replaced, diff: diff.text, isCut: diff.isCut };
  return answer(structured, done, diff.text, cut, note);
}

const createDirectoryEntry = {
  title: 'Create Directory',
  description:
    'Make a folder in the shared folders, with the folders that are missing on the way to it. ' +
    'An existing folder is a success.',
  inputSchema: z.strictObject({ path: z.string().describe(pathHint) }),
  outputSchema: z.object({
    path: z.string().describe('The folder, every link followed.'),
    created: z.array(z.string()).describe('The folders that were made; none when it existed.'),
  }),
  annotations: { ...writing, destructiveHint: false, idempotentHint: true },
};

/** `create-directory`: a folder in a root, with its missing parents. */
export function registerCreateDirectory(tools: ToolSet): void {
  tools.addForPaths('create-directory', createDirectoryEntry, ({ path: input }, { scope }) =>
    answerTo(makeFolder(changeOf(scope, input)), ({ path, created }) => {
      const text =
        created.length > 0 ? `Created ${printable(path)}.` : `${printable(path)} exists already.`;
      return answer({ path, created }, text);
    }),
  );
}

const movePathEntry = {
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

/** `move-path`: moves an entry of a root to another path in the roots. */
export function registerMovePath(tools: ToolSet): void {
  tools.addForPaths('move-path', movePathEntry, async ({ from, to }, { scope, signal }) => {
    const moved = await moveEntry(changeOf(scope, from), changeOf(scope, to), signal);
    return answerTo(moved, value =>
      answer({ ...value }, `Moved ${printable(value.from)} to ${printable(value.to)}.`),
    );
  });
}

const deletePathEntry = {
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

/** `delete-path`: deletes an entry of a root. */
export function registerDeletePath(tools: ToolSet): void {
  tools.addForPaths('delete-path', deletePathEntry, async (args, call) => {
    const change = changeOf(call.scope, args.path);
    const deleted = await deleteEntry(change, { isRecursive: args.recursive }, call);
    return answerTo(deleted, ({ path, type, entries }) => {
      const inside = entries > 1 ? ` with all that was in it (${entries} entries)` : '';
      return answer({ path, type, entries }, `Deleted ${printable(path)}${inside}.`);
    });
  });
}
