import * as z from 'zod';
import { printable } from '../../domain/printable.ts';
import { type EditedFile, replaceInFile } from '../writing/replaceInFile.ts';
import { changeOf } from '../writing/writableFolder.ts';
import { answer, pathHint, refused, writing } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

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

const config = {
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
  tools.addForPaths('edit-file', config, async ({ path, edits, dryRun }, { scope, signal }) => {
    const edited = await replaceInFile(changeOf(scope, path), { edits, isDryRun: dryRun }, signal);
    return edited.ok ? describe(edited.value, dryRun) : refused(edited.message);
  });
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
