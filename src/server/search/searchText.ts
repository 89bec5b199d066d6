import type { Outcome } from '../paths/refusal.ts';
import { candidates } from './candidates.ts';
import type { LineQuery } from './lineQuery.ts';
import { type FoundFile, MatchCollector } from './matchCollector.ts';
import { matcherFor } from './matcher.ts';
import { type MatchEnd, matchFiles } from './matchFiles.ts';
import { globsAgainst, ripgrepGlobs } from './ripgrepGlobs.ts';
import { askRipgrep } from './ripgrepSearch.ts';
import {
  prepareSearch,
  type Search,
  type SearchCall,
  type SearchMeans,
  type SearchPage,
  type SearchRequest,
  timeLimit,
} from './search.ts';
import { readQuery, type TextQuery } from './textQuery.ts';
import { type FolderFiles, walk } from './walk.ts';

export interface TextRequest extends SearchRequest, TextQuery {
  readonly contextLines: number;
  /** Whether only the files that match are wanted: then each counts as one match. */
  readonly filesOnly: boolean;
}

export interface FoundText extends SearchPage {
  /** In the order of a walk: the files of a folder by name, then what is in its folders. */
  readonly files: readonly FoundFile[];
  /** How many matches there are in these. */
  readonly matches: number;
  /** How many files match that are no UTF-8 text. */
  readonly notText: number;
}

/**
 * Searches the lines of files, in a folder of a root and all below it, or in one file.
 *
 * Ripgrep, where it is there, only says which files are worth opening. What is found is decided
 * by this server alone, so that the answer is the same without it.
 * @throws the reason of the signal, when that is aborted.
 */
export async function searchText(
  request: TextRequest,
  call: SearchCall,
  means: SearchMeans,
): Promise<Outcome<FoundText>> {
  const read = readQuery(request);
  if (!read.ok) {
    return { ok: false, kind: 'invalid', message: read.reason };
  }
  const prepared = prepareSearch(request, call, 'entry-and-below');
  if (!prepared.ok) {
    return prepared;
  }
  const { contextLines, filesOnly: isForFiles, offset, limit } = request;
  const query: LineQuery = { pattern: read.pattern, contextLines, isForFiles, offset, limit };
  const matcher = matcherFor(query, means.patience);
  const stop = () => matcher.dispose();
  call.signal.addEventListener('abort', stop, { once: true });
  try {
    const files = filesFor(prepared.value, { request, call, means, pattern: read.pattern });
    const collector = new MatchCollector(prepared.value.territory.wanted.folder.length);
    const end = await matchFiles(prepared.value, files, matcher, collector);
    call.signal.throwIfAborted();
    return answerFor(prepared.value, { end, collector, offset });
  } finally {
    call.signal.removeEventListener('abort', stop);
    matcher.dispose();
  }
}

interface Asked {
  readonly request: TextRequest;
  readonly call: SearchCall;
  readonly means: SearchMeans;
  readonly pattern: LineQuery['pattern'];
}

/** The files to open. Ripgrep ends with who asks for them. */
async function* filesFor(
  search: Search,
  { request, call, means, pattern }: Asked,
): AsyncGenerator<FolderFiles> {
  const { territory, file, pace, tally } = search;
  if (file !== undefined) {
    yield { folder: territory.wanted.folder, files: [file] };
    return;
  }
  const program = await means.ripgrep.pathFor(call.scope);
  if (program === undefined) {
    yield* walk(territory, pace, tally);
    return;
  }
  const end = new AbortController();
  try {
    const naming = askRipgrep({
      program,
      pattern,
      territory,
      globs: [...ripgrepGlobs(request.include), ...(await globsAgainst(territory, pace))],
      signal: AbortSignal.any([call.signal, end.signal]),
      limit: timeLimit,
      maxPaths: worthwhilePaths(request),
    });
    yield* candidates(territory, naming, { pace, tally });
  } finally {
    end.abort();
  }
}

/** With many more files than matches are wanted, a walk has enough before ripgrep is done. */
function worthwhilePaths({ offset, limit }: TextRequest): number {
  return Math.min(20_000, Math.max(1000, 4 * (offset + limit)));
}

interface Ended {
  readonly end: MatchEnd;
  readonly collector: MatchCollector;
  readonly offset: number;
}

function answerFor({ path, pace, tally }: Search, ended: Ended): Outcome<FoundText> {
  const { end, offset } = ended;
  if (end === 'slow' || end === 'failed') {
    const message =
      end === 'slow'
        ? 'The regular expression takes too long on one of the files: write it without nested ' +
          'repetitions like (a+)+, or search for plain text.'
        : 'The regular expression takes too much memory: write it in a simpler way.';
    return { ok: false, kind: 'unusable', message };
  }
  const { files, matches, notText, hasMore } = ended.collector;
  const next = hasMore && { nextOffset: offset + matches };
  const { unreadable } = tally;
  const page = { path, ...next, isCut: pace.isOver && !hasMore, unreadable };
  return { ok: true, value: { ...page, files, matches, notText } };
}
