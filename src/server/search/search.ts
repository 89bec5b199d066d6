import { closeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { TimeSlice } from '../../base/timeSlice.ts';
import { type GlobReach, readGlobs } from '../../domain/glob/glob.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import { namesBelow } from '../../domain/paths/rootPaths.ts';
import { inFolderInside, openFileInside } from '../paths/openInside.ts';
import type { Outcome } from '../paths/refusal.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import type { LongCall } from '../runningCall.ts';
import { type FolderContent, FolderTree } from './folderTree.ts';
import { SearchFilter, type SearchPlace } from './searchFilter.ts';

/** Where to search, and which part of the answer to return. */
export interface SearchRequest {
  readonly path: string;
  /** The globs, of which a file must match at least one. Empty: all files match. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly includeIgnored: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** The facts on each page of an answer. */
export interface SearchPage extends Record<string, unknown> {
  /** The searched folder. Files in the answer are relative to it, with slashes. */
  readonly path: string;
  /** The offset of the next page. Absent: this page is the last. */
  readonly nextOffset?: number;
  /** Whether the search stopped at its time limit. There may be more matches. */
  readonly isCut: boolean;
  /** The number of files and folders that could not be read. */
  readonly unreadable: number;
  /** The number of files that were not searched, because of their size or encoding. */
  readonly unsearched?: number;
}

/** A search that is about to start. */
export interface Search extends Walk {
  readonly path: string;
  /** The name of the file, if the request names one file instead of a folder. */
  readonly file: string | undefined;
}

/** The longest search, in milliseconds: less than the shortest time that clients allow a call. */
const timeLimit = 30_000;

/** Reads the globs, and opens the start of the search. */
export function prepareSearch(
  request: SearchRequest,
  call: LongCall,
  reach: GlobReach,
): Outcome<Search> {
  const include = readGlobs(request.include, reach);
  const exclude = readGlobs(request.exclude, 'entry');
  if (!include.ok) {
    return { ok: false, kind: 'invalid', message: include.reason };
  }
  if (!exclude.ok) {
    return { ok: false, kind: 'invalid', message: exclude.reason };
  }
  const start = startSearch(call.scope, request.path);
  if (!start.ok) {
    return start;
  }
  const { tree, folder, path, file } = start.value;
  const filter = new SearchFilter(tree, {
    folder,
    include: request.include.length > 0 ? include.glob : undefined,
    exclude: exclude.glob,
    includesIgnored: request.includeIgnored,
  });
  const counts: SearchCounts = { files: 0, unreadable: 0, unsearched: 0 };
  const told = () => call.progress(counts.files, undefined, `${counts.files} files searched`);
  const slice = new TimeSlice(call.signal, { limit: timeLimit, onPause: told });
  return { ok: true, value: { path, filter, file, slice, counts } };
}

/** The start of a search. */
interface SearchStart {
  readonly tree: FolderTree;
  /** The real path of the folder to search, and the names from the root to it. */
  readonly path: string;
  readonly folder: readonly string[];
  /** The name of the file to search, if the input is a file. */
  readonly file: string | undefined;
}

/** Opens the folder or the file to search, if it lies in a root. */
export function startSearch(scope: PathScope<RootFolder>, input: string): Outcome<SearchStart> {
  const folder = inFolderInside(scope, input, ({ path }) => path);
  if (folder.ok) {
    return { ok: true, value: startAt(scope, folder.value) };
  }
  const file = folder.kind === 'unusable' ? openFileInside(scope, input) : folder;
  if (!file.ok) {
    return file;
  }
  const { fd, path } = file.value;
  closeSync(fd);
  return { ok: true, value: startAt(scope, dirname(path), basename(path)) };
}

/** Starts in the outermost root around the path, so that the same ignore files always count. */
function startAt(scope: PathScope<RootFolder>, path: string, file?: string): SearchStart {
  const [root] = scope.findAll(path).toSorted((a, b) => a.real.length - b.real.length);
  const folder = root ? namesBelow(root, path, scope.platform) : [];
  return { tree: new FolderTree(scope, root?.real ?? path), path, folder, file };
}

/** Sorted files of one folder for a search. */
export interface FolderFiles {
  /** The names from the root to the folder. */
  readonly folder: readonly string[];
  readonly files: readonly string[];
}

/** The rules and the counts of a search. */
export interface Walk {
  readonly filter: SearchFilter;
  readonly slice: TimeSlice;
  readonly counts: SearchCounts;
}

/** Counts of a search. */
interface SearchCounts {
  /** Files that were searched, by name or by content. */
  files: number;
  /** Files and folders that the system did not let the server read, or that changed meanwhile. */
  unreadable: number;
  unsearched: number;
}

/**
 * The files that the filter accepts, always in the same order: a folder's files by name, then its
 * folders by name, each with its contents. Ends early when the time is over.
 */
export async function* walk(search: Walk): AsyncGenerator<FolderFiles> {
  const { filter, slice, counts } = search;
  const ahead = [filter.start()];
  for (let place = ahead.pop(); place && !slice.isOver; place = ahead.pop()) {
    await slice.next();
    const content = filter.tree.list(place.names);
    if (!content) {
      counts.unreadable += 1;
      continue;
    }
    const inside = filter.inside(place, content);
    const files = await select(content, inside, search);
    counts.unreadable += content.nameless;
    if (files.files.length > 0) {
      yield { folder: place.names, files: files.files };
    }
    for (const name of files.folders.reverse()) {
      ahead.push({ names: [...place.names, name], rules: inside.rules });
    }
  }
}

/** The entries that the filter accepts, sorted. Works in slices: there may be many entries. */
async function select(
  content: FolderContent,
  { names, rules }: SearchPlace,
  { filter, slice, counts }: Walk,
): Promise<{ readonly files: string[]; readonly folders: string[] }> {
  const path = [...names, ''];
  const only = async (entries: readonly string[], isWanted: () => boolean) => {
    const wanted: string[] = [];
    for (const entry of entries) {
      if (slice.isOver) {
        break;
      }
      path[names.length] = entry;
      if (isWanted()) {
        wanted.push(entry);
      }
      if (slice.isSpent) {
        await slice.pause();
      }
    }
    return wanted.sort();
  };
  const files = await only(content.files, () => {
    counts.files += 1;
    return filter.wantsFile(path, rules);
  });
  const folders = await only(content.folders, () => filter.wantsFolder(path, rules));
  return { files, folders };
}
