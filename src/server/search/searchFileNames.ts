import type { Outcome } from '../paths/refusal.ts';
import type { LongCall } from '../runningCall.ts';
import { prepareSearch, type Search, type SearchPage, type SearchRequest, walk } from './search.ts';

export interface FoundFiles extends SearchPage {
  /** The files in the order of a walk: a folder's files by name, then the contents of its folders. */
  readonly files: readonly string[];
}

/**
 * Finds files by name, in a folder of a root and everything below it.
 * @throws the reason of the signal when it is aborted.
 */
export async function searchFileNames(
  request: SearchRequest,
  call: LongCall,
): Promise<Outcome<FoundFiles>> {
  const prepared = prepareSearch(request, call, 'entry');
  if (!prepared.ok) {
    return prepared;
  }
  const { path, slice, counts, file } = prepared.value;
  if (file !== undefined) {
    const message = 'The path is a file. Give the folder to search.';
    return { ok: false, kind: 'unusable', message };
  }
  const found = await collect(prepared.value, request);
  const { unreadable } = counts;
  return { ok: true, value: { path, ...found, isCut: slice.isOver, unreadable } };
}

async function collect(
  search: Search,
  { limit, offset }: SearchRequest,
): Promise<Pick<FoundFiles, 'files' | 'nextOffset'>> {
  const found: string[] = [];
  let size = 0;
  let passed = 0;
  for await (const { folder, files } of walk(search)) {
    const names = folder.slice(search.filter.wanted.folder.length);
    for (const file of files.slice(Math.max(0, offset - passed))) {
      if (found.length === limit || size > maxSize) {
        return { files: found, nextOffset: offset + found.length };
      }
      const path = [...names, file].join('/');
      found.push(path);
      size += path.length;
    }
    passed += files.length;
  }
  return { files: found };
}

/** The most characters of names. An answer has the names twice, and clients limit the size of answers. */
const maxSize = 300_000;
