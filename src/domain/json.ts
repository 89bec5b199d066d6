/** A JSON object with unknown values. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object; not a list, and not `null`. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two JSON values are equal, in any order of keys. */
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

/** The place of a part of a value: names of keys, and list indices from 0. */
export type KeyPath = readonly (string | number)[];

/** The part of a value behind these keys; `undefined` when a key is missing. */
export function partAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (part, key) => (isJsonObject(part) && Object.hasOwn(part, key) ? part[key] : undefined),
    value,
  );
}

/** The place in a person's notation: `args[2]`, `env.NAME`. */
export function shownPath([first = '', ...rest]: KeyPath): string {
  const steps = rest.map(step => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return [first, ...steps].join('');
}

/** The mistake in a faulty JSON text, by the parser's code, as a clause after a colon. */
export function jsonProblem(code: string): string {
  return problems[code] ?? 'this is not understood';
}

/** By the codes of `jsonc-parser`. */
const problems: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not a value; a text needs double quotes',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a key in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace "}" is missing',
  CloseBracketExpected: 'a closing bracket "]" is missing',
  EndOfFileExpected: 'something follows its end',
  InvalidCommentToken: 'a comment cannot stand here',
  UnexpectedEndOfComment: 'nothing ends this comment',
  UnexpectedEndOfString: 'nothing ends this text: a double quote is missing',
  UnexpectedEndOfNumber: 'this number is cut off',
  InvalidUnicode: '"\\u" needs four hexadecimal digits behind it',
  InvalidEscapeCharacter: 'a backslash in a text is written as "\\\\"',
  InvalidCharacter: 'a control character cannot stand in a text',
};
