/** A JSON object whose values nothing is known about. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object of JSON; a list and `null` are none. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two values of JSON are the same, in whatever order their keys are. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => isSameJson(item, other[at]));
  }
  if (isJsonObject(one) && isJsonObject(other)) {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every(key => Object.hasOwn(other, key) && isSameJson(one[key], other[key]))
    );
  }
  return one === other;
}

/** The place of a part of a value: names of keys, and places in lists from 0. */
export type KeyPath = readonly (string | number)[];

/** The part of a value behind these keys; `undefined`: there is none. */
export function partAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (part, key) => (isJsonObject(part) && Object.hasOwn(part, key) ? part[key] : undefined),
    value,
  );
}

/** The place as a person writes it: `args[2]`, `env.NAME`. */
export function shownPath([first = '', ...rest]: KeyPath): string {
  const steps = rest.map(step => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return [first, ...steps].join('');
}

/** The mistake in a text that should be JSON, by the parser's name for it, as a clause behind a colon. */
export function jsonProblem(code: string): string {
  return problems.get(code) ?? 'this is not understood';
}

/** By the codes of `jsonc-parser`. */
const problems: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'this is no value; a text has to be in double quotes'],
  ['InvalidNumberFormat', 'this is no number'],
  ['PropertyNameExpected', 'a key in double quotes is missing'],
  ['ValueExpected', 'a value is missing'],
  ['ColonExpected', 'a colon is missing'],
  ['CommaExpected', 'a comma is missing'],
  ['CloseBraceExpected', 'a closing brace "}" is missing'],
  ['CloseBracketExpected', 'a closing bracket "]" is missing'],
  ['EndOfFileExpected', 'something follows its end'],
  ['InvalidCommentToken', 'a comment cannot stand here'],
  ['UnexpectedEndOfComment', 'nothing ends this comment'],
  ['UnexpectedEndOfString', 'nothing ends this text: a double quote is missing'],
  ['UnexpectedEndOfNumber', 'this number is cut off'],
  ['InvalidUnicode', 'after "\\u" there have to be four hexadecimal digits'],
  ['InvalidEscapeCharacter', 'a backslash in a text has to be written as "\\\\"'],
  ['InvalidCharacter', 'a control character cannot stand in a text'],
]);
