/**
 * A pattern for files and folders below some folder. `names` is the path of a file or folder, from
 * the root of the drive. The names from index `start` on lie below the pattern's folder.
 */
export interface Glob {
  matches(names: readonly string[], start: number): boolean;
  /**
   * Whether anything in this folder, at any depth, may match. If this is `false`, a search skips
   * the folder. So a needless `true` is allowed, but a wrong `false` is not.
   */
  mayMatchBelow(names: readonly string[], start: number): boolean;
}

/** A glob, or in whole sentences why the text is not a glob. */
type GlobOutcome =
  | { readonly ok: true; readonly glob: Glob }
  | { readonly ok: false; readonly reason: string };

/** Whether a glob that matches a folder also matches everything in it. */
export type GlobReach = 'entry' | 'entry-and-below';

/**
 * Reads globs. A file or folder must match one of them. The search and list tools,
 * `mcpRoots.excludeFolders` and the guard in the hub's configuration use these globs.
 *
 * Globs mean the same as for Git and ripgrep. A glob without a slash matches names at any depth. A
 * glob with a slash matches the path below the folder. A slash at the end means everything below.
 * There are `*`, `?`, `**`, `[…]`, `{a,b}` and `\`; `*` and `?` match a leading dot, too. Every
 * glob, whoever wrote it, matches fast.
 */
export function readGlobs(texts: readonly string[], reach: GlobReach): GlobOutcome {
  const patterns: (readonly SequenceStep[])[] = [];
  for (const text of texts) {
    const read = problemWith(text) ?? readOne(text, reach);
    if (typeof read === 'string') {
      return { ok: false, reason: `The glob ${JSON.stringify(text.slice(0, 200))} ${read}` };
    }
    patterns.push(...read);
  }
  return patterns.length > maxPatterns
    ? { ok: false, reason: `The braces expand to more than ${maxPatterns} globs. Write fewer.` }
    : { ok: true, glob: globOf(patterns) };
}

const maxLength = 1000;
const maxPatterns = 100;

function problemWith(text: string): string | undefined {
  if (text === '' || text.length > maxLength) {
    return `must have 1 to ${maxLength} characters.`;
  }
  if (text.startsWith('!')) {
    return 'starts with "!", which is not supported. Name the files that you mean. For a name with "!", write "\\!".';
  }
  return text.split('/').includes('..')
    ? 'contains "..". Name only what lies below the folder.'
    : undefined;
}

function readOne(text: string, reach: GlobReach): readonly (readonly SequenceStep[])[] | string {
  const expanded = expandBraces(text, maxPatterns);
  if (!expanded) {
    return `has an open brace, or expands to more than ${maxPatterns} globs.`;
  }
  const patterns = expanded.map(glob => stepsOf(glob));
  const known = patterns.flatMap(pattern => (pattern ? [pattern] : []));
  if (known.length < patterns.length) {
    return 'has an open bracket, a backslash at the end, or a class such as [:alpha:].';
  }
  return reach === 'entry' ? known : known.flatMap(steps => [steps, withBelow(steps)]);
}

function stepsOf(glob: string): readonly SequenceStep[] | undefined {
  const path = glob.replace(/^\.\//, '');
  const steps = readGlobNames(path.endsWith('/') ? `${path}**` : path);
  const isAnyDepth = !path.slice(0, -1).includes('/');
  return isAnyDepth ? steps && ['anything', ...steps] : steps?.slice(path.startsWith('/') ? 1 : 0);
}

function withBelow(steps: readonly SequenceStep[]): readonly SequenceStep[] {
  return [...steps, 'anything', anyName];
}

function globOf(patterns: readonly (readonly SequenceStep[])[]): Glob {
  return {
    matches: (names, start) => patterns.some(steps => matchesPath(steps, names, start)),
    mayMatchBelow: (names, start) => patterns.some(steps => mayMatchBelow(steps, names, start)),
  };
}

/** Whether a path matches. A quick test serves most globs, which test only the last name. */
function matchesPath(
  steps: readonly SequenceStep[],
  names: readonly string[],
  start: number,
): boolean {
  const [first, second] = steps;
  return steps.length === 2 && first === 'anything' && typeof second === 'function'
    ? names.length > start && second(names.at(-1) ?? '')
    : matchesSequence(steps, names, start);
}

function mayMatchBelow(
  steps: readonly SequenceStep[],
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

/**
 * Expands a glob with braces: `*.{js,ts}` becomes `*.js` and `*.ts`. `undefined` when a brace is
 * not closed, or the result would exceed `limit`.
 */
export function expandBraces(text: string, limit: number): readonly string[] | undefined {
  const glob = [...text];
  const open = next(glob, 0, ['{']);
  if (open === glob.length) {
    return [glob.join('')];
  }
  const group = readGroup(glob, open);
  const ends = group && expandBraces(glob.slice(group.end).join(''), limit);
  const starts = group?.alternatives.map(alternative => expandBraces(alternative, limit)) ?? [];
  const known = starts.flatMap(start => start ?? []);
  if (!ends || starts.includes(undefined) || known.length * ends.length > limit) {
    return undefined;
  }
  const before = glob.slice(0, open).join('');
  return known.flatMap(start => ends.map(end => before + start + end));
}

function readGroup(glob: readonly string[], open: number) {
  const alternatives: string[] = [];
  let depth = 1;
  let from = open + 1;
  for (let at = next(glob, from, marks); at < glob.length; at = next(glob, at + 1, marks)) {
    depth += glob[at] === '{' ? 1 : glob[at] === '}' ? -1 : 0;
    if (depth === 0 || (depth === 1 && glob[at] === ',')) {
      alternatives.push(glob.slice(from, at).join(''));
      from = at + 1;
    }
    if (depth === 0) {
      return { alternatives, end: from };
    }
  }
  return undefined;
}

const marks: readonly string[] = ['{', ',', '}'];

/** The next index of one of these characters, neither escaped nor in brackets, or the end. */
function next(glob: readonly string[], start: number, characters: readonly string[]): number {
  let at = start;
  while (at < glob.length && !characters.includes(glob[at] ?? '')) {
    if (glob[at] === '[') {
      at = readClass(glob, at)?.end ?? at + 1;
    } else {
      at += glob[at] === '\\' ? 2 : 1;
    }
  }
  return Math.min(at, glob.length);
}

/**
 * Reads a glob as the names between its slashes, by the rules that Git and globs share: `*`, `?`,
 * `[…]`, `\`, and `**` as a whole name for any number of folders. At the end, `**` means everything
 * below, so at least one name. `undefined` when a bracket or an escape has no end.
 */
export function readGlobNames(glob: string): readonly SequenceStep[] | undefined {
  const names = readNames([...glob]);
  if (!names) {
    return undefined;
  }
  const steps = names.map(name => (isAnyFolders(name) ? 'anything' : nameTest(name)));
  return steps.at(-1) === 'anything' ? [...steps, anyName] : steps;
}

const anyName: SequenceStep = () => true;

type Part = { readonly literal: string } | { readonly holds: Test } | 'star';
type Test = (character: string) => boolean;

function readNames(pattern: readonly string[]): readonly (readonly Part[])[] | undefined {
  const names: Part[][] = [[]];
  for (let at = 0; at < pattern.length; ) {
    const read = readPart(pattern, at);
    if (!read) {
      return undefined;
    }
    if (typeof read.part === 'object' && 'literal' in read.part && read.part.literal === '/') {
      names.push([]);
    } else {
      names.at(-1)?.push(read.part);
    }
    at = read.end;
  }
  return names;
}

function readPart(
  pattern: readonly string[],
  at: number,
): { readonly part: Part; readonly end: number } | undefined {
  const character = pattern[at] ?? '';
  switch (character) {
    case '*':
      return { part: 'star', end: at + 1 };
    case '?':
      return { part: { holds: () => true }, end: at + 1 };
    case '[': {
      const found = readClass(pattern, at);
      return found && { part: found, end: found.end };
    }
    case '\\': {
      const literal = pattern[at + 1];
      return literal === undefined ? undefined : { part: { literal }, end: at + 2 };
    }
    default:
      return { part: { literal: character }, end: at + 1 };
  }
}

function isAnyFolders(name: readonly Part[]): boolean {
  return name.length > 1 && name.every(part => part === 'star');
}

/** Returns the test of a name, in a quick form for names with one star and nothing else special. */
function nameTest(parts: readonly Part[]): (name: string) => boolean {
  const star = parts.indexOf('star');
  const before = literalOf(star < 0 ? parts : parts.slice(0, star));
  const after = literalOf(star < 0 ? [] : parts.slice(star + 1));
  if (before === undefined || after === undefined) {
    const steps = parts.map(stepOf);
    return name => matchesSequence(steps, [...name]);
  }
  if (star < 0) {
    return name => name === before;
  }
  const length = before.length + after.length;
  return name => name.length >= length && name.endsWith(after) && name.startsWith(before);
}

function literalOf(parts: readonly Part[]): string | undefined {
  const literals = parts.map(part => {
    return typeof part === 'object' && 'literal' in part ? part.literal : undefined;
  });
  return literals.includes(undefined) ? undefined : literals.join('');
}

function stepOf(part: Part): SequenceStep {
  if (part === 'star') {
    return 'anything';
  }
  return 'literal' in part ? character => character === part.literal : part.holds;
}

/** A bracket expression of a glob, like `[a-z]`. */
interface CharacterClass {
  readonly holds: (character: string) => boolean;
  /** The index after the bracket expression. */
  readonly end: number;
}

/**
 * Reads the bracket expression at `start` by Git's rules: `!` or `^` negates, a `]` in the first
 * place is a member, and `\` escapes. `undefined`: the expression is not closed, or has a class
 * such as `[:alpha:]`. Callers refuse or ignore such a pattern.
 */
function readClass(pattern: readonly string[], start: number): CharacterClass | undefined {
  const isNegated = ['!', '^'].includes(pattern[start + 1] ?? '');
  const tests: ((character: string) => boolean)[] = [];
  let at = start + (isNegated ? 2 : 1);
  do {
    const member = readRange(pattern, at);
    if (!member || (pattern[at] === '[' && pattern[at + 1] === ':')) {
      return undefined;
    }
    tests.push(member.holds);
    at = member.end;
  } while (pattern[at] !== ']');
  const holds = (character: string) => tests.some(test => test(character)) !== isNegated;
  return { holds, end: at + 1 };
}

function readRange(pattern: readonly string[], start: number): CharacterClass | undefined {
  const from = readMember(pattern, start);
  if (!from) {
    return undefined;
  }
  const hasEnd = pattern[from.end] === '-' && pattern[from.end + 1] !== ']';
  const to = hasEnd ? readMember(pattern, from.end + 1) : from;
  if (!to) {
    return undefined;
  }
  const [low, high] = [pointOf(from.character), pointOf(to.character)];
  const holds = (character: string) =>
    character === from.character || (pointOf(character) >= low && pointOf(character) <= high);
  return { holds, end: to.end };
}

function readMember(pattern: readonly string[], start: number) {
  const at = pattern[start] === '\\' ? start + 1 : start;
  const character = pattern[at];
  return character === undefined ? undefined : { character, end: at + 1 };
}

function pointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** One step of a pattern: a test for one item, or `anything`, which takes any number of items. */
export type SequenceStep = ((item: string) => boolean) | 'anything';

/**
 * Whether the items from `start` on match all steps.
 *
 * A mismatch goes back only to the last `anything`, because that step can take all that an earlier
 * `anything` could take. So the time is at most the product of both lengths. A regular expression
 * of the same pattern can take forever.
 */
export function matchesSequence(
  steps: readonly SequenceStep[],
  items: readonly string[],
  start = 0,
): boolean {
  let step = 0;
  let item = start;
  let retry: { readonly step: number; item: number } | undefined;
  while (item < items.length) {
    const test = steps[step];
    if (test === 'anything') {
      retry = { step: step + 1, item };
      step += 1;
    } else if (test?.(items[item] ?? '')) {
      step += 1;
      item += 1;
    } else if (retry) {
      retry.item += 1;
      step = retry.step;
      item = retry.item;
    } else {
      return false;
    }
  }
  return steps.slice(step).every(rest => rest === 'anything');
}
