import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { jsonProblem } from '../../../domain/jsonProblem.ts';
import type { KeyPath } from '../../../domain/servers/keyPath.ts';

/** A text as JSON, of which the places are known. */
export interface ConfigTree {
  readonly value: unknown;
  /** Keys that an object has twice; the last one is in the value. */
  readonly twice: readonly { readonly path: KeyPath; readonly offset: number }[];
  /** Where the part of the value is, or what comes nearest to it. */
  offsetOf(path: KeyPath): number;
}

/** A tree, or what is wrong with the text, to be read after the place, and where. */
export type ReadTree =
  | { readonly ok: true; readonly tree: ConfigTree }
  | { readonly ok: false; readonly offset: number; readonly reason: string };

/** Deeper than any file that a person wrote, and no danger to whatever walks the value. */
const maxDepth = 100;

/** Reads JSON as editors write it: with comments and trailing commas. */
export function readTree(text: string): ReadTree {
  const tooDeep = offsetOfDepth(text, maxDepth + 1);
  if (tooDeep !== undefined) {
    return { ok: false, offset: tooDeep, reason: 'It is nested too deeply.' };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error || !root) {
    const code = error ? printParseErrorCode(error.error) : 'ValueExpected';
    return {
      ok: false,
      offset: error?.offset ?? 0,
      reason: `It is no JSON: ${jsonProblem(code)}.`,
    };
  }
  const twice: { path: KeyPath; offset: number }[] = [];
  const value = readValue(root, [], twice);
  return { ok: true, tree: { value, twice, offsetOf: path => offsetIn(root, path) } };
}

/** Before anything is parsed, because the parser calls itself for each level. */
function offsetOfDepth(text: string, limit: number): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  // By position: a comment that nothing ends is told again and again.
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const token = text[offset];
    depth += Number(token === '{' || token === '[') - Number(token === '}' || token === ']');
    if (depth >= limit) {
      return offset;
    }
  }
  return undefined;
}

/** Built here, because the parser's own way would let a key named `__proto__` change an object. */
function readValue(
  { type, value, children = [] }: Node,
  path: KeyPath,
  twice: { path: KeyPath; offset: number }[],
): unknown {
  if (type === 'array') {
    return children.map((child, index) => readValue(child, [...path, index], twice));
  }
  if (type !== 'object') {
    return value;
  }
  const values = new Map<string, unknown>();
  for (const { offset, children: [key, child] = [] } of children) {
    if (key && child) {
      const here = [...path, String(key.value)];
      if (values.has(key.value)) {
        twice.push({ path: here, offset });
      }
      values.set(key.value, readValue(child, here, twice));
    }
  }
  return Object.fromEntries(values);
}

/** Of what has a name, where the name is. */
function offsetIn(root: Node, path: KeyPath): number {
  for (let length = path.length; length > 0; length--) {
    const found = findNodeAtLocation(root, path.slice(0, length));
    if (found) {
      return found.parent?.type === 'property' ? found.parent.offset : found.offset;
    }
  }
  return root.offset;
}
