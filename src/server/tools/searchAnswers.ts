import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Limiter } from '../../base/limiter.ts';
import type { Outcome } from '../paths/refusal.ts';
import type { LongCall } from '../runningCall.ts';
import type { SearchPage } from '../search/search.ts';
import { answer, refused } from './answers.ts';

/** The meaning of globs, for the schemas of arguments. */
export const globHint =
  'Without a slash it is about names at any depth, with one about the path below the searched ' +
  'folder. There are *, ?, ** (any folders), [a-z], {a,b} and \\ (escapes).';

/** Said by every tool that searches. */
export const ignoredHint =
  'What .gitignore files (of the shared folder and below) ignore is left out unless ' +
  'includeIgnored is set, and .git always.';

/** Options for what a search leaves out, for the schemas of arguments. */
export const leaveOutSchema = {
  exclude: z
    .array(z.string())
    .max(100)
    .default([])
    .describe('Globs of files and folders to leave out.'),
  includeIgnored: z.boolean().default(false),
};

/** The facts in every answer of a search, for its schema. */
export const pageSchema = {
  path: z.string().describe('The searched folder.'),
  nextOffset: z.int().optional().describe('The offset to go on with; absent at the end.'),
  isCut: z.boolean().describe('Whether it took too long and was stopped: there may be more.'),
  unreadable: z.int().describe('How many files and folders could not be read.'),
};

/** Runs a search when it is its turn, and answers with what it finds. */
export async function answerSearch<T extends SearchPage>(
  limiter: Limiter,
  { signal }: Pick<LongCall, 'signal'>,
  search: () => Promise<Outcome<T>>,
  textFor: (found: T) => readonly string[],
): Promise<CallToolResult> {
  const found = await limiter.run(search, signal);
  if (found === 'busy') {
    return refused('Too many searches are waiting already. Try again in a moment.');
  }
  if (!found.ok) {
    return refused(found.message);
  }
  const { value } = found;
  return answer({ ...value }, [...textFor(value), ...notesOn(value)].join('\n'));
}

/** Notes for a reader of the text alone. */
function notesOn({ nextOffset, isCut, unreadable }: SearchPage): string[] {
  return [
    ...(nextOffset === undefined ? [] : [`(There is more: go on with offset ${nextOffset}.)`]),
    ...(isCut ? ['(Stopped after 30 seconds: there may be more. Search a smaller folder.)'] : []),
    ...(unreadable > 0 ? [`(${unreadable} files or folders could not be read.)`] : []),
  ];
}
