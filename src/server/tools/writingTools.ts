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
    'Create a text file (UTF-8) in the shared folders, or replace the whole content of a file. ' +
    'CR LF line ends and a byte order mark of the old file are kept. ' +
    'To change parts of a file, use edit-file.',
  inputSchema: z.strictObject({
    path: z.string().describe(pathHint),
    content: z.string().describe('The whole content of the file.'),
    overwrite: z.boolean().default(true).describe('Whether to replace an existing file.'),
    createDirectories: z
      .boolean()
      .default(true)
      .describe('Whether to create missing folders on the path.'),
  }),
  outputSchema: z.object({
    path: z.string().describe('The real path of the written file.'),
    created: z.boolean().describe('Whether the file is new. If not, its content was replaced.'),
    size: z.int().describe('Size in bytes.'),
    createdDirectories: z.array(z.string()).describe('The folders that were created for the file.'),
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
    .describe('The text to replace, exactly as it stands in the file, including blanks.'),
  newText: z.string().describe('The new text. If empty, the old text is removed.'),
  replaceAll: z
    .boolean()
    .default(false)
    .describe('Replace the old text everywhere. Otherwise, the old text must occur exactly once.'),
});

const editFileEntry = {
  title: 'Edit File',
  description:
    'Replace parts of a text file (UTF-8) in the shared folders by exact match. The edits apply in ' +
    'order, all or none. The answer is a unified diff. With dryRun, nothing is written. ' +
    'If all line ends of the file are CR LF, LF in an edit means CR LF.',
  inputSchema: z.strictObject({
    path: z.string().describe(pathHint),
    edits: z.array(edit).min(1).max(1000),
    dryRun: z.boolean().default(false).describe('Only show what would change.'),
  }),
  outputSchema: z.object({
    path: z.string().describe('The real path of the edited file.'),
    written: z.boolean().describe('Whether the file was changed. False in a dry run.'),
    replaced: z.int().describe('How many places were replaced.'),
    diff: z.string().describe('What changed, as a unified diff.'),
    isCut: z.boolean().describe('Whether the diff is incomplete, because it is too large.'),
  }),
  // Not idempotent: a second run does not find the old text, or finds it within the new text.
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
  const cut = diff.isCut ? '(The diff is not complete.)' : '';
  const structured = { path, written: !isDryRun, replaced, diff: diff.text, isCut: diff.isCut };
  return answer(structured, done, diff.text, cut, note);
}

const createDirectoryEntry = {
  title: 'Create Directory',
  description:
    'Create a folder in the shared folders, with all missing folders on its path. ' +
    'If the folder exists, the call succeeds.',
  inputSchema: z.strictObject({ path: z.string().describe(pathHint) }),
  outputSchema: z.object({
    path: z.string().describe('The real path of the folder.'),
    created: z.array(z.string()).describe('The folders that were created. Empty if all existed.'),
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
    'Move or rename a file, a folder with its contents, or a link (not its target), within the shared ' +
    'folders. An existing file or folder is never replaced.',
  inputSchema: z.strictObject({
    from: z.string().describe(pathHint),
    to: z.string().describe('The new path, including the name. The path must be free.'),
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
    'Permanently delete a file, a link (not its target), or a folder in the shared folders. A folder ' +
    'that is not empty is deleted only with recursive. A shared folder itself is never deleted.',
  inputSchema: z.strictObject({
    path: z.string().describe(pathHint),
    recursive: z.boolean().default(false).describe('Delete a folder with its contents.'),
  }),
  outputSchema: z.object({
    path: z.string(),
    type: z.enum(['file', 'directory', 'link', 'other']),
    entries: z.int().describe('How many entries were deleted, including the contents of a folder.'),
  }),
  annotations: { ...writing, destructiveHint: true, idempotentHint: true },
};

/** `delete-path`: deletes an entry of a root. */
export function registerDeletePath(tools: ToolSet): void {
  tools.addForPaths('delete-path', deletePathEntry, async (args, call) => {
    const change = changeOf(call.scope, args.path);
    const deleted = await deleteEntry(change, { isRecursive: args.recursive }, call);
    return answerTo(deleted, ({ path, type, entries }) => {
      const inside = entries > 1 ? ` with its contents (${entries} entries)` : '';
      return answer({ path, type, entries }, `Deleted ${printable(path)}${inside}.`);
    });
  });
}
