import { expandBraces } from './braces.ts';
import { anyName, readGlobNames } from './globNames.ts';
import { matchesSequence, type Step } from './sequence.ts';

/** Which entries below a folder are meant. An entry is given by the names on the way to it. */
export interface Glob {
  /** Whether the entry is meant: the names from `start` on are those below the folder. */
  matches(names: readonly string[], start: number): boolean;
  /** Whether an entry somewhere below this one may be meant. */
  mayMatchBelow(names: readonly string[], start: number): boolean;
}

/** A glob, or the reason, as finished sentences, why there is none. */
export type GlobOutcome =
  | { readonly ok: true; readonly glob: Glob }
  | { readonly ok: false; readonly reason: string };

/** What is meant with an entry that is a folder: only itself, or what lies in it as well. */
export type GlobReach = 'entry' | 'entry-and-below';

/**
 * Reads globs of which an entry has to match one. Without a slash a glob is about names at any
 * depth, with one about the path below the folder; a slash at the end means all that lies below.
 * There are `*`, `?`, `**`, `[…]`, `{a,b}` and `\`; `*` and `?` match a dot at the start too.
 */
export function readGlobs(texts: readonly string[], reach: GlobReach): GlobOutcome {
  const patterns: (readonly Step<string>[])[] = [];
  for (const text of texts) {
    const read = problemWith(text) ?? readOne(text, reach);
    if (typeof read === 'string') {
      return { ok: false, reason: `The glob ${JSON.stringify(text.slice(0, 200))} ${read}` };
    }
    patterns.push(...read);
  }
  return patterns.length > maxPatterns
    ? { ok: false, reason: `The globs stand for more than ${maxPatterns}: write fewer.` }
    : { ok: true, glob: globOf(patterns) };
}

const maxLength = 1000;
const maxPatterns = 100;

function problemWith(text: string): string | undefined {
  if (text === '' || text.length > maxLength) {
    return `has to have 1 to ${maxLength} characters.`;
  }
  if (text.startsWith('!')) {
    return 'starts with "!": say with "exclude" what is not wanted (or escape it as "\\!").';
  }
  return text.split('/').includes('..')
    ? 'leads upwards (".."): say with "path" where to search.'
    : undefined;
}

function readOne(text: string, reach: GlobReach): readonly (readonly Step<string>[])[] | string {
  const expanded = expandBraces(text, maxPatterns);
  if (!expanded) {
    return `has a brace without an end, or stands for more than ${maxPatterns} globs.`;
  }
  const patterns = expanded.map(glob => stepsOf(glob));
  const known = patterns.flatMap(pattern => (pattern ? [pattern] : []));
  if (known.length < patterns.length) {
    return 'has a bracket or a backslash without an end.';
  }
  return reach === 'entry' ? known : known.flatMap(steps => [steps, withBelow(steps)]);
}

function stepsOf(glob: string): readonly Step<string>[] | undefined {
  const path = glob.replace(/^\.\//, '');
  const steps = readGlobNames(path.endsWith('/') ? `${path}**` : path);
  const isAnyDepth = !path.slice(0, -1).includes('/');
  return isAnyDepth ? steps && ['anything', ...steps] : steps?.slice(path.startsWith('/') ? 1 : 0);
}

function withBelow(steps: readonly Step<string>[]): readonly Step<string>[] {
  return [...steps, 'anything', anyName];
}

function globOf(patterns: readonly (readonly Step<string>[])[]): Glob {
  return {
    matches: (names, start) => patterns.some(steps => matchesPath(steps, names, start)),
    mayMatchBelow: (names, start) => patterns.some(steps => mayMatchBelow(steps, names, start)),
  };
}

/** Most globs are about the last name alone. */
function matchesPath(
  steps: readonly Step<string>[],
  names: readonly string[],
  start: number,
): boolean {
  const [first, second] = steps;
  return steps.length === 2 && first === 'anything' && typeof second === 'function'
    ? names.length > start && second(names.at(-1) ?? '')
    : matchesSequence(steps, names, start);
}

function mayMatchBelow(
  steps: readonly Step<string>[],
  names: readonly string[],
  start: number,
): boolean {
  for (let depth = 0; ; depth++) {
    const step = steps[depth];
    const name = names[start + depth];
    if (step === 'anything' || name === undefined || !step?.(name)) {
      return step === 'anything' || (name === undefined && step !== undefined);
    }
  }
}
