import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Limiter } from '../../base/limiter.ts';
import { printable } from '../../domain/printable.ts';
import type { Outcome } from '../paths/refusal.ts';
import type { FoundLine } from '../search/lineSearch.ts';
import type { SearchPage } from '../search/search.ts';
import { type FoundFiles, searchFileNames } from '../search/searchFileNames.ts';
import { type FoundText, searchFileTexts } from '../search/searchFileTexts.ts';
import { answer, answerTo, pathHint, readOnly, refused } from './answers.ts';
import type { ToolSet } from './toolSet.ts';

/** The meaning of globs, for the schemas of arguments. */
const globHint =
  'A glob without a slash matches names at any depth. A glob with a slash matches paths from the searched ' +
  'folder. Special characters are *, ?, ** (any folders), [a-z], {a,b} and \\ (escape).';

/** Part of the description of every search tool. */
const ignoredHint =
  'Without includeIgnored, the search leaves out what .gitignore files of the shared folder and its ' +
  'subfolders ignore. The search always leaves out .git.';

/** Options for what to leave out, for the schemas of arguments. */
const leaveOutSchema = {
  exclude: z
    .array(z.string())
    .max(100)
    .default([])
    .describe('Globs of files and folders to leave out.'),
  includeIgnored: z.boolean().default(false),
};

/** The facts in every answer of a search, for its schema. */
const pageSchema = {
  path: z.string().describe('The searched folder.'),
  nextOffset: z.int().optional().describe('The offset of the next page. Absent on the last page.'),
  isCut: z.boolean().describe('Whether the search stopped at its time limit. There may be more.'),
  unreadable: z.int().describe('How many files and folders could not be read.'),
};

const findFilesEntry = {
  title: 'Find Files',
  description:
    'Find files by name (glob) in a shared folder and all folders below it. ' +
    `${ignoredHint} Links are not followed. The order is always the same: the files of a folder ` +
    'by name, then the contents of its folders. Long answers come in pages.',
  inputSchema: z.strictObject({
    pattern: z.string().describe(`The files to find, as a glob. ${globHint}`),
    path: z.string().default('.').describe(`The folder to search. ${pathHint}`),
    ...leaveOutSchema,
    limit: z.int().min(1).max(10_000).default(1000),
    offset: z.int().min(0).default(0).describe('How many files to skip.'),
  }),
  outputSchema: z.object({
    ...pageSchema,
    files: z.array(z.string()).describe('Paths relative to "path", with slashes.'),
  }),
  annotations: readOnly,
};

/** `find-files`: files in a root, by their names. */
export function registerFindFiles(tools: ToolSet, searches: Limiter): void {
  tools.addForPaths('find-files', findFilesEntry, async ({ pattern, ...args }, call) => {
    const request = { ...args, include: [pattern] };
    const run = () => searchFileNames(request, call);
    return answerSearch(await call.runIn(searches, run), linesOfNames);
  });
}

function linesOfNames({ files, path }: FoundFiles): readonly string[] {
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  return [`${count} in ${printable(path)}:`, ...files.map(printable)];
}

const line = z.object({
  line: z.int().describe('The number of the line. The first is 1.'),
  text: z.string().describe('The text of the line. "…" marks a cut.'),
  column: z
    .int()
    .optional()
    .describe('The column where the first match starts. The first is 1. Absent in context lines.'),
  endColumn: z.int().optional(),
});

const searchTextEntry = {
  title: 'Search Text',
  description:
    'Search text files in a shared folder and all folders below it, or one file. The query is text or ' +
    `a regular expression. By default, upper and lower case differ. ${ignoredHint} ` +
    'Links are not followed. Files over 10 MB or not in UTF-8 are left out. ' +
    'The order is always the same. Long answers come in pages.',
  inputSchema: z.strictObject({
    query: z.string().describe('The text to find within lines, or a regular expression.'),
    isRegex: z
      .boolean()
      .default(false)
      .describe(
        'The query is a regular expression of JavaScript (flag u), for one line at a time.',
      ),
    isCaseSensitive: z.boolean().default(true),
    path: z.string().default('.').describe(`The folder, or the one file, to search. ${pathHint}`),
    include: z
      .array(z.string())
      .max(100)
      .default([])
      .describe(
        `Search only files that match one of these globs, or lie in a folder that matches. ${globHint}`,
      ),
    ...leaveOutSchema,
    contextLines: z.int().min(0).max(10).default(0).describe('Lines before and after each match.'),
    filesOnly: z.boolean().default(false).describe('List only the files. Each file is one match.'),
    limit: z.int().min(1).max(2000).default(200).describe('The most matching lines in an answer.'),
    offset: z.int().min(0).default(0).describe('How many matches to skip.'),
  }),
  outputSchema: z.object({
    ...pageSchema,
    files: z.array(
      z.object({
        path: z.string().describe('The path from the searched folder, with slashes.'),
        lines: z.array(line),
      }),
    ),
    matches: z.int().describe('How many matches there are in this answer.'),
    unsearched: z.int().describe('How many files over 10 MB or in UTF-16 were not searched.'),
    notText: z
      .int()
      .describe('How many matching files are left out because they are not UTF-8 text.'),
  }),
  annotations: readOnly,
};

/** `search-text`: lines in the files of a root. */
export function registerSearchText(tools: ToolSet, searches: Limiter): void {
  tools.addForPaths('search-text', searchTextEntry, async (args, call) => {
    const run = () => searchFileTexts(args, call);
    return answerSearch(await call.runIn(searches, run), linesOfTexts);
  });
}

/** Lines in the form of `grep`: a colon stands after a matching line's number, a hyphen in context lines. */
function linesOfTexts({ path, files, matches, notText }: FoundText): readonly string[] {
  const count = matches === 1 ? '1 match' : `${matches} matches`;
  const binary = notText > 0 ? [`(Matching files that hold no UTF-8 text: ${notText}.)`] : [];
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

/** The answer for the outcome of a search. */
function answerSearch<T extends SearchPage>(
  found: Outcome<T> | 'busy',
  textFor: (found: T) => readonly string[],
): CallToolResult {
  if (found === 'busy') {
    return refused('Too many searches are waiting already. Try again in a moment.');
  }
  return answerTo(found, value =>
    answer({ ...value }, [...textFor(value), ...notesOn(value)].join('\n')),
  );
}

/** Notes for a reader who gets only the text of the answer. */
function notesOn({ nextOffset, isCut, unreadable, unsearched = 0 }: SearchPage): string[] {
  return [
    ...(nextOffset === undefined ? [] : [`(There is more: continue with offset ${nextOffset}.)`]),
    ...(isCut ? ['(Stopped after 30 seconds: there may be more. Search a smaller folder.)'] : []),
    ...(unsearched > 0
      ? [`(Files that were not searched: ${unsearched}. They are over 10 MB or in UTF-16.)`]
      : []),
    ...(unreadable > 0 ? [`(${unreadable} files or folders could not be read.)`] : []),
  ];
}
