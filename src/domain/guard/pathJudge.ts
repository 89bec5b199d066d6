import { posix, win32 } from 'node:path';
import { isFileUri } from '../paths/fileUri.ts';
import { parsePath } from '../paths/pathInput.ts';
import { foldName } from '../paths/pathKey.ts';
import type { PathPlatform } from '../paths/pathNames.ts';
import type { PathScope, ScopeRoot } from '../paths/pathScope.ts';
import { namesBelow } from '../paths/rootPaths.ts';
import type { FoundPath } from './argumentPaths.ts';
import type { Rules } from './guardRules.ts';
import { climbs, pathStart } from './localPath.ts';

/** A root, and whether the disks of its paths answer. */
interface GuardedRoot extends ScopeRoot {
  /** The part of a path at which a disk does not answer; `undefined` when all disks answer. */
  silentOn(path: string): string | undefined;
}

export type GuardedScope = PathScope<GuardedRoot>;

/** What the guard asks the machine. All paths are absolute and without `..`. */
export interface GuardMachine {
  /** Finds where `path` leads, with links resolved. `text` is the path as the argument has it. */
  locate(
    scope: GuardedScope,
    path: string,
    text: string,
  ):
    | {
        readonly ok: true;
        readonly value: {
          readonly root: GuardedRoot;
          readonly real: string;
          readonly exists: boolean;
        };
      }
    | { readonly ok: false; readonly kind: string };
  /** Whether something is at the path, even a link to nothing. */
  isThere(path: string): boolean;
  /** Whether the first folder of a path exists on this machine in this spelling. */
  isFirstThere(path: string): boolean;
  /** Whether this user could create the missing path. */
  canBeMade(path: string): boolean;
  /** Resolves `..` as the kernel does, so after earlier links; `undefined` if nobody can tell. */
  kernelPath(path: string): string | undefined;
  /** The result of `work`; `undefined` when `work` takes too long, as a configured pattern may. */
  inTime<T>(work: () => T): T | undefined;
}

/** All that a judgment depends on, except the path. */
export interface Judging {
  readonly rules: Rules;
  readonly scope: GuardedScope;
  /** Relative paths may start in each of these folders. Each result must be inside the roots. */
  readonly bases: readonly string[];
  readonly machine: GuardMachine;
  /** Whether the tool says that it only reads (`readOnlyHint`). Such a tool creates nothing. */
  readonly isReadOnly?: boolean;
}

type Judgement =
  | {
      readonly ok: true;
      /** The real path; `undefined` if there is none, or if the text is perhaps no path. */
      readonly real: string | undefined;
    }
  | PathRefusal;

export interface PathRefusal {
  readonly ok: false;
  /** The path that was judged; `undefined` when it could not be read. */
  readonly canonical: string | undefined;
  /** The reason in whole sentences; empty if the only reason is that the path is outside. */
  readonly reason: string;
  /** Whether a configured rule refused a path inside the roots, so that no remedy is offered. */
  readonly isByRule?: true;
}

/**
 * Judges a path found in arguments, from each folder where it may start. A path that leads nowhere
 * passes, because the tool can neither read nor create anything there.
 */
export function judgePath(judging: Judging, { kind, text }: FoundPath): Judgement {
  const { platform } = judging.scope;
  if (/^(?:\/dev\/null|nul)$/i.test(text)) {
    return nowhere;
  }
  let first: Judgement | undefined;
  // A program written for Windows reads a backslash as a separator.
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

/** An absolute path does not depend on the folder where it starts, so one folder is enough. */
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
  const { isFirstThere, isThere, canBeMade } = judging.machine;
  const isMade = () => judging.isReadOnly !== true && canBeMade(path);
  const leadsSomewhere =
    climbs(text) || isFileUri(text) || isFirstThere(path) || isThere(path) || isMade();
  return leadsSomewhere ? { ok: false, canonical: path, reason: '' } : nowhere;
}

/**
 * The text as `parsePath` must read it. A name with a colon, as in `Makefile:12`, gets `./`,
 * because it is no URI. On Windows, `x` replaces `*` and `?`, which names can't have but globs do.
 */
function asWritten(text: string, platform: Judging['scope']['platform']): string {
  if (platform !== 'win32') {
    return /^(?!file:)[\w.+-]+:/i.test(text) ? `./${text}` : text;
  }
  return /^[\\/]{2}[?.]|^[\\/]\?\?|^file:/i.test(text) ? text : text.replace(/[*?]/g, 'x');
}

/**
 * Whether the text is a path of another system, or in a user's home folder. A system that separates
 * by backslashes may also decode `%5c` to a separator.
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
    const leadsSomewhere = start === undefined ? climbs(text) : judging.machine.isFirstThere(path);
    return leadsSomewhere ? { ok: false, canonical: path, reason: '' } : nowhere;
  }
  const first = firstOf(path, base);
  const isMeant = start !== undefined || climbs(text) || root.silentOn(first) !== undefined;
  return isMeant || judging.machine.isThere(first)
    ? judgeInside(judging, path, base, { text, kind: 'written' })
    : nowhere;
}

/** `C:name\file`: a path from the folder where a process works on that drive. */
const driveRelative = /^[a-z]:[^\s:\\/]+[\\/]/i;

/** Cuts the path after its first name below `base`. If nothing is there, no link can lead out. */
function firstOf(path: string, base: string | undefined): string {
  const start = base === undefined || !path.startsWith(base) ? 0 : base.length + 1;
  const end = path.slice(start).search(/[\\/]/);
  return end < 0 ? path : path.slice(0, start + end);
}

/** Judges a path that is inside the roots as written, by the rules and by where it leads. */
function judgeInside(
  judging: Judging,
  path: string,
  base: string | undefined,
  { text, kind }: Pick<FoundPath, 'text' | 'kind'>,
): Judgement {
  const { rules, scope, machine } = judging;
  // A text that is perhaps no path need not match the "allow" rules.
  const ruling = kind === 'named' ? rules : { ...rules, allow: [] };
  const located = machine.locate(scope, path, text);
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
    const kernel = located.value.root.silentOn(whole) ?? machine.kernelPath(whole);
    if (kernel !== undefined && !machine.locate(scope, kernel, text).ok) {
      return { ok: false, canonical: kernel, reason: '' };
    }
  }
  return { ok: true, real: kind === 'named' || located.value.exists ? real : undefined };
}

/** The reasons when a configured glob refuses a path in the roots. */
const globReasons = {
  deny: 'The "deny" globs in the configuration of the hub exclude the path.',
  allow: 'The "allow" globs in the configuration of the hub do not include the path.',
} as const;

/**
 * Why the configured globs refuse a path in the roots; `undefined` when they do not. If roots are
 * nested, globs are matched below each root. One `deny` match is enough to refuse the path, and one
 * match for each `allow` is enough to pass.
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
    // A folder may be used if all its possible contents may be used.
    names.some(spelling => glob.matches(spelling, 0) || glob.matches([...spelling, anyName], 0)),
  );
  return isAllowed ? undefined : globReasons.allow;
}

/** Stands for any entry of a folder, because nobody writes a glob for this name. */
const anyName = '\uffff'.repeat(4);

/** The spellings of a path to match with globs. If the disk ignores case, there are several. */
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

/** Characters in a name that macOS ignores when it looks for a file. */
const ignored = /\p{Default_Ignorable_Code_Point}/gu;
