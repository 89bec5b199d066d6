import { expandBraces } from '../../domain/glob/braces.ts';
import type { Pace } from './pace.ts';
import type { Place, Territory } from './territory.ts';

/**
 * The globs that keep ripgrep to the files that match `include`, as far as they mean the same to
 * it; otherwise none, so that it searches all. It may search more than is wanted, never less.
 */
export function ripgrepGlobs(include: readonly string[]): readonly string[] {
  const globs = include.flatMap(glob => expandBraces(glob, 100) ?? [glob]);
  return globs.every(isPlain) ? globs.flatMap(globAndBelow) : [];
}

/** Names of letters, digits, and a few characters without a meaning, with `*` and `**`. */
function isPlain(glob: string): boolean {
  return /^\/?(?:(?:\*\*|(?:\*?[\w.@+-])+\*?|\*)\/)*(?:\*\*|(?:\*?[\w.@+-])+\*?|\*)\/?$/.test(glob);
}

/** What a glob covers is all that lies in a folder that it matches. */
function globAndBelow(glob: string): readonly string[] {
  const path = glob.replace(/^\.\//, '').replace(/\/$/, '');
  const below = path.includes('/') ? `${path}/**` : `**/${path}/**`;
  return glob.endsWith('/') ? [below] : [path, below];
}

/**
 * The globs that keep ripgrep out of folders that are not wanted, most of all what is ignored and
 * large, like `node_modules`. Those near the searched folder are found in a moment; in what lies
 * deeper it may look in vain.
 */
export async function globsAgainst(territory: Territory, pace: Pace): Promise<readonly string[]> {
  const unwanted: string[] = [];
  const ahead: Place[] = [territory.start()];
  const end = performance.now() + scoutingTime;
  for (let place = ahead.shift(); place && performance.now() < end; place = ahead.shift()) {
    const content = territory.tree.list(place.names);
    const { names, rules } = content ? territory.inside(place, content.marks) : place;
    for (const name of content?.folders ?? []) {
      const path = [...names, name];
      if (territory.wantsFolder(path, rules)) {
        ahead.push({ names: path, rules });
      } else {
        unwanted.push(path.slice(territory.wanted.folder.length).join('/'));
      }
    }
    if (pace.isSpent) {
      await pace.pause();
    }
  }
  return unwanted
    .filter(path => /^[\w.@+/-]+$/.test(path))
    .slice(0, maxUnwanted)
    .map(path => `!/${path}`);
}

/** In milliseconds. */
const scoutingTime = 5;
/** A command line has a limit. */
const maxUnwanted = 100;
