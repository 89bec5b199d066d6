import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { jsonProblem } from '../../domain/json.ts';
import { tooDeepAt, valueOfTree } from '../../domain/jsonTree.ts';
import { type Sentence, sentence } from '../../domain/sentence.ts';

/** The value of a text, or why nobody can read the text. */
export type ReadJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Sentence };

export function broken(problem: Sentence): ReadJson {
  return { ok: false, problem };
}

/**
 * Reads JSON as editors write it: with comments, trailing commas and a byte order mark. An empty
 * text is an empty object. If a key occurs twice, the last value counts.
 */
export function readJson(text: string): ReadJson {
  const plain = text.replace(/^\ufeff/, '');
  if (tooDeepAt(plain) !== undefined) {
    return broken(sentence('The JSON has too many levels.'));
  }
  const errors: ParseError[] = [];
  const tree = parseTree(plain, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error) {
    return broken(problemAt(plain, error));
  }
  return { ok: true, value: tree ? valueOfTree(tree).value : {} };
}

function problemAt(text: string, { error, offset }: ParseError): Sentence {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  const column = (before.at(-1) ?? '').length + 1;
  return sentence(
    'The JSON is broken at line {0}, column {1}: {2}.',
    `${before.length}`,
    `${column}`,
    sentence(jsonProblem(printParseErrorCode(error))),
  );
}
