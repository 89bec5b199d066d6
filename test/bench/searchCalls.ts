import type { Answer, Call } from './rawClient.ts';
import { type Tree, wantedGlob, wantedText } from './trees.ts';

/** Finds every file with the wanted name, in one answer. */
export function findCall({ folder, wanted }: Tree): Call {
  return { name: 'find-files', arguments: { path: folder, pattern: wantedGlob, limit: wanted } };
}

/** Finds every line with the wanted text, in one answer. */
export function searchCall({ folder, wanted }: Tree): Call {
  return { name: 'search-text', arguments: { path: folder, query: wantedText, limit: wanted } };
}

/** The same as `findCall`, for the reference server. */
export function theirFindCall({ folder }: Tree): Call {
  return { name: 'search_files', arguments: { path: folder, pattern: wantedGlob } };
}

/** @throws when not all was found that is wanted: a search that stops sooner is no quicker one. */
export function assertFound({ wanted }: Tree, { result }: Pick<Answer, 'result'>): void {
  const files = result.structuredContent?.['files'];
  const text = result.content?.[0]?.text ?? '';
  const found = Array.isArray(files) ? files.length : text.split('\n').length;
  if (found !== wanted) {
    throw new Error(`${found} files were found where there are ${wanted}.`);
  }
}
