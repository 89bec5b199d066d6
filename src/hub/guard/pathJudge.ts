import { accessSync, constants, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, parse, posix, relative, sep, win32 } from 'node:path';
import { codeOf } from '../../base/messageOf.ts';
import type { FoundPath } from '../../domain/guard/argumentPaths.ts';
import type { Rules } from '../../domain/guard/guardRules.ts';
import { climbs, pathStart } from '../../domain/guard/localPath.ts';
import { isFileUri } from '../../domain/paths/fileUri.ts';
import { parsePath } from '../../domain/paths/pathInput.ts';
import { foldName } from '../../domain/paths/pathKey.ts';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import { namesBelow } from '../../domain/paths/rootPaths.ts';
import { locatePath } from '../../server/paths/locate.ts';
import type { RootFolder } from '../../server/roots/rootFolders.ts';

/** The terms by which paths are judged. */
export interface Judging {
  readonly rules: Rules;
  readonly scope: PathScope<RootFolder>;
  /** The folders that relative paths may start in; a path has to be inside from every one. */
  readonly bases: readonly string[];
  readonly disk: GuardDisk;
  /** Whether the tool says that it only reads (`readOnlyHint`): it makes nothing that is not there. */
  readonly isReadOnly?: boolean;
}

type Judgement =
  | {
      readonly ok: true;
      /** The real path; `undefined` when there is none, or nothing says that it is a path. */
      readonly real: string | undefined;
    }
  | PathRefusal;

export interface PathRefusal {
  readonly ok: false;
  /** As far as it can be said. */
  readonly canonical: string | undefined;
  /** Finished sentences; empty when there is no more to say than that it is outside. */
  readonly reason: string;
  /** Whether a rule of the configuration says so, and not that the path is outside: no remedy then. */
  readonly isByRule?: true;
}

/**
 * Judges a path that was found in arguments, as it would be read from each folder that it may start
 * in. One that leads nowhere passes: it can neither be read nor made.
 */
export function judgePath(judging: Judging, { kind, text }: FoundPath): Judgement {
  const { platform } = judging.scope;
  if (/^(?:\/dev\/null|nul)$/i.test(text)) {
    return nowhere;
  }
  let first: Judgement | undefined;
  // A backslash is a separator for programs that were made on Windows.
  const isTurned = platform !== 'win32' && text.includes('\\') && climbs(text);
  for (const spelling of isTurned ? [text, text.replaceAll('\\', '/')] : [text]) {
    for (const base of startsOf(judging, spelling)) {
      const judgement =
        kind === 'named'
          ? judgeNamed(judging, base, spelling)
          : judgeWritten(judging, base, spelling);
      if (!judgement.ok) {
        return judgement;
      }
      first ??= judgement;
    }
  }
  return first ?? nowhere;
}

const nowhere: Judgement = { ok: true, real: undefined };

/** An absolute path is the same from every folder. */
function startsOf({ scope, bases }: Judging, text: string): readonly (string | undefined)[] {
  const isWhole = scope.platform === 'win32' ? /^(?:file:|[a-z]:)/i : /^(?:\/|file:)/i;
  const starts = isWhole.test(text) ? bases.slice(0, 1) : bases;
  return starts.length > 0 ? starts : [undefined];
}

function judgeNamed(judging: Judging, base: string | undefined, text: string): Judgement {
  const { platform } = judging.scope;
  const parsed = parsePath(asWritten(text, platform), platform, base);
  if (!parsed.ok || isElsewhere(text, platform)) {
    return { ok: false, canonical: undefined, reason: parsed.ok ? '' : parsed.reason };
  }
  const { path } = parsed;
  if (judging.scope.find(path)) {
    return judgeInside(judging, path, base, { text, kind: 'named' });
  }
  const { isFirstThere, isThere, canBeMade } = judging.disk;
  const isMade = () => judging.isReadOnly !== true && canBeMade(path);
  const leadsSomewhere =
    climbs(text) || isFileUri(text) || isFirstThere(path) || isThere(path) || isMade();
  return leadsSomewhere ? { ok: false, canonical: path, reason: '' } : nowhere;
}

/**
 * A name with a colon is relative, and no URI: `Makefile:12`. Globs have signs that Windows
 * forbids.
 */
function asWritten(text: string, platform: Judging['scope']['platform']): string {
  if (platform !== 'win32') {
    return /^(?!file:)[\w.+-]+:/i.test(text) ? `./${text}` : text;
  }
  return /^[\\/]{2}[?.]|^[\\/]\?\?|^file:/i.test(text) ? text : text.replace(/[*?]/g, 'x');
}

/**
 * Whether it is in the notation of another system, or in the home folder of a user. An encoded
 * backslash is a separator elsewhere.
 */
function isElsewhere(text: string, platform: Judging['scope']['platform']): boolean {
  const start = pathStart(text);
  const isTurned = isFileUri(text) && /%5c/i.test(text);
  return start === 'home' || isTurned || (start === 'drive' && platform !== 'win32');
}

function judgeWritten(judging: Judging, base: string | undefined, text: string): Judgement {
  const { platform } = judging.scope;
  const start = pathStart(text);
  const isWhole = start === 'drive' || (platform === 'win32' && driveRelative.test(text));
  if (isFileUri(text) || isElsewhere(text, platform) || isWhole) {
    return judgeNamed(judging, base, text);
  }
  if (base === undefined && start === undefined) {
    return climbs(text) ? { ok: false, canonical: undefined, reason: '' } : nowhere;
  }
  const path = (platform === 'win32' ? win32 : posix).resolve(
    base ?? '/',
    start === undefined ? `./${text}` : text,
  );
  const root = judging.scope.find(path);
  if (!root) {
    const leadsSomewhere = start === undefined ? climbs(text) : judging.disk.isFirstThere(path);
    return leadsSomewhere ? { ok: false, canonical: path, reason: '' } : nowhere;
  }
  const first = firstOf(path, base);
  const isMeant = start !== undefined || climbs(text) || root.silentOn(first) !== undefined;
  return isMeant || judging.disk.isThere(first)
    ? judgeInside(judging, path, base, { text, kind: 'written' })
    : nowhere;
}

/** Relative to the folder that a process works in on that drive. */
const driveRelative = /^[a-z]:[^\s:\\/]+[\\/]/i;

/**
 * The path up to its first name below `base`. If nothing is there, no link can lead the path
 * elsewhere.
 */
function firstOf(path: string, base: string | undefined): string {
  const start = base === undefined || !path.startsWith(base) ? 0 : base.length + 1;
  const end = path.slice(start).search(/[\\/]/);
  return end < 0 ? path : path.slice(0, start + end);
}

/** Judges a path that is inside as it is written, by the rules and by where it leads. */
function judgeInside(
  judging: Judging,
  path: string,
  base: string | undefined,
  { text, kind }: Pick<FoundPath, 'text' | 'kind'>,
): Judgement {
  const { rules, scope, disk } = judging;
  // Where nothing says that a text is a path, it need not be among those that are allowed.
  const ruling = kind === 'named' ? rules : { ...rules, allow: [] };
  const located = disk.locate(scope, path, text);
  if (!located.ok) {
    return kind === 'named' || located.kind === 'outside'
      ? { ok: false, canonical: path, reason: globRuling(rules, path, scope) ?? '' }
      : nowhere;
  }
  const { real } = located.value;
  const reason = globRuling(ruling, path, scope) ?? globRuling(ruling, real, scope);
  if (reason !== undefined) {
    return { ok: false, canonical: path, reason, isByRule: true };
  }
  if (climbs(text) && scope.platform !== 'win32' && !isFileUri(text)) {
    const whole = text.startsWith('/') ? text : `${base ?? ''}/${text}`;
    const kernel = located.value.root.silentOn(whole) ?? disk.kernelPath(whole);
    if (kernel !== undefined && !disk.locate(scope, kernel, text).ok) {
      return { ok: false, canonical: kernel, reason: '' };
    }
  }
  return { ok: true, real: kind === 'named' || located.value.exists ? real : undefined };
}

/** The reasons when the globs of the configuration refuse a path in the roots. */
const globReasons = {
  deny: 'The "deny" globs in the configuration of the hub leave it out.',
  allow: 'The "allow" globs in the configuration of the hub do not name it.',
} as const;

/**
 * Why the globs of the configuration refuse a path in the roots; `undefined`: they do not. With
 * nested roots, globs are matched below each: a `deny` match below any root forbids; each `allow`
 * needs a match below at least one.
 */
function globRuling(rules: Rules, path: string, scope: PathScope): string | undefined {
  if (rules.allow.length === 0 && rules.deny.length === 0) {
    return undefined;
  }
  const { platform } = scope;
  const names = scope
    .findAll(path)
    .flatMap(root => spellings(namesBelow(root, path, platform), platform));
  if (rules.deny.some(glob => names.some(spelling => glob.matches(spelling, 0)))) {
    return globReasons.deny;
  }
  const isAllowed = rules.allow.every(glob =>
    // A folder may be used when all that can be in it may be.
    names.some(spelling => glob.matches(spelling, 0) || glob.matches([...spelling, anyName], 0)),
  );
  return isAllowed ? undefined : globReasons.allow;
}

/** Stands for any entry of a folder: a name nobody writes a glob for. */
const anyName = '\uffff'.repeat(4);

/** The names as globs are held against them: in other letter cases, too, where the file system folds these. */
function spellings(
  names: readonly string[],
  platform: PathPlatform,
): readonly (readonly string[])[] {
  if (platform === 'linux') {
    return [names];
  }
  const folded = names.map(name => foldName(name.replace(ignored, ''), platform));
  return [names, folded, folded.map(name => name.toUpperCase())];
}

/** Characters of a name that macOS passes over when it looks for a file. */
const ignored = /\p{Default_Ignorable_Code_Point}/gu;

/** Questions of the guard to the disk. All paths are absolute and without `..`. */
export const thisDisk = { locate: locatePath, isThere, isFirstThere, canBeMade, kernelPath };

/** That disk, or one that a test makes up. */
export type GuardDisk = typeof thisDisk;

/** Whether something is there, be it a link that leads nowhere. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A path that may not be looked at can be there. One that no name or folder can have is not.
    return /^E(?:ACCES|PERM|BUSY)$/.test(codeOf(error) ?? '');
  }
}

/** Whether the first folder of a path stands on this machine in that spelling. */
function isFirstThere(path: string): boolean {
  const { root } = parse(path);
  const [first = ''] = relative(root, path).split(sep);
  try {
    return readdirSync(root).includes(first);
  } catch {
    return true;
  }
}

/** Whether this user could make what is not there: the nearest folder above it can be written to. */
function canBeMade(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (isThere(folder) || folder === dirname(folder)) {
      try {
        accessSync(folder, constants.W_OK);
        return lstatSync(folder).isDirectory() || lstatSync(realpathSync(folder)).isDirectory();
      } catch {
        return false;
      }
    }
  }
}

/**
 * The path that the kernel makes of one with `..`, since it goes up from where a link leads and not from
 * where it stands; `undefined` when that can't be told.
 */
function kernelPath(path: string): string | undefined {
  const names = path.split('/');
  // The names after the last `..` may still have to be made.
  const end = names.lastIndexOf('..') + 1;
  try {
    const folder = realpathSync.native(names.slice(0, end).join('/') || '/');
    return [folder === '/' ? '' : folder, ...names.slice(end)].join('/');
  } catch {
    return undefined;
  }
}
