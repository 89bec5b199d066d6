import { closeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { TimeSlice } from '../../base/timeSlice.ts';
import { type GlobReach, readGlobs } from '../../domain/glob/glob.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import { inFolderInside, openFileInside } from '../paths/openInside.ts';
import type { Outcome } from '../paths/refusal.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import type { LongCall } from '../runningCall.ts';
import { FolderTree } from './folderTree.ts';
import { SearchFilter } from './searchFilter.ts';
import type { SearchCounts, Walk } from './walk.ts';

/** The place of a search, and the part of the answer to give. */
export interface SearchRequest {
  readonly path: string;
  /** Globs of which a file has to match one; empty for all files. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly includeIgnored: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** The facts of every page of an answer. */
export interface SearchPage extends Record<string, unknown> {
  /** The searched folder. The files in the answer are given relative to it, with slashes. */
  readonly path: string;
  /** The start of the next page, when there is more. */
  readonly nextOffset?: number;
  /** Whether the search took too long and was given up, so that there may be more. */
  readonly isCut: boolean;
  /** The number of files and folders that could not be read. */
  readonly unreadable: number;
}

/** A search that is about to start. */
export interface Search extends Walk {
  readonly path: string;
  /** The name of the only file to search, when that was asked for. */
  readonly file: string | undefined;
}

/** In milliseconds: less than the shortest time that clients give a call. */
const timeLimit = 30_000;

/** Reads what is asked for, and opens where it starts. */
export function prepareSearch(
  request: SearchRequest,
  call: LongCall,
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
  const filter = new SearchFilter(tree, {
    folder,
    include: request.include.length > 0 ? include.glob : undefined,
    exclude: request.exclude.length > 0 ? exclude.glob : undefined,
    includesIgnored: request.includeIgnored,
  });
  const counts: SearchCounts = { files: 0, unreadable: 0 };
  const told = () => call.progress(counts.files, undefined, `${counts.files} files looked at`);
  const slice = new TimeSlice(call.signal, { limit: timeLimit, onPause: told });
  return { ok: true, value: { path, filter, file, slice, counts } };
}

function reasonOf(outcome: ReturnType<typeof readGlobs>): string | undefined {
  return outcome.ok ? undefined : outcome.reason;
}

/** The start of a search. */
interface SearchStart {
  readonly tree: FolderTree;
  /** The real path of the folder to search, and the names from the root to it. */
  readonly path: string;
  readonly folder: readonly string[];
  /** The name of the file in it that is meant, when it is a file. */
  readonly file: string | undefined;
}

/** Opens what is to be searched, a folder or one file, if it lies in a root. */
export function startSearch(scope: PathScope<RootFolder>, input: string): Outcome<SearchStart> {
  const folder = inFolderInside(scope, input, ({ path }) => path);
  if (folder.ok) {
    return { ok: true, value: startAt(scope, folder.value, undefined) };
  }
  const file = folder.kind === 'unusable' ? openFileInside(scope, input) : folder;
  if (!file.ok) {
    return file;
  }
  const { fd, path } = file.value;
  closeSync(fd);
  return { ok: true, value: startAt(scope, dirname(path), basename(path)) };
}

/** Of roots within each other the outermost counts: what is ignored is the same from everywhere. */
function startAt(
  scope: PathScope<RootFolder>,
  path: string,
  file: string | undefined,
): SearchStart {
  const separator = scope.platform === 'win32' ? '\\' : '/';
  const start = (real: string) => (real.endsWith(separator) ? real : real + separator);
  const [root = path] = scope
    .findAll(path)
    .map(({ real }) => real)
    .filter(real => real === path || path.startsWith(start(real)))
    .sort((a, b) => a.length - b.length);
  const below = path === root ? '' : path.slice(start(root).length);
  const folder = below === '' ? [] : below.split(separator);
  return { tree: new FolderTree(scope, root), path, folder, file };
}
