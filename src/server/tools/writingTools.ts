import * as z from 'zod';
import { printable } from '../../domain/printable.ts';
import { deleteEntry } from '../writing/deleteEntry.ts';
import { makeFolder } from '../writing/makeFolder.ts';
import { moveEntry } from '../writing/moveEntry.ts';
import { putFile } from '../writing/putFile.ts';
import { type EditedFile, replaceInFile } from '../writing/replaceInFile.ts';
import { encode } from '../writing/storeFile.ts';
import { changeOf } from '../writing/writableFolder.ts';
import { answer, pathHint, refused, writing } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

const writeFileEntry = {
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
  tools.addForPaths('write-file', writeFileEntry, (args, { scope }) => {
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
  // The old text is gone after it, or a second run finds it in what the first one wrote.
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
      return edited.ok ? describe(edited.value, dryRun) : refused(edited.message);
    },
  );
}

function describe({ path, replaced, diff }: EditedFile, isDryRun: boolean) {
  const places = replaced === 1 ? '1 place' : `${replaced} places`;
  const done = isDryRun
    ? `Nothing was written. In ${printable(path)}, ${places} would be replaced:`
    : `Replaced ${places} in ${printable(path)}:`;
  const cut = diff.isCut ? '(The diff is cut here. It goes on.)' : '';
  const structured = { path, written: !isDryRun, replaced, diff: diff.text, isCut: diff.isCut };
  return answer(structured, done, diff.text, cut);
}

const createDirectoryEntry = {
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
  tools.addForPaths('create-directory', createDirectoryEntry, ({ path: input }, { scope }) => {
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

/** `move-path`: another path, within the roots, for something in a root. */
export function registerMovePath(tools: ToolSet): void {
  tools.addForPaths('move-path', movePathEntry, async ({ from, to }, { scope, signal }) => {
    const moved = await moveEntry(changeOf(scope, from), changeOf(scope, to), signal);
    if (!moved.ok) {
      return refused(moved.message);
    }
    const { from: before, to: now } = moved.value;
    return answer({ ...moved.value }, `Moved ${printable(before)} to ${printable(now)}.`);
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

/** `delete-path`: takes something out of a root. */
export function registerDeletePath(tools: ToolSet): void {
  tools.addForPaths('delete-path', deletePathEntry, async (args, call) => {
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
