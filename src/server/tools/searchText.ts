import * as z from 'zod';
import type { Limiter } from '../../base/limiter.ts';
import { printable } from '../../domain/printable.ts';
import type { FoundLine } from '../search/lineSearch.ts';
import { type FoundText, searchFileTexts } from '../search/searchFileTexts.ts';
import { pathHint, readOnly } from './answers.ts';
import {
  answerSearch,
  globHint,
  ignoredHint,
  leaveOutSchema,
  pageSchema,
} from './searchAnswers.ts';
import type { ToolSet } from './toolSet.ts';

const inputSchema = z.strictObject({
  query: z.string().describe('The text to find within lines, or a regular expression.'),
  isRegex: z
    .boolean()
    .default(false)
    .describe('The query is a regular expression of JavaScript (flag u), for one line at a time.'),
  isCaseSensitive: z.boolean().default(true),
  path: z.string().default('.').describe(`The folder, or the one file, to search. ${pathHint}`),
  include: z
    .array(z.string())
    .max(100)
    .default([])
    .describe(
      `Only files that match one of these globs, or lie in a folder that does. ${globHint}`,
    ),
  ...leaveOutSchema,
  contextLines: z.int().min(0).max(10).default(0).describe('How many lines around a match.'),
  filesOnly: z.boolean().default(false).describe('Only name the files; each is one match then.'),
  limit: z.int().min(1).max(2000).default(200).describe('The most matches (lines) in an answer.'),
  offset: z.int().min(0).default(0).describe('How many matches to pass over.'),
});

const line = z.object({
  line: z.int().describe('Counted from 1.'),
  text: z.string().describe('Cut with "…" where it is long.'),
  column: z
    .int()
    .optional()
    .describe('Where the first match in the line starts, from 1; absent in lines of context.'),
  endColumn: z.int().optional(),
});

const config = {
  title: 'Search Text',
  description:
    'Search the lines of text files in one of the shared folders and all below it, for text or ' +
    `a regular expression; upper and lower case differ unless told otherwise. ${ignoredHint} ` +
    'Links are not followed; files that are no UTF-8 text, and those over 10 MB, are left out. ' +
    'The order is always the same. Long answers come in pages.',
  inputSchema,
  outputSchema: z.object({
    ...pageSchema,
    files: z.array(
      z.object({
        path: z.string().describe('Relative to the searched folder, with slashes.'),
        lines: z.array(line),
      }),
    ),
    matches: z.int().describe('How many matches there are in this answer.'),
    notText: z.int().describe('How many files match, but are left out, as they are no UTF-8 text.'),
  }),
  annotations: readOnly,
};

/** `search-text`: lines in the files of a root. */
export function registerSearchText(tools: ToolSet, searches: Limiter): void {
  tools.addForPaths('search-text', config, (args, call) => {
    return answerSearch(searches, call, () => searchFileTexts(args, call), linesFor);
  });
}

/** As `grep` writes them: a colon after the number of a match, a hyphen after that of its context. */
function linesFor({ path, files, matches, notText }: FoundText): readonly string[] {
  const count = matches === 1 ? '1 match' : `${matches} matches`;
  const binary = notText > 0 ? [`(${notText} files that match are no UTF-8 text.)`] : [];
  const found = files.flatMap(file => {
    const name = printable(file.path);
    return file.lines.length > 0 ? file.lines.map(line => textOf(name, line)) : [name];
  });
  return [`${count} in ${printable(path)}:`, ...found, ...binary];
}

function textOf(file: string, { line, text, column }: FoundLine): string {
  return column === undefined
    ? `${file}-${line}- ${printable(text)}`
    : `${file}:${line}: ${printable(text)}`;
}
