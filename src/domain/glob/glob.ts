import { expandBraces } from './braces.ts';
import { anyName, readGlobNames } from './globNames.ts';
import { matchesSequence, type SequenceStep } from './sequence.ts';

/**
 * Which of the files and folders below some folder are meant. Each is given by `names`, the names on
 * the way to it; those from index `start` on are the ones below that folder.
 */
export interface Glob {
  matches(names: readonly string[], start: number): boolean;
  /**
   * Whether anything in this folder, at any depth, may match. A search doesn't open a folder for
   * which this is `false`, so it may be `true` without need, but never `false` by mistake.
   */
  mayMatchBelow(names: readonly string[], start: number): boolean;
}

/** A glob, or the reason, as finished sentences, why there is none. */
export type GlobOutcome =
  | { readonly ok: true; readonly glob: Glob }
  | { readonly ok: false; readonly reason: string };

/** The reach of a glob that matches a folder: only itself, or what lies in it as well. */
export type GlobReach = 'entry' | 'entry-and-below';

/**
 * Reads globs, of which a file or folder has to match one: those of the search and list tools, of
 * `mcpRoots.excludeFolders`, and of the guard's rules in the hub's configuration.
 *
 * They mean what they mean to Git and to ripgrep. Without a slash a glob is about names at any
 * depth, with one about the path below the folder; a slash at the end means all that lies below.
 * There are `*`, `?`, `**`, `[…]`, `{a,b}` and `\`; `*` and `?` match a dot at the start too. No
 * glob, whoever wrote it, takes long to match.
 */
export function readGlobs(texts: readonly string[], reach: GlobReach): GlobOutcome {
  const patterns: (readonly SequenceStep<string>[])[] = [];
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
    return 'starts with "!": it can only say what is meant, not what is not (or escape it as "\\!").';
  }
  return text.split('/').includes('..')
    ? 'leads upwards (".."): it can only name what lies below the folder.'
    : undefined;
}

function readOne(
  text: string,
  reach: GlobReach,
): readonly (readonly SequenceStep<string>[])[] | string {
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

function stepsOf(glob: string): readonly SequenceStep<string>[] | undefined {
  const path = glob.replace(/^\.\//, '');
  const steps = readGlobNames(path.endsWith('/') ? `${path}**` : path);
  const isAnyDepth = !path.slice(0, -1).includes('/');
  return isAnyDepth ? steps && ['anything', ...steps] : steps?.slice(path.startsWith('/') ? 1 : 0);
}

function withBelow(steps: readonly SequenceStep<string>[]): readonly SequenceStep<string>[] {
  return [...steps, 'anything', anyName];
}

function globOf(patterns: readonly (readonly SequenceStep<string>[])[]): Glob {
  return {
    matches: (names, start) => patterns.some(steps => matchesPath(steps, names, start)),
    mayMatchBelow: (names, start) => patterns.some(steps => mayMatchBelow(steps, names, start)),
  };
}

/** Most globs are about the last name alone. */
function matchesPath(
  steps: readonly SequenceStep<string>[],
  names: readonly string[],
  start: number,
): boolean {
  const [first, second] = steps;
  return steps.length === 2 && first === 'anything' && typeof second === 'function'
    ? names.length > start && second(names.at(-1) ?? '')
    : matchesSequence(steps, names, start);
}

function mayMatchBelow(
  steps: readonly SequenceStep<string>[],
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
