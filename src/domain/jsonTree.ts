import type { KeyPath } from './json.ts';

/** A part of a JSON text, in the form of `jsonc-parser`. */
export interface JsonNode {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly value?: unknown;
  /** An object's members; a member's name and value. */
  readonly children?: readonly JsonNode[];
}

interface KeyTwice {
  readonly path: KeyPath;
  /** The place of the repeated key. */
  readonly offset: number;
}

export interface TreeValue {
  readonly value: unknown;
  /** The value holds the last of these keys. */
  readonly twice: readonly KeyTwice[];
}

/** The value of a tree. The parser's own conversion lets a key `__proto__` change an object. */
export function valueOfTree(root: JsonNode): TreeValue {
  const twice: KeyTwice[] = [];
  return { value: readNode(root, [], twice), twice };
}

function readNode(
  { type, value, children = [] }: JsonNode,
  path: KeyPath,
  twice: KeyTwice[],
): unknown {
  if (type === 'array') {
    return children.map((child, index) => readNode(child, [...path, index], twice));
  }
  if (type !== 'object') {
    return value;
  }
  const values = new Map<string, unknown>();
  for (const { offset, children: [key, child] = [] } of children) {
    if (key && child) {
      const name = String(key.value);
      const here = [...path, name];
      if (values.has(name)) {
        twice.push({ path: here, offset });
      }
      values.set(name, readNode(child, here, twice));
    }
  }
  return Object.fromEntries(values);
}

export interface TreePlace {
  /** The name of the member; `undefined` for a list's item and for the whole. */
  readonly key: JsonNode | undefined;
  readonly value: JsonNode;
  /** Whether this is the requested place, and not one around it. */
  readonly isExact: boolean;
}

/** The place of a part of the value, or else the nearest place around it. */
export function placeInTree(root: JsonNode, path: KeyPath): TreePlace {
  let place: TreePlace = { key: undefined, value: root, isExact: true };
  for (const step of path) {
    const next = stepInto(place.value, step);
    if (!next) {
      return { ...place, isExact: false };
    }
    place = next;
  }
  return place;
}

function stepInto({ type, children = [] }: JsonNode, step: string | number): TreePlace | undefined {
  if (typeof step === 'number') {
    const item = type === 'array' ? children[step] : undefined;
    return item && { key: undefined, value: item, isExact: true };
  }
  const member =
    type === 'object'
      ? children.findLast(({ children: [key] = [] }) => key?.value === step)
      : undefined;
  const [key, value] = member?.children ?? [];
  return key && value && { key, value, isExact: true };
}

/** Deeper than any file that a person wrote, and safe for recursive functions. */
const maxDepth = 100;

/**
 * The place at which JSON with comments is nested too deep to parse; `undefined` when it is not.
 * Check this before parsing: the parser is recursive.
 */
export function tooDeepAt(text: string): number | undefined {
  // A comment is one mark: brackets inside do not count.
  const marks = /["{}[\]]|\/\/.*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)/g;
  let depth = 0;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const [token] = mark;
    depth += Number(token === '{' || token === '[') - Number(token === '}' || token === ']');
    if (depth > maxDepth) {
      return mark.index;
    }
    if (token === '"') {
      marks.lastIndex = endOfText(text, marks.lastIndex);
    }
  }
  return undefined;
}

/** The end of a string; without a closing quote, the end of its line. */
function endOfText(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') {
    at += text[at] === '\\' ? 2 : 1;
  }
  return at + 1;
}
