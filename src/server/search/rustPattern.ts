/**
 * A pattern that finds, in ripgrep, every line that the source finds in JavaScript, and perhaps
 * more; `undefined` when it holds something for which that is not known.
 * The source is one that JavaScript accepts with the flag `u`.
 */
export function rustPattern(source: string): string | undefined {
  return translate(source, outside());
}

/** How something starts, and what stands for it in Rust, if anything does. */
type Rule = readonly [start: RegExp, rust: (...parts: readonly string[]) => string | undefined];

function translate(source: string, rules: readonly Rule[]): string | undefined {
  let pattern = '';
  for (let rest = source; rest !== ''; ) {
    const found = firstMatch(rest, rules);
    if (found?.rust === undefined) {
      return undefined;
    }
    pattern += found.rust;
    rest = rest.slice(found.length);
  }
  return pattern;
}

function firstMatch(text: string, rules: readonly Rule[]) {
  for (const [start, rust] of rules) {
    const found = start.exec(text);
    if (found) {
      return { rust: rust(...found), length: found[0].length };
    }
  }
  return undefined;
}

const classes: Readonly<Record<string, string>> = {
  d: '0-9',
  w: '0-9A-Za-z_',
  s: '\\t\\x{B}\\x{C}\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}',
};

const controls: Readonly<Record<string, string>> = { t: '\t', v: '\v', f: '\f', r: '\r' };

function outside(): readonly Rule[] {
  return [
    // A byte order mark and a carriage return belong to no line here, but to the lines of ripgrep.
    [/^\^/, () => '^\\x{FEFF}?'],
    [/^\$$/, () => '\\r?$'],
    // To leave out a condition finds more, not less.
    [/^(?:\\[bB]|\$)/, () => ''],
    [/^\\[pP]\{[^}]*\}/, () => '.'],
    [/^[.|)]/, mark => mark],
    [/^(?:[*+?]|\{\d+(?:,\d*)?\})\??/, quantifier => quantifier],
    [/^\((?:\?(?::|<[^=!>][^>]*>)|(?!\?))/, () => '(?:'],
    [/^\(/, () => undefined],
    [/^\\([dws])/, (_, letter = '') => `[${classes[letter]}]`],
    [/^\\([DWS])/, (_, letter = '') => `[^${classes[letter.toLowerCase()]}]`],
    [/^\[\^\]/, () => '.'],
    [/^\[(\^?)((?:\\.|[^\]\\])+)\]/u, (_, negation, members = '') => classOf(negation, members)],
    [/^\[/, () => undefined],
    ...characters(),
  ];
}

/** In a class. */
function inside(): readonly Rule[] {
  return [
    [/^\\([dws])/, (_, letter = '') => classes[letter]],
    [/^\\([DWS])/, (_, letter = '') => `[^${classes[letter.toLowerCase()]}]`],
    [range, (_, from, to) => rangeOf(from, to)],
    ...member(),
  ];
}

const range = /^(\\u\{\w+\}|\\u\w{4}|\\x..|\\.|[^\\])-(\\u\{\w+\}|\\u\w{4}|\\x..|\\.|[^\\])/u;

/** One character in a class. */
function member(): readonly Rule[] {
  return [[/^\\b/, () => hex('8')], ...characters()];
}

function characters(): readonly Rule[] {
  return [
    [/^\\x([0-9a-f]{2})/i, (_, digits) => hex(digits)],
    [/^\\u([0-9a-f]{4})/i, (_, digits) => hex(digits)],
    [/^\\u\{([0-9a-f]+)\}/i, (_, digits) => hex(digits)],
    [/^\\([tvfr])/, (_, letter = '') => literal(controls[letter])],
    [/^\\([\^$\\.*+?()[\]{}|/-])/, (_, character) => literal(character)],
    [/^[^\\]/u, character => literal(character)],
  ];
}

function classOf(negation: string | undefined, members: string): string | undefined {
  const rust = translate(members, inside());
  return rust === undefined ? undefined : `[${negation}${rust}]`;
}

function rangeOf(from: string | undefined, to: string | undefined): string | undefined {
  const [low, high] = [from, to].map(end => translate(end ?? '', member()));
  return low === undefined || high === undefined ? undefined : `${low}-${high}`;
}

function literal(character: string | undefined): string | undefined {
  return character && hex(character.codePointAt(0)?.toString(16));
}

/** No line holds a line feed, and half a character is nothing to Rust. */
function hex(digits: string | undefined): string | undefined {
  const point = Number.parseInt(digits ?? '', 16);
  return point === 10 || (point >= 0xd800 && point <= 0xdfff)
    ? undefined
    : `\\x{${point.toString(16)}}`;
}
