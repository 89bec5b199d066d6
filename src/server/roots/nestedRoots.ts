import { readlinkSync } from 'node:fs';
import { isAbsolute, join, parse, sep } from 'node:path';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import { PathScope, type ScopeRoot } from '../../domain/paths/pathScope.ts';

/** A root that is pinned to a folder: its path as named, and the folder's real path. */
export interface TakenRoot extends Pick<ScopeRoot, 'announced' | 'real'> {
  /** The result of {@link wayTo} at the time of pinning. Later, the root's disk may not answer. */
  readonly way: readonly string[];
}

/**
 * Returns the roots that must give no access: a link in another root leads out of that root to
 * them, and a server may have put the link there. They must give no access even if the link is gone
 * now. Leaves out a root whose folder also lies in a root that no such link leads to.
 */
export function misledRoots<R extends TakenRoot>(
  roots: readonly R[],
  platform: PathPlatform,
): ReadonlySet<R> {
  const all = scopeOf(roots, platform);
  const bound = new Set(roots.filter(root => isBound(root, all)));
  const free = scopeOf(
    roots.filter(root => !bound.has(root)),
    platform,
  );
  return new Set([...bound].filter(({ real }) => !free.findReal(real)));
}

/** Whether a link on the way to a root, or the end of the way, lies in another root. */
function isBound(root: TakenRoot, all: PathScope): boolean {
  // This is quick for most roots, because they lie beside each other, without links between them.
  return root.way.some(step =>
    all
      .findAll(step)
      .some(
        ({ announced, real }) => announced !== root.announced && ![announced, real].includes(step),
      ),
  );
}

/**
 * Ignores letter case on Windows and macOS, even on volumes where letter case counts, because the
 * way to a root may cross volumes. At worst, one root too many is left out.
 */
function scopeOf(roots: readonly TakenRoot[], platform: PathPlatform) {
  return new PathScope(
    roots.map(({ announced, real }) => ({ announced, real, foldsCase: platform !== 'linux' })),
    platform,
  );
}

/** The most links in one path. Linux has the same limit. */
const mostLinks = 40;

/**
 * Follows a path link by link. Returns the path of each link, in its real folder, and then the end.
 * Stops at the first step for which `isBarred` is true. This step is the end, and is not looked at.
 */
export function wayTo(
  path: string,
  isBarred: (step: string) => boolean = () => false,
): readonly string[] {
  const { root } = parse(path);
  const links: string[] = [];
  let real = root;
  let rest = namesOf(path.slice(root.length));
  while (rest.length > 0 && links.length < mostLinks) {
    const [name = '', ...after] = rest;
    const next = join(real, name);
    if (isBarred(next)) {
      return [...links, next];
    }
    const text = linkAt(next);
    if (text === undefined) {
      real = next;
      rest = after;
    } else {
      links.push(next);
      const start = isAbsolute(text) ? parse(text).root : '';
      real = start || real;
      rest = [...namesOf(text.slice(start.length)), ...after];
    }
  }
  return [...links, real];
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // The path is not a link, or does not exist.
  }
}

function namesOf(path: string): string[] {
  return path.split(sep === '\\' ? /[\\/]/ : '/').filter(name => name !== '' && name !== '.');
}
