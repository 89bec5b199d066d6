import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from '../../base/messageOf.ts';
import { canonicalStart } from '../../domain/paths/pathInput.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import { diskFailed, invalid, type Outcome, outside, silentDisk, unusable } from './refusal.ts';

/** The real place of a path in a root, with all links followed. The place may change: see `openInside`. */
export interface Located {
  readonly root: RootFolder;
  /** The path with all links resolved. Missing parts keep the names that the caller gave. */
  readonly real: string;
  readonly exists: boolean;
  /** The deepest existing path at or above `real`, with all links followed. */
  readonly there: string;
}

/** Finds where a client's path leads. If the path as written is outside the roots, no file is touched. */
export function locate(scope: PathScope<RootFolder>, input: unknown): Outcome<Located> {
  const parsed = scope.parse(input);
  if (!parsed.ok || typeof input !== 'string') {
    return invalid(input, parsed.ok ? '' : parsed.reason);
  }
  return locatePath(scope, parsed.path, input);
}

/** Locates a path that was parsed from `input`, or that was reached by following `input`. */
export function locatePath(
  scope: PathScope<RootFolder>,
  path: string,
  input: string,
): Outcome<Located> {
  const end = follow({ scope, linksLeft: 40 }, path);
  switch (end.kind) {
    case 'inside':
      return { ok: true, value: end };
    case 'outside':
      return outside(input, scope);
    case 'unusable':
      return unusable(input, end.reason);
  }
}

interface PathWalk {
  readonly scope: PathScope<RootFolder>;
  /** How many more links may be followed. One walk has one limit, because links can multiply. */
  linksLeft: number;
}

type WalkEnd =
  | (Located & { readonly kind: 'inside' })
  | { readonly kind: 'outside' }
  | { readonly kind: 'unusable'; readonly reason: string };

function follow(walk: PathWalk, path: string): WalkEnd {
  const silent = walk.scope.find(path)?.silentOn(path);
  if (!walk.scope.find(silent ?? path)) {
    return { kind: 'outside' };
  }
  if (silent !== undefined) {
    return { kind: 'unusable', reason: silentDisk };
  }
  try {
    return settle(walk, realpathSync.native(path));
  } catch (error) {
    return followParent(walk, path, error);
  }
}

/** @param there the last existing part of the path. Absent: the whole path exists. */
function settle({ scope }: PathWalk, path: string, there?: string): WalkEnd {
  const real = canonicalStart(path, scope.platform);
  const root = scope.findReal(real);
  const exists = there === undefined;
  return root ? { kind: 'inside', root, real, exists, there: there ?? real } : { kind: 'outside' };
}

// The system's error may describe a file outside, behind a link. So two checks come before the
// error is used: the folder is inside, and its entry is not a link that leads out.
function followParent(walk: PathWalk, path: string, error: unknown): WalkEnd {
  const folder = dirname(path);
  const parent = folder === path ? unreadable(error) : follow(walk, folder);
  if (parent.kind !== 'inside') {
    return parent;
  }
  const leaf = join(parent.real, basename(path));
  if (!parent.exists) {
    return settle(walk, leaf, parent.there);
  }
  try {
    const stats = lstatSync(leaf, { throwIfNoEntry: false });
    if (!stats) {
      return settle(walk, leaf, parent.real);
    }
    return stats.isSymbolicLink() ? followLink(walk, leaf) : unreadable(error);
  } catch (leafError) {
    return unreadable(leafError);
  }
}

function followLink(walk: PathWalk, link: string): WalkEnd {
  walk.linksLeft -= 1;
  if (walk.linksLeft < 0) {
    return { kind: 'unusable', reason: 'The links in the path lead in a circle.' };
  }
  return follow(walk, resolve(dirname(link), readlinkSync(link)));
}

function unreadable(error: unknown): WalkEnd {
  switch (codeOf(error)) {
    case 'ENOTDIR':
      return { kind: 'unusable', reason: 'A part of the path is a file, not a folder.' };
    case 'EIO':
      return { kind: 'unusable', reason: diskFailed };
    case 'ENAMETOOLONG':
      return { kind: 'unusable', reason: 'The path is too long for this system.' };
    default:
      return {
        kind: 'unusable',
        reason: 'The system does not let the server read the path, or the path is changing.',
      };
  }
}
