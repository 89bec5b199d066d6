/** A JSON object with unknown values. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object, so neither a list nor `null`. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two JSON values are equal. The order of keys does not matter. */
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

/** The place of a part in a value, as keys and list indices from 0. */
export type KeyPath = readonly (string | number)[];

/** The part of a value to which these keys lead; `undefined` when a key is missing. */
export function partAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (part, key) => (isJsonObject(part) && Object.hasOwn(part, key) ? part[key] : undefined),
    value,
  );
}

/** The place as a person would write it: `args[2]`, `env.NAME`. */
export function shownPath([first = '', ...rest]: KeyPath): string {
  const steps = rest.map(step => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return [first, ...steps].join('');
}

/** Returns what is wrong in a JSON text, by the parser's code. The text follows a colon. */
export function jsonProblem(code: string): string {
  return problems[code] ?? 'this part is not JSON';
}

/** What is wrong, as a clause, by the code of `jsonc-parser`. */
const problems: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a value must stand here (a text needs double quotes)',
  InvalidNumberFormat: 'the number is malformed',
  PropertyNameExpected: 'a key in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace "}" is missing',
  CloseBracketExpected: 'a closing bracket "]" is missing',
  EndOfFileExpected: 'text follows the end of the JSON',
  InvalidCommentToken: 'a comment is not allowed here',
  UnexpectedEndOfComment: 'the end of a comment is missing',
  UnexpectedEndOfString: 'the double quote at the end of a text is missing',
  UnexpectedEndOfNumber: 'the end of a number is missing',
  InvalidUnicode: 'four hexadecimal digits must follow "\\u"',
  InvalidEscapeCharacter: 'a backslash in a text must be written as "\\\\"',
  InvalidCharacter: 'a text must not hold a control character',
};
