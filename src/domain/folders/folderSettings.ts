import { posix, win32 } from 'node:path';
import { readGlobs } from '../glob/glob.ts';
import { parsePath } from '../paths/pathInput.ts';
import { foldName } from '../paths/pathKey.ts';
import type { PathPlatform } from '../paths/pathNames.ts';
import { sentence } from '../sentence.ts';
import { type Mistake, plainMistake } from '../settings/mistakes.ts';

export interface PathContext {
  readonly home: string;
  readonly platform: PathPlatform;
}

/** The paths that a setting lists, absolute and normalized, and the mistakes in other entries. */
export interface ReadPaths {
  readonly paths: readonly string[];
  /** The mistakes, each with the index of its entry. */
  readonly problems: readonly Mistake[];
}

export interface ReadExclusion {
  readonly isExcluded: (path: string) => boolean;
  /** The mistakes, each with the index of its entry. */
  readonly problems: readonly Mistake[];
}

/**
 * Reads the setting `id`, a list of paths that are absolute or start at the user's home (`~`). On
 * Windows, `/` stays as written, because it means the root of every drive.
 */
export function readPaths(id: string, value: unknown, context: PathContext): ReadPaths {
  const problem =
    'The setting {0} holds "{1}", which is ignored. Write an absolute path, or a path that starts with "~/".';
  const { read, problems } = readList(id, value, problem, text => absolutePath(text, context));
  return { paths: read, problems };
}

/**
 * Reads the paths that are never exposed. If an entry has a mistake, the default paths are
 * forbidden as well, so that a typo opens no default path. Our own files are always forbidden,
 * because they prove to a window who its clients are.
 */
export function readForbidden(
  id: string,
  { value, fallback }: { readonly value: unknown; readonly fallback: unknown },
  context: PathContext,
): ReadPaths {
  const { paths, problems } = readPaths(id, value, context);
  const defaults = problems.length > 0 ? readPaths(id, fallback, context).paths : [];
  const own = readPaths(id, ['~/.mcp-roots'], context).paths;
  return { paths: [...new Set([...paths, ...defaults, ...own])], problems };
}

/** Reads the setting `id`, a list of globs for whole paths. A match also excludes all below it. */
export function readExclusion(id: string, value: unknown, context: PathContext): ReadExclusion {
  const problem =
    'The setting {0} holds "{1}", which excludes nothing. Start the glob with "**/", "~/" or the root of the disk.';
  const { read, problems } = readList(id, value, problem, text => readGlob(text, context));
  return {
    isExcluded: path => {
      const names = namesOf(path, context.platform);
      return read.some(glob => glob.matches(names, 0));
    },
    problems,
  };
}

/** Returns the absolute path that `text` means; `undefined` if it means none. */
export function absolutePath(text: string, { home, platform }: PathContext): string | undefined {
  const rules = platform === 'win32' ? win32 : posix;
  if (platform === 'win32' && /^[\\/]$/.test(text)) {
    return rules.sep;
  }
  const isAtHome = /^~(?:$|[\\/])/.test(text) && (platform === 'win32' || !text.startsWith('~\\'));
  const read = parsePath(isAtHome ? rules.join(home, text.slice(1)) : text, platform);
  return read.ok ? withoutEnd(read.path, rules) : undefined;
}

function withoutEnd(path: string, { parse, sep }: typeof posix): string {
  return path.endsWith(sep) && path !== parse(path).root ? path.slice(0, -1) : path;
}

/** Reads each text of a list by `readOne`. A text that `readOne` can't read is a problem. */
function readList<T>(
  id: string,
  value: unknown,
  problem: string,
  readOne: (text: string) => T | undefined,
): { readonly read: readonly T[]; readonly problems: readonly Mistake[] } {
  const read: T[] = [];
  const problems: Mistake[] = [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const noText = list.findIndex(entry => typeof entry !== 'string');
  if (!Array.isArray(value) || noText >= 0) {
    const noList = 'The setting {0} must be a list of texts. Other values in the list are ignored.';
    problems.push(plainMistake(noText < 0 ? [] : [noText], sentence(noList, id)));
  }
  for (const [index, text] of list.entries()) {
    if (typeof text === 'string') {
      const one = readOne(text);
      if (one === undefined) {
        problems.push(plainMistake([index], sentence(problem, id, text)));
      } else {
        read.push(one);
      }
    }
  }
  return { read, problems };
}

function readGlob(text: string, { home, platform }: PathContext) {
  const slashed = platform === 'win32' ? text.replaceAll('\\', '/') : text;
  const isAtHome = /^~(?:$|\/)/.test(slashed);
  const whole = isAtHome ? literalGlob(home, platform) + slashed.slice(1) : slashed;
  // The path of a network share starts with two slashes.
  const glob = foldName(platform === 'win32' ? whole.replace(/^\/\//, '/') : whole, platform);
  const isWhole = platform === 'win32' ? /^(?:\*\*|[a-z]:)?\/./ : /^(?:\*\*)?\/./;
  const read = isWhole.test(glob) ? readGlobs([glob], 'entry-and-below') : undefined;
  return read?.ok ? read.glob : undefined;
}

function literalGlob(path: string, platform: PathPlatform): string {
  const slashed = platform === 'win32' ? path.replaceAll('\\', '/') : path;
  return slashed.replace(/[\\*?[\]{}!]/g, '\\$&');
}

function namesOf(path: string, platform: PathPlatform): readonly string[] {
  const names = foldName(path, platform).split(platform === 'win32' ? /[\\/]/ : '/');
  return names.filter(name => name !== '');
}
