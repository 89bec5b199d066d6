import { TimeSlice } from '../../base/timeSlice.ts';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import { type DirectoryEntry, entriesIn } from '../listing/entries.ts';
import { infoInside } from '../paths/infoInside.ts';
import { inFolderInside } from '../paths/openInside.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import type { LongCall } from '../runningCall.ts';

/** The URI template of a file or folder in a root, by its path without the first slash. */
export const pathTemplate = 'file:///{+path}';

/** Completions of `path` in the template. */
export type PathCompletion = {
  /** At most 100, sorted; folders end in a slash. */
  readonly values: string[];
  readonly total: number;
  readonly hasMore: boolean;
};

/**
 * The roots and what they hold, as far as it goes on from what was typed: a whole path, or one
 * that is relative to any root. What lies outside is not looked at.
 * @throws the reason of the call's signal, when that is aborted.
 */
export async function completePath(
  typed: string,
  { scope, signal }: Omit<LongCall, 'progress'>,
): Promise<PathCompletion> {
  const slice = new TimeSlice(signal);
  const found = new Set<string>();
  for (const root of scope.inPlace()) {
    for await (const value of valuesIn(root, typed.replace(/^\/+/, ''), { scope, slice })) {
      found.add(value);
    }
  }
  const values = [...found].sort();
  return { values: values.slice(0, most), total: values.length, hasMore: values.length > most };
}

/** No answer may have more, by the specification. */
const most = 100;

async function* valuesIn(
  root: RootFolder,
  typed: string,
  { scope, slice }: { readonly scope: PathScope<RootFolder>; readonly slice: TimeSlice },
): AsyncGenerator<string> {
  const top = variableFor(root, scope.platform);
  if (top === undefined) {
    return;
  }
  if (top.startsWith(typed) && top !== typed) {
    yield top;
  }
  const rest = typed.startsWith(top) ? typed.slice(top.length) : typed;
  const folder = rest.slice(0, rest.lastIndexOf('/') + 1);
  for (const entry of entriesBelow(scope, root, folder)) {
    if (slice.isSpent) {
      await slice.pause();
    }
    const isMeant = entry.name.startsWith(rest.slice(folder.length)) && isExpandable(entry.name);
    const type = isMeant && typeBehind(entry, pathIn(root, folder + entry.name), scope);
    if (type) {
      yield `${top}${folder}${entry.name}${type === 'directory' ? '/' : ''}`;
    }
  }
}

/** The completion for a root; empty for one that the template can't name. */
function variableFor({ announced }: RootFolder, platform: PathPlatform): string | undefined {
  const isWindows = platform === 'win32';
  const path = isWindows ? announced.replaceAll('\\', '/') : announced;
  const isOtherMachine = path.startsWith('//');
  const top = path.endsWith('/') ? path : `${path}/`;
  return isOtherMachine || !isExpandable(top) ? undefined : top.slice(isWindows ? 0 : 1);
}

function entriesBelow(
  scope: PathScope<RootFolder>,
  root: RootFolder,
  folder: string,
): readonly DirectoryEntry[] {
  const isPlain = !folder.split('/').some(name => name === '.' || name === '..');
  const found = isPlain ? inFolderInside(scope, pathIn(root, folder), entriesIn) : undefined;
  return found?.ok ? found.value : [];
}

function pathIn({ announced }: RootFolder, below: string): string {
  return `${announced}/${below}`;
}

/** Clients expand the template by leaving `#` and `?` as they are, which then end the path. */
function isExpandable(value: string): boolean {
  return !/[#?]/.test(value);
}

/** A link counts as what it leads to, if that is in a root. */
function typeBehind(
  { type }: DirectoryEntry,
  path: string,
  scope: PathScope<RootFolder>,
): 'file' | 'directory' | undefined {
  if (type === 'link') {
    const found = infoInside(scope, path);
    const stats = found.ok ? found.value.stats : undefined;
    return stats?.isDirectory() ? 'directory' : stats?.isFile() ? 'file' : undefined;
  }
  return type === 'file' || type === 'directory' ? type : undefined;
}
