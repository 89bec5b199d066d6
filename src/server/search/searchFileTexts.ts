import { messageOf } from '../../base/messageOf.ts';
import type { Outcome } from '../paths/refusal.ts';
import type { LongCall } from '../runningCall.ts';
import type { FoundLine, LineMatches, LineQuery } from './lineSearch.ts';
import { type Matched, type Matcher, matcherFor } from './matcher.ts';
import { type FileBatch, readFiles } from './readFiles.ts';
import {
  type FolderFiles,
  prepareSearch,
  type Search,
  type SearchPage,
  type SearchRequest,
  walk,
} from './search.ts';

export interface TextRequest extends SearchRequest {
  readonly query: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
  readonly contextLines: number;
  /** Whether the caller wants only the matching files. Each file then counts as one match. */
  readonly filesOnly: boolean;
}

export interface FoundText extends SearchPage {
  /** The files in the order of a walk: a folder's files by name, then the contents of its folders. */
  readonly files: readonly FoundFile[];
  /** The number of matches in these files. */
  readonly matches: number;
  /** The number of matching files that are not UTF-8 text. */
  readonly notText: number;
}

/**
 * Searches the lines of files, in a folder of a root and everything below it, or in one file.
 *
 * @param patience the longest time for a regular expression on some files, in milliseconds.
 * @throws the reason of the signal when it is aborted.
 */
export async function searchFileTexts(
  request: TextRequest,
  call: LongCall,
  patience?: number,
): Promise<Outcome<FoundText>> {
  const read = readQuery(request);
  if (!read.ok) {
    return read;
  }
  const prepared = prepareSearch(request, call, 'entry-and-below');
  if (!prepared.ok) {
    return prepared;
  }
  const search = prepared.value;
  const { contextLines, filesOnly: isForFiles, offset, limit } = request;
  const query: LineQuery = { pattern: read.value, contextLines, isForFiles, offset, limit };
  const matcher = matcherFor(query, patience);
  const stop = () => matcher.dispose();
  call.signal.addEventListener('abort', stop, { once: true });
  try {
    const collector = new MatchCollector(search.filter.wanted.folder.length);
    const end = await matchFiles(search, filesIn(search), matcher, collector);
    call.signal.throwIfAborted();
    return end === 'slow' || end === 'failed'
      ? { ok: false, kind: 'unusable', message: givenUp[end] }
      : { ok: true, value: pageOf(search, offset, collector) };
  } finally {
    call.signal.removeEventListener('abort', stop);
    matcher.dispose();
  }
}

/** The one file that the request names, or all files of a walk. */
async function* filesIn(search: Search): AsyncGenerator<FolderFiles> {
  const { filter, file } = search;
  if (file === undefined) {
    yield* walk(search);
  } else {
    yield { folder: filter.wanted.folder, files: [file] };
  }
}

const givenUp = {
  slow:
    'The regular expression takes too long on a file: write it without nested ' +
    'repetitions like (a+)+, or search for plain text.',
  failed: 'The regular expression takes too much memory: write it in a simpler way.',
} as const;

function pageOf(
  { path, slice, counts }: Search,
  offset: number,
  { files, matches, notText, hasMore }: MatchCollector,
): FoundText {
  const next = hasMore && { nextOffset: offset + matches };
  const { unreadable, unsearched } = counts;
  const isCut = slice.isOver && !hasMore;
  return { path, ...next, isCut, unreadable, unsearched, files, matches, notText };
}

/** Why matching ended: all files were searched, the page is full, or the matcher gave up. */
type MatchEnd = 'all' | 'full' | 'slow' | 'failed';

/** Reads files and collects their matches. Reads the next files while the matcher searches the last files. */
async function matchFiles(
  search: Search,
  files: AsyncIterable<FolderFiles>,
  matcher: Matcher,
  collector: MatchCollector,
): Promise<MatchEnd> {
  const collect = (batch: FileBatch, matched: Matched): MatchEnd => {
    if (!matched.ok) {
      return matched.reason;
    }
    collector.add(batch, matched.found);
    return collector.hasMore ? 'full' : 'all';
  };
  let previous: Promise<MatchEnd> = Promise.resolve('all');
  for await (const batch of readFiles(search, files)) {
    const matched = matcher.match(batch);
    const end = await previous;
    if (end !== 'all') {
      return end;
    }
    previous = matched.then(found => collect(batch, found));
  }
  return previous;
}

interface FoundFile {
  /** The path from the searched folder, with slashes. */
  readonly path: string;
  readonly lines: readonly FoundLine[];
}

/** Collects the matches of batches, up to the size limit of an answer. */
class MatchCollector {
  readonly files: FoundFile[] = [];
  /** The number of matches in the files. */
  matches = 0;
  /** The number of matching files that are not UTF-8 text. */
  notText = 0;
  /** Whether there are more matches than the collected ones. */
  hasMore = false;
  private readonly depth: number;
  private size = 0;

  /** `depth`: the number of names from the root to the searched folder. */
  constructor(depth: number) {
    this.depth = depth;
  }

  /** Adds matches until the answer is full. */
  add({ files }: FileBatch, found: LineMatches): void {
    this.notText += found.notText;
    for (const { file, lines } of found.matches) {
      const { folder, name } = files[file] ?? { folder: [], name: '' };
      const path = [...folder.slice(this.depth), name].join('/');
      this.addFile({ path, lines });
    }
    this.hasMore ||= found.hasMore;
  }

  private addFile({ path, lines }: FoundFile): void {
    const fitting = lines.filter(line => this.takes(line));
    const isForFile = lines.length === 0 && this.takes(path);
    const matches = isForFile ? 1 : fitting.filter(isMatch).length;
    if (matches > 0) {
      this.matches += matches;
      this.files.push({ path, lines: fitting });
    }
  }

  private takes(part: FoundLine | string): boolean {
    this.hasMore ||= this.size > maxSize;
    this.size += Buffer.byteLength(JSON.stringify(part));
    return !this.hasMore;
  }
}

function isMatch({ column }: FoundLine): boolean {
  return column !== undefined;
}

/** The most bytes of JSON. An answer has the matches twice, and should stay around a megabyte. */
const maxSize = 400_000;

/** Turns a query into plain text or a regular expression of JavaScript, or refuses the query. */
function readQuery({
  query,
  isRegex,
  isCaseSensitive,
}: TextRequest): Outcome<LineQuery['pattern']> {
  const problem = problemWith(query, isRegex);
  if (problem !== undefined) {
    return { ok: false, kind: 'invalid', message: problem };
  }
  if (!isRegex && isCaseSensitive) {
    return { ok: true, value: { kind: 'text', text: query } };
  }
  const source = isRegex ? query : query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const flags = isCaseSensitive ? 'u' : 'iu';
  try {
    new RegExp(source, flags);
  } catch (error) {
    const message = `The regular expression cannot be used: ${messageOf(error)}. It must be a JavaScript regular expression for the flag "u".`;
    return { ok: false, kind: 'invalid', message };
  }
  return { ok: true, value: { kind: 'regex', source, flags } };
}

const maxLength = 1000;

function problemWith(query: string, isRegex: boolean): string | undefined {
  if (query === '' || query.length > maxLength) {
    return wrongQuery.length;
  }
  if (/\p{Surrogate}/u.test(query)) {
    return wrongQuery.half;
  }
  return !isRegex && /[\r\n]/.test(query) ? wrongQuery.lines : undefined;
}

const wrongQuery = {
  length: `The query must have 1 to ${maxLength} characters.`,
  half: 'The query has half of a character (a lone surrogate). Send whole characters.',
  lines: 'The query has a line break. The search reads line by line: use the text of one line.',
} as const;
