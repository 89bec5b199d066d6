/**
 * What is wrong with a text that is to be JSON, as a clause that may follow a colon.
 *
 * @param code as the parser calls it.
 */
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
