/** A bracket expression of a glob, like `[a-z]`. */
export interface CharacterClass {
  readonly holds: (character: string) => boolean;
  /** Where the pattern goes on after it. */
  readonly end: number;
}

/**
 * Reads the bracket expression that starts at `start`, by the rules of Git: `!` or `^` negates,
 * a `]` in the first place is a member, `\` escapes, and `[:alpha:]` names a class.
 * `undefined` when it is not closed or names an unknown class: such a pattern matches nothing.
 */
export function readClass(pattern: readonly string[], start: number): CharacterClass | undefined {
  const isNegated = ['!', '^'].includes(pattern[start + 1] ?? '');
  const tests: ((character: string) => boolean)[] = [];
  let at = start + (isNegated ? 2 : 1);
  do {
    const name = nameAt(pattern, at);
    const member = name === undefined ? readRange(pattern, at) : readNamed(name, at);
    if (!member) {
      return undefined;
    }
    tests.push(member.holds);
    at = member.end;
  } while (pattern[at] !== ']');
  const holds = (character: string) => tests.some(test => test(character)) !== isNegated;
  return { holds, end: at + 1 };
}

/** The name in `[:name:]`. Where the end is missing, the bracket is a member like any other. */
function nameAt(pattern: readonly string[], start: number): string | undefined {
  const close = pattern.indexOf(']', start + 2);
  const isNamed = pattern[start] === '[' && pattern[start + 1] === ':';
  return isNamed && close > start + 2 && pattern[close - 1] === ':'
    ? pattern.slice(start + 2, close - 1).join('')
    : undefined;
}

function readNamed(name: string, start: number): CharacterClass | undefined {
  const test = named.get(name);
  const end = start + [...`[:${name}:]`].length;
  return test && { holds: character => test.test(character), end };
}

/** One member, or two with a hyphen between them. */
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

// As Git defines them: for ASCII only.
const named: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[0-9A-Za-z]/],
  ['alpha', /[A-Za-z]/],
  ['blank', /[ \t]/],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is the class of these.
  ['cntrl', /[\0-\x1f\x7f]/],
  ['digit', /[0-9]/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[ \t\n\r]/],
  ['upper', /[A-Z]/],
  ['xdigit', /[0-9A-Fa-f]/],
]);
