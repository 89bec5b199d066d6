import type { KeyPath } from './json.ts';

/** A part of a JSON text, in the form in which `jsonc-parser` has it. */
export interface JsonNode {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly value?: unknown;
  /** The members of an object; the name and the value of a member. */
  readonly children?: readonly JsonNode[];
}

interface KeyTwice {
  readonly path: KeyPath;
  /** The place of its repetition. */
  readonly offset: number;
}

export interface TreeValue {
  readonly value: unknown;
  /** The last of these keys is in the value. */
  readonly twice: readonly KeyTwice[];
}

/** The value of a tree. Built here: the parser's own way lets a key `__proto__` change an object. */
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
  /** The name of the member; `undefined` for an item of a list, and for the whole. */
  readonly key: JsonNode | undefined;
  readonly value: JsonNode;
  /** Whether it is the place that was asked for, and not one around it. */
  readonly isExact: boolean;
}

/** The place of a part of the value, or the one nearest around it. */
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

/** Deeper than any file that a person wrote, and safe for functions that call themselves for each level. */
const maxDepth = 100;

/**
 * The place at which JSON with comments is nested too deep to be parsed; `undefined`: nowhere. To be asked
 * first: the parser calls itself for each level.
 */
export function tooDeepAt(text: string): number | undefined {
  const marks = /["{}[\]]|\/[/*]/g;
  let depth = 0;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const [token] = mark;
    depth += Number(token === '{' || token === '[') - Number(token === '}' || token === ']');
    if (depth > maxDepth) {
      return mark.index;
    }
    marks.lastIndex = endOfToken(text, token, marks.lastIndex);
  }
  return undefined;
}

/** The end of a string or a comment, in which brackets do not count; without one, that of the line or file. */
function endOfToken(text: string, token: string, start: number): number {
  switch (token) {
    case '"':
      return endOfText(text, start);
    case '//':
      return indexOrEnd(text, '\n', start);
    case '/*':
      return indexOrEnd(text, '*/', start);
    default:
      return start;
  }
}

function endOfText(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') {
    at += text[at] === '\\' ? 2 : 1;
  }
  return at + 1;
}

function indexOrEnd(text: string, end: string, start: number): number {
  const at = text.indexOf(end, start);
  return at < 0 ? text.length : at + end.length;
}
