import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { canonicalStart, parsePath } from '../../domain/paths/pathInput.ts';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import { PathScope, type ScopeRoot } from '../../domain/paths/pathScope.ts';
import { isFileUri } from '../../domain/paths/pathUri.ts';

/** A root that names an existing folder, with what it takes to recognise that folder again. */
export interface RootFolder extends ScopeRoot {
  /** As it was sent or given. */
  readonly uri: string;
  readonly device: bigint;
  readonly inode: bigint;
}

/** A root that gives access to nothing, and why. */
export interface SkippedRoot {
  readonly uri: string;
  readonly reason: string;
}

/** A client's roots, prepared once for each change of them. */
export interface RootFolders {
  readonly scope: PathScope<RootFolder>;
  readonly skipped: readonly SkippedRoot[];
}

/** No access. */
export function noRootFolders(platform: PathPlatform): RootFolders {
  return { scope: new PathScope<RootFolder>([], platform), skipped: [] };
}

/** Turns what a client sent as its roots into folders. Never throws: what is no folder is skipped. */
export function prepareRootFolders(
  entries: readonly unknown[],
  platform: PathPlatform,
): RootFolders {
  const roots: RootFolder[] = [];
  const skipped: SkippedRoot[] = [];
  for (const entry of entries) {
    const { uri, name } = rootEntry(entry);
    const prepared = prepare(uri, platform);
    if ('reason' in prepared) {
      skipped.push({ uri: String(uri ?? ''), reason: prepared.reason });
    } else {
      roots.push({ ...prepared, ...(typeof name === 'string' && { name }) });
    }
  }
  return { scope: new PathScope(roots, platform), skipped };
}

/** Whether each root is still the folder it was when it was prepared. */
export function areUnmoved({ scope }: RootFolders): boolean {
  return scope.roots.every(root => isAt(root.real, root));
}

/** Whether the same entries would be prepared to the same folders now. */
export function areAsPrepared({ scope, skipped }: RootFolders): boolean {
  return (
    skipped.length === 0 &&
    scope.roots.every(
      // A link may lead to another folder, and a folder may be elsewhere that a link still leads to.
      root => isAt(root.real, root) && (root.announced === root.real || isAt(root.announced, root)),
    )
  );
}

function isAt(path: string, { device, inode }: RootFolder): boolean {
  try {
    const now = statSync(path, { bigint: true });
    return now.dev === device && now.ino === inode;
  } catch {
    return false;
  }
}

/** Whether each folder of `before` is among those of `now`, as the very same folder. */
export function areAmong(before: RootFolders, now: RootFolders): boolean {
  const identity = ({ device, inode }: RootFolder) => `${device} ${inode}`;
  const folders = new Map(now.scope.roots.map(root => [root.real, identity(root)]));
  return before.scope.roots.every(root => folders.get(root.real) === identity(root));
}

function rootEntry(entry: unknown): { readonly uri?: unknown; readonly name?: unknown } {
  return typeof entry === 'object' && entry !== null ? entry : {};
}

function prepare(uri: unknown, platform: PathPlatform): RootFolder | { readonly reason: string } {
  if (typeof uri !== 'string' || !isFileUri(uri)) {
    return { reason: 'It is not a file: URI.' };
  }
  const parsed = parsePath(uri, platform);
  if (!parsed.ok) {
    return parsed;
  }
  const announced = parsed.path;
  try {
    const real = canonicalStart(realpathSync.native(announced), platform);
    const stats = statSync(real, { bigint: true });
    if (!stats.isDirectory()) {
      return { reason: 'It is not a folder.' };
    }
    if ([announced, real].some(path => /^\/proc(\/|$)/.test(path))) {
      // `/proc/self/cwd` is another folder for each process, `/dev/fd` holds the server's own files.
      return { reason: 'It does not name the same folder for every process.' };
    }
    const foldsCase = platform === 'win32' || (platform === 'darwin' && isFoldingCase(real));
    return { uri, announced, real, foldsCase, device: stats.dev, inode: stats.ino };
  } catch (error) {
    return { reason: diskReason(error) };
  }
}

/** Whether the folder is found under its own name in the other letter case. */
function isFoldingCase(real: string): boolean {
  const other = join(dirname(real), swapCase(basename(real)));
  const [a, b] = [real, other].map(path => statSync(path, { throwIfNoEntry: false }));
  return other !== real && a?.ino === b?.ino && a?.dev === b?.dev;
}

function swapCase(name: string): string {
  return name.replace(/[a-z]|[A-Z]/g, letter => {
    return letter < 'a' ? letter.toLowerCase() : letter.toUpperCase();
  });
}

function diskReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? 'It does not exist.'
    : `It cannot be read (${code}).`;
}
