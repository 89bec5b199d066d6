import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { cut, printable } from '../../domain/printable.ts';
import { element, inPortions, textView } from '../elements.ts';
import type { PageWords } from '../host.ts';

/** A text with more characters is shown below its row, where it has room. */
const longestRow = 200;

/**
 * A value as a tree, open at its root. The parts of an object or a list are drawn when a person
 * opens it, in portions, because there may be any number.
 */
export function valueTree(value: unknown, label: string, words: PageWords): HTMLElement {
  const tree = element('div', { class: 'tree', role: 'group', 'aria-label': label });
  tree.append(partView(undefined, value, words, true));
  return tree;
}

function partView(
  name: string | undefined,
  value: unknown,
  words: PageWords,
  isOpen = false,
): HTMLElement {
  const row = [
    name !== undefined && element('bdi', { class: 'key' }, printable(cut(name, longestRow))),
    name !== undefined && ': ',
    element('bdi', {}, shown(value)),
  ];
  if (typeof value === 'string' ? !isLongText(value) : countOf(value) === 0) {
    return element('div', { class: 'row' }, ...row);
  }
  const inside = element('div');
  const part = element('details', {}, element('summary', {}, ...row), inside);
  if (isOpen) {
    fill(inside, value, words);
    part.open = true;
  } else {
    part.addEventListener('toggle', () => fill(inside, value, words), { once: true });
  }
  return part;
}

function fill(inside: HTMLElement, value: unknown, words: PageWords): void {
  if (typeof value === 'string') {
    inside.append(textView(value, words));
    return;
  }
  const names = Array.isArray(value) ? undefined : Object.keys(Object(value));
  const partAt = (at: number) => {
    const name = names?.[at] ?? String(at);
    return partView(name, (value as JsonObject)[name], words);
  };
  inPortions(inside, countOf(value), partAt, words);
}

function isLongText(text: string): boolean {
  return text.length > longestRow || /[\r\n]/.test(text);
}

/** How many parts a value has. Only lists and objects have parts. */
function countOf(value: unknown): number {
  return Array.isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0;
}

/** A value in its row. For a list or an object, the number of its parts. */
function shown(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${countOf(value)}]`;
  }
  if (isJsonObject(value)) {
    return `{${countOf(value)}}`;
  }
  return printable(JSON.stringify(typeof value === 'string' ? cut(value, longestRow) : value));
}
