import { type GlobReach, readGlobs } from '../../domain/glob/glob.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import type { Outcome } from '../paths/refusal.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import { Turns } from '../turns.ts';
import { Pace } from './pace.ts';
import { Ripgrep, ripgrepPlaces } from './ripgrep.ts';
import { startSearch } from './searchStart.ts';
import { Territory } from './territory.ts';
import type { Tally } from './walk.ts';

/** What all searches of a server process share. */
export interface SearchMeans {
  /** Few searches run at a time: each takes a slice of the process before other calls get theirs. */
  readonly turns: Turns;
  readonly ripgrep: Ripgrep;
  /** How long a regular expression may take on some files, in milliseconds, if not as usual. */
  readonly patience?: number;
}

/** The means of a server that was started with this path for ripgrep, with `none`, or without one. */
export function createSearchMeans(ripgrep: string | undefined): SearchMeans {
  const turns = new Turns({ running: 2, waiting: 1000 });
  return { turns, ripgrep: new Ripgrep(ripgrepPlaces(ripgrep)) };
}

/** What a search needs of the call that asks for it. */
export interface SearchCall {
  readonly scope: PathScope<RootFolder>;
  readonly signal: AbortSignal;
  progress(done: number, total?: number, message?: string): void;
}

/** Where to search, and for which part of the answer. */
export interface SearchRequest {
  readonly path: string;
  /** Globs of which a file has to match one; empty for all files. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly includeIgnored: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** What is said of every page of an answer. */
export interface SearchPage extends Record<string, unknown> {
  /** The searched folder. The files in the answer are given relative to it, with slashes. */
  readonly path: string;
  /** Where the next page starts, when there is more. */
  readonly nextOffset?: number;
  /** Whether the search took too long and was given up, so that there may be more. */
  readonly isCut: boolean;
  /** How many files and folders could not be read. */
  readonly unreadable: number;
}

/** A search that is about to start. */
export interface Search {
  readonly path: string;
  readonly territory: Territory;
  /** The name of the only file to search, when that was asked for. */
  readonly file: string | undefined;
  readonly pace: Pace;
  readonly tally: Tally;
}

/** In milliseconds: less than the shortest time that clients give a call. */
export const timeLimit = 30_000;

/** Reads what is asked for, and opens where it starts. */
export function prepareSearch(
  request: SearchRequest,
  call: SearchCall,
  reach: GlobReach,
): Outcome<Search> {
  const include = readGlobs(request.include, reach);
  const exclude = readGlobs(request.exclude, 'entry');
  if (!include.ok || !exclude.ok) {
    return { ok: false, kind: 'invalid', message: reasonOf(include) ?? reasonOf(exclude) ?? '' };
  }
  const start = startSearch(call.scope, request.path);
  if (!start.ok) {
    return start;
  }
  const { tree, folder, path, file } = start.value;
  const territory = new Territory(tree, {
    folder,
    include: request.include.length > 0 ? include.glob : undefined,
    exclude: request.exclude.length > 0 ? exclude.glob : undefined,
    includesIgnored: request.includeIgnored,
  });
  const tally: Tally = { files: 0, unreadable: 0 };
  const told = () => call.progress(tally.files, undefined, `${tally.files} files looked at`);
  const pace = new Pace(call.signal, timeLimit, told);
  return { ok: true, value: { path, territory, file, pace, tally } };
}

function reasonOf(outcome: ReturnType<typeof readGlobs>): string | undefined {
  return outcome.ok ? undefined : outcome.reason;
}
