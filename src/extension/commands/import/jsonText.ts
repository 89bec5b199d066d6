import {
  createScanner,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { jsonProblem } from '../../../domain/jsonProblem.ts';
import { printable } from '../../../domain/printable.ts';
import { type Sentence, sentence } from '../../../domain/sentence.ts';

/** A value that was read, with what is to be said of it, or where the text is broken. */
export type ReadJson =
  | { readonly ok: true; readonly value: unknown; readonly notes: readonly Sentence[] }
  | { readonly ok: false; readonly problem: Sentence };

/** Deeper than any file that a person wrote, and no danger to whatever walks the value. */
const maxDepth = 100;

/**
 * Reads JSON as editors write it: with comments, trailing commas and a byte order mark. An empty
 * text is an empty object. Of a key that is there twice the last one counts, which is noted.
 */
export function readJson(text: string): ReadJson {
  const plain = text.replace(/^\ufeff/, '');
  if (depthOf(plain) > maxDepth) {
    return { ok: false, problem: sentence('It is nested too deeply.') };
  }
  const errors: ParseError[] = [];
  const tree = parseTree(plain, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error) {
    return { ok: false, problem: problemAt(plain, error) };
  }
  const twice = new Set<string>();
  const value = tree ? toValue(tree, twice) : {};
  const notes = [...twice].map(key =>
    sentence('"{0}" is there twice. The last one counts.', printable(key)),
  );
  return { ok: true, value, notes };
}

function depthOf(text: string): number {
  const scanner = createScanner(text, true);
  let depth = 0;
  let deepest = 0;
  // By position: a comment that nothing ends is told again and again.
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const token = text[scanner.getTokenOffset()];
    depth += Number(token === '{' || token === '[') - Number(token === '}' || token === ']');
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Built here, because the parser's own way would let a key named `__proto__` change an object. */
function toValue({ type, value, children = [] }: Node, twice: Set<string>): unknown {
  if (type === 'array') {
    return children.map(child => toValue(child, twice));
  }
  if (type !== 'object') {
    return value;
  }
  const entries = children.flatMap(({ children: [key, child] = [] }): [string, unknown][] =>
    key && child ? [[key.value, toValue(child, twice)]] : [],
  );
  const seen = new Set<string>();
  for (const [key] of entries) {
    (seen.has(key) ? twice : seen).add(key);
  }
  return Object.fromEntries(entries);
}

function problemAt(text: string, { error, offset }: ParseError): Sentence {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  const column = (before.at(-1) ?? '').length + 1;
  return sentence(
    `It is broken at line {0}, column {1}: ${jsonProblem(printParseErrorCode(error))}.`,
    `${before.length}`,
    `${column}`,
  );
}
