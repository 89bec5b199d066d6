import type { KeyPath } from './json.ts';

/** A part of a JSON text, as `jsonc-parser` describes it. */
export interface JsonNode {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly value?: unknown;
  /** The members of an object. For a member, its name and its value. */
  readonly children?: readonly JsonNode[];
}

interface KeyTwice {
  readonly path: KeyPath;
  /** The index of the second key in the text. */
  readonly offset: number;
}

export interface TreeValue {
  readonly value: unknown;
  /** The keys that an object has twice. In `value`, the last of the two counts. */
  readonly twice: readonly KeyTwice[];
}

/** Returns a tree's value. In the parser's own function, `__proto__` would change an object. */
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
  /** The name of the member; `undefined` for an item of a list and for the whole value. */
  readonly key: JsonNode | undefined;
  readonly value: JsonNode;
  /** Whether this is the requested place itself, not a place around it. */
  readonly isExact: boolean;
}

/** Returns the place of the part at `path`, or if that is missing, the nearest around it. */
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

/** The most levels: deeper than any file that a person wrote, and safe for recursive functions. */
const maxDepth = 100;

/**
 * Returns the index at which JSON with comments is nested too deep to parse; `undefined` if it
 * never is. Check this before parsing, because the parser is recursive.
 */
export function tooDeepAt(text: string): number | undefined {
  // A whole comment is one match, so brackets inside do not count.
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

/** Returns the index after a string. Without a closing quote, the string ends with its line. */
function endOfText(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') {
    at += text[at] === '\\' ? 2 : 1;
  }
  return at + 1;
}
