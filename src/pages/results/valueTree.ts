import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { cut, printable } from '../../domain/printable.ts';
import { element } from '../elements.ts';
import type { Words } from '../host.ts';
import { textView } from './textView.ts';

/** How many parts are drawn at a time. */
const portion = 100;
/** A longer text is not drawn in its row, but below it, where it has room. */
const longestRow = 200;

type Item = HTMLDivElement;

/**
 * A value as a tree, which is walked with the arrow keys. What is in an object or a list is drawn when
 * that is opened, and a portion at a time: there may be any number.
 */
export function valueTree(value: unknown, label: string, words: Words): HTMLElement {
  const { t } = words;
  /** What is done when an item is opened for the first time, or chosen. */
  const actions = new WeakMap<Element, () => void>();
  const root = valueItem(undefined, value, 1);
  const tree = element('div', { class: 'tree', role: 'tree', 'aria-label': label }, root);
  root.tabIndex = 0;
  choose(root);
  tree.addEventListener('keydown', event => {
    const item = itemOf(event);
    const isOurs = item && !(event.ctrlKey || event.metaKey || event.altKey);
    if (isOurs && event.target === item && press(item, event.key)) {
      event.preventDefault();
    }
  });
  tree.addEventListener('click', event => {
    const item = itemOf(event);
    if (item && (event.target as Element).closest('.row')) {
      focus(item);
      choose(item);
    }
  });
  return tree;

  function valueItem(name: string | undefined, value: unknown, level: number): Item {
    const item = rowItem(
      level,
      name !== undefined && element('bdi', { class: 'key' }, printable(cut(name, longestRow))),
      name !== undefined && ': ',
      element('bdi', { class: kindOf(value) }, shown(value)),
    );
    if (typeof value === 'string' ? isLongText(value) : countOf(value) > 0) {
      item.setAttribute('aria-expanded', 'false');
      actions.set(item, () => fill(item, value, level + 1));
    }
    return item;
  }

  function rowItem(level: number, ...content: Parameters<typeof element>[2][]): Item {
    const row = element('div', { class: 'row' }, ...content);
    const attributes = { role: 'treeitem', tabindex: '-1', 'aria-level': String(level) };
    return element('div', attributes, row);
  }

  function fill(item: Item, value: unknown, level: number): void {
    const group = element('div', { role: 'group' });
    item.append(group);
    if (typeof value === 'string') {
      const text = rowItem(level);
      text.append(textView(value, words));
      group.append(text);
    } else {
      const names = Array.isArray(value) ? undefined : Object.keys(Object(value));
      const partAt = (at: number) => {
        const name = names?.[at] ?? String(at);
        return valueItem(name, (value as JsonObject)[name], level);
      };
      grow(group, partAt, 0, countOf(value), level);
    }
  }

  function grow(
    group: HTMLElement,
    partAt: (at: number) => Item,
    start: number,
    count: number,
    level: number,
  ): void {
    const end = Math.min(count, start + portion);
    group.append(...Array.from({ length: end - start }, (_, at) => partAt(start + at)));
    if (end < count) {
      const more = rowItem(level, t('Show More ({0} Left)', String(count - end)));
      more.classList.add('more');
      actions.set(more, () => {
        more.remove();
        grow(group, partAt, end, count, level);
        focus(group.children.item(end) as Item);
      });
      group.append(more);
    }
  }

  /** Opens or closes an item, or does what it is for. */
  function choose(item: Item): true {
    const isOpen = item.getAttribute('aria-expanded');
    if (isOpen !== 'true') {
      actions.get(item)?.();
      actions.delete(item);
    }
    if (isOpen !== null) {
      item.setAttribute('aria-expanded', String(isOpen === 'false'));
    }
    return true;
  }

  /** Whether the key means something here. */
  function press(item: Item, key: string): boolean {
    const isOpen = item.getAttribute('aria-expanded');
    switch (key) {
      case 'ArrowDown':
      case 'ArrowUp':
        return focus(beside(item, key === 'ArrowDown' ? 1 : -1));
      case 'Home':
        return focus(root);
      case 'End':
        return focus(visibleItems().at(-1));
      case 'ArrowRight':
        return isOpen === 'false' ? choose(item) : isOpen === null || focus(beside(item, 1));
      case 'ArrowLeft':
        return isOpen === 'true'
          ? choose(item)
          : focus(item.parentElement?.closest<Item>('[role=treeitem]') ?? undefined);
      case 'Enter':
      case ' ':
        return choose(item);
      default:
        return false;
    }
  }

  function beside(item: Item, step: number): Item | undefined {
    const items = visibleItems();
    return items[items.indexOf(item) + step];
  }

  function visibleItems(): Item[] {
    const closed = '[aria-expanded=false] [role=treeitem]';
    return [...tree.querySelectorAll<Item>(`[role=treeitem]:not(${closed})`)];
  }

  function focus(item: Item | undefined): true {
    if (item) {
      tree.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
      item.tabIndex = 0;
      item.focus();
    }
    return true;
  }
}

function itemOf({ target }: Event): Item | undefined {
  const item = target instanceof Element ? target.closest<Item>('[role=treeitem]') : undefined;
  return item ?? undefined;
}

function isLongText(text: string): boolean {
  return text.length > longestRow || /[\r\n]/.test(text);
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

/** How many parts a value has; it is in parts if it is a list or an object. */
function countOf(value: unknown): number {
  return Array.isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0;
}

/** A value in its row: one that has parts by how many it has. */
function shown(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${countOf(value)}]`;
  }
  if (isJsonObject(value)) {
    return `{${countOf(value)}}`;
  }
  return printable(JSON.stringify(typeof value === 'string' ? cut(value, longestRow) : value));
}
