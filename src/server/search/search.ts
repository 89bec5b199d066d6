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
  const counts: SearchCounts = { files: 0, unreadable: 0 };
  const told = () => call.progress(counts.files, undefined, `${counts.files} files looked at`);
  const slice = new TimeSlice(call.signal, { limit: timeLimit, onPause: told });
  return { ok: true, value: { path, filter, file, slice, counts } };
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

/** Of roots within each other the outermost counts: what is ignored is the same from everywhere. */
function startAt(scope: PathScope<RootFolder>, path: string, file?: string): SearchStart {
  const [root] = scope.findAll(path).toSorted((a, b) => a.real.length - b.real.length);
  const folder = root ? namesBelow(root, path, scope.platform) : [];
  return { tree: new FolderTree(scope, root?.real ?? path), path, folder, file };
}

/** Files of one folder that a search looks at, sorted. */
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
  /** Files that were looked at, by name or inside. */
  files: number;
  /** Files and folders that it may not read, or that changed meanwhile. */
  unreadable: number;
}

/**
 * The files that the filter wants, in an order that is always the same: first the files of a folder
 * by name, then its folders by name, each with all that is in it. Ends early when the time is over.
 */
export async function* walk(search: Walk): AsyncGenerator<FolderFiles> {
  const { filter, slice, counts } = search;
  const ahead = [filter.start()];
  for (let place = ahead.pop(); place && !slice.isOver; place = ahead.pop()) {
    if (slice.isSpent) {
      await slice.pause();
    }
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

/** The entries that are wanted, sorted: the folder may be long. */
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
