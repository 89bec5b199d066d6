import * as z from 'zod';
import type { Limiter } from '../../base/limiter.ts';
import { printable } from '../../domain/printable.ts';
import { type FoundFiles, searchFileNames } from '../search/searchFileNames.ts';
import { pathHint, readOnly } from './answers.ts';
import {
  answerSearch,
  globHint,
  ignoredHint,
  leaveOutSchema,
  pageSchema,
} from './searchAnswers.ts';
import type { ToolSet } from './toolSet.ts';

const config = {
  title: 'Find Files',
  description:
    'Find files by name (glob) in one of the shared folders and all below it. ' +
    `${ignoredHint} Links are not followed. The order is always the same: the files of a folder ` +
    'by name, then what is in its folders. Long answers come in pages.',
  inputSchema: z.strictObject({
    pattern: z.string().describe(`The files to find, as a glob. ${globHint}`),
    path: z.string().default('.').describe(`The folder to search. ${pathHint}`),
    ...leaveOutSchema,
    limit: z.int().min(1).max(10_000).default(1000),
    offset: z.int().min(0).default(0).describe('How many files to pass over.'),
  }),
  outputSchema: z.object({
    ...pageSchema,
    files: z.array(z.string()).describe('Relative to "path", with slashes.'),
  }),
  annotations: readOnly,
};

/** `find-files`: files in a root, by their names. */
export function registerFindFiles(tools: ToolSet, searches: Limiter): void {
  tools.addForPaths('find-files', config, ({ pattern, ...args }, call) => {
    const request = { ...args, include: [pattern] };
    return answerSearch(searches, call, () => searchFileNames(request, call), linesFor);
  });
}

function linesFor({ files, path }: FoundFiles): readonly string[] {
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  return [`${count} in ${printable(path)}:`, ...files.map(printable)];
}
