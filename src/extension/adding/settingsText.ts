import {
  applyEdits,
  createScanner,
  type Edit,
  type FormattingOptions,
  modify,
  parseTree,
} from 'jsonc-parser';
import { isJsonObject, isSameJson, type JsonObject, type KeyPath } from '../../domain/json.ts';
import {
  type JsonNode,
  placeInTree,
  type TreePlace,
  tooDeepAt,
  valueOfTree,
} from '../../domain/jsonTree.ts';

/**
 * The text of a file with one value replaced. Comments, order and format stay, except in the parts
 * that change.
 *
 * @param path where the value is.
 * @returns `undefined` when the text can't be read or changed, or lacks `before` at the path.
 */
export function withValueAt(
  text: string,
  path: KeyPath,
  before: unknown,
  after: unknown,
): string | undefined {
  const known = valueIn(text, path);
  if (!known.ok || !isSameJson(known.value, before)) {
    return undefined;
  }
  const changed = changes(path, before, after).reduce(applied, text);
  const written = valueIn(changed, path);
  return written.ok && isSameJson(written.value, after) ? changed : undefined;
}

/** Whether both texts hold the same value, in any format. */
export function isSameText(one: string, other: string): boolean {
  const [first, second] = [valueIn(one, []), valueIn(other, [])];
  return first.ok && second.ok && isSameJson(first.value, second.value);
}

/** One step of changing a value in a text. */
type TextChange =
  | { readonly kind: 'set'; readonly path: KeyPath; readonly value: unknown }
  | { readonly kind: 'remove'; readonly path: KeyPath }
  | { readonly kind: 'rename'; readonly path: KeyPath; readonly to: string };

function changes(path: KeyPath, before: unknown, after: unknown): TextChange[] {
  if (isSameJson(before, after)) {
    return [];
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    return changesOfObject(path, before, after);
  }
  if (Array.isArray(before) && Array.isArray(after) && isOfSameItems(before, after)) {
    return after.flatMap((value, at) => changes([...path, at], before[at], value));
  }
  return [after === undefined ? { kind: 'remove', path } : { kind: 'set', path, value: after }];
}

function changesOfObject(path: KeyPath, before: JsonObject, after: JsonObject): TextChange[] {
  const renamed = withNewKey(before, after);
  if (renamed) {
    const { from, to, value } = renamed;
    return [{ kind: 'rename', path: [...path, from], to }, ...changes(path, value, after)];
  }
  const removed = Object.keys(before).filter(key => !Object.hasOwn(after, key));
  return [
    ...removed.map(key => ({ kind: 'remove', path: [...path, key] }) as const),
    ...Object.keys(after).flatMap(key => changes([...path, key], before[key], after[key])),
  ];
}

/** The rename of one key that gives `before` the keys of `after`; `undefined` if no rename does. */
function withNewKey(before: JsonObject, after: JsonObject) {
  const from = Object.keys(before).find(key => !Object.hasOwn(after, key));
  const to = Object.keys(after).find(key => !Object.hasOwn(before, key));
  if (from === undefined || to === undefined || !isSameJson(before[from], after[to])) {
    return undefined;
  }
  const entries = Object.entries(before).map(([key, value]) => [key === from ? to : key, value]);
  const value: JsonObject = Object.fromEntries(entries);
  return isSameJson(Object.keys(value), Object.keys(after)) ? { from, to, value } : undefined;
}

/** Whether items keep their places: the list kept its length, or only got items at its end. */
function isOfSameItems(before: readonly unknown[], after: readonly unknown[]): boolean {
  const isBeginning = before.every((item, at) => isSameJson(item, after[at]));
  return before.length === after.length || (before.length < after.length && isBeginning);
}

function applied(text: string, change: TextChange): string {
  if (change.kind !== 'set') {
    const { kind, path } = change;
    const isRename = kind === 'rename';
    return applyEdits(text, [
      ...(isRename ? renaming(text, path, change.to) : removing(text, path)),
    ]);
  }
  const formattingOptions = formOf(text);
  const isItem = typeof change.path.at(-1) === 'number';
  const isArrayInsertion = isItem && !memberAt(text, change.path).isExact;
  return applyEdits(
    text,
    modify(text, [...change.path], change.value, { formattingOptions, isArrayInsertion }),
  );
}

function memberAt(text: string, path: KeyPath): TreePlace {
  return placeInTree(parseTree(text) as JsonNode, path);
}

function renaming(text: string, path: KeyPath, to: string): readonly Edit[] {
  const { key } = memberAt(text, path);
  return key ? [{ offset: key.offset, length: key.length, content: JSON.stringify(to) }] : [];
}

/**
 * The edits that remove a part of a text, with its comma and the rest of its lines. The edits that
 * the parser itself makes would also remove comments on other parts.
 */
function removing(text: string, path: KeyPath): readonly Edit[] {
  const { key, value } = memberAt(text, path);
  const start = (key ?? value).offset;
  const end = value.offset + value.length;
  const after = commaAfter(text, end);
  const commas = [after ?? commaBefore(text, start)].filter(at => at !== undefined);
  const isNext = after !== undefined && text.slice(end, after).trim() === '';
  const [from, to] = wholeLines(text, start, isNext ? after + 1 : end);
  const cut = { offset: from, length: to - from, content: '' };
  const others = commas.filter(at => at < from || at >= to);
  return [cut, ...others.map(offset => ({ offset, length: 1, content: '' }))];
}

/** The offset of the comma that follows `end`, after comments; `undefined` without a comma. */
function commaAfter(text: string, end: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at : undefined;
}

function commaBefore(text: string, start: number): number | undefined {
  const scanner = createScanner(text, true);
  let last: number | undefined;
  for (scanner.scan(); scanner.getTokenOffset() < start; scanner.scan()) {
    last = scanner.getTokenOffset();
  }
  return last !== undefined && text[last] === ',' ? last : undefined;
}

/** The range, extended to whole lines if nothing else is in these lines. */
function wholeLines(text: string, start: number, end: number): readonly [number, number] {
  const [before = ''] = /[^\n]*$/.exec(text.slice(0, start)) ?? [];
  const [after = ''] = /^[^\n]*\n?/.exec(text.slice(end)) ?? [];
  const isAll = before.trim() === '' && after.trim() === '' && after.endsWith('\n');
  return isAll ? [start - before.length, end + after.length] : [start, end];
}

/** The indentation and line ends of a text of JSON. */
export function formOf(text: string): FormattingOptions {
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(text) ?? [];
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function valueIn(text: string, path: KeyPath): { ok: boolean; value?: unknown } {
  const root = tooDeepAt(text) === undefined ? parseTree(text) : undefined;
  if (!root) {
    return { ok: false };
  }
  const { value, isExact } = placeInTree(root, path);
  return { ok: true, value: isExact ? valueOfTree(value).value : undefined };
}
