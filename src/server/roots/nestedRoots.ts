import { readlinkSync } from 'node:fs';
import { isAbsolute, join, parse, sep } from 'node:path';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import { PathScope, type ScopeRoot } from '../../domain/paths/pathScope.ts';

/** A root as it is taken, by its path and the path to which that leads. */
export interface TakenRoot extends Pick<ScopeRoot, 'announced' | 'real'> {
  /** {@link wayTo} it at that time: its disk may not answer by now. */
  readonly way: readonly string[];
}

/**
 * The roots that must not be taken with the others: the way to them goes through another root, where
 * a server may have put a link, and leads to what no other root reaches. A folder within a
 * root is reached through that, or not at all. Nor is it where a link was there when it was taken, and is
 * gone by now.
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

/** Whether a link on the way to a root, or the end of that way, lies in another one. */
function isBound(root: TakenRoot, all: PathScope): boolean {
  // Most roots lie beside each other, and are reached by no link of any of them.
  return root.way.some(step =>
    all
      .findAll(step)
      .some(
        ({ announced, real }) => announced !== root.announced && ![announced, real].includes(step),
      ),
  );
}

/**
 * Not as the volume of each root has it: the way to another root may be spelled in any letter case,
 * and lead over other volumes. At worst, a root more is left out.
 */
function scopeOf(roots: readonly TakenRoot[], platform: PathPlatform) {
  return new PathScope(
    roots.map(({ announced, real }) => ({ announced, real, foldsCase: platform !== 'linux' })),
    platform,
  );
}

/** As many as Linux follows in one path. */
const mostLinks = 40;

/**
 * The links that are followed on the way to a path: where each is, by its real folder; and its end, or
 * the first step that is not to be taken: what is there is not looked at.
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
    return undefined; // It is no link, or is not there.
  }
}

function namesOf(path: string): string[] {
  return path.split(sep === '\\' ? /[\\/]/ : '/').filter(name => name !== '' && name !== '.');
}
