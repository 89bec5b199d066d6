import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { shownPath } from '../../src/domain/json.ts';
import { inEnglish, type Sentence } from '../../src/domain/sentence.ts';
import type { Mistake } from '../../src/domain/settings/mistakes.ts';

const root = join(import.meta.dirname, '..', '..');

/** A text that a person or a model reads: `{0}` stands for a value. */
export interface Template {
  /** Its file and function or property, such as `serverFailure.ended`; the next: `….2`. */
  readonly key: string;
  readonly text: string;
}

/** The texts of all sources and of the manifest, in the order of their files. */
export function templates(): Template[] {
  const files = globSync('src/**/*.ts', { cwd: root }).filter(path => !/^src.build/.test(path));
  const manifest: object = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'));
  return [
    ...files.sort().flatMap(path => textsOf(basename(path, '.ts'), read(path))),
    ...Object.entries(manifest).map(([key, text]) => ({ key: `package.nls.${key}`, text })),
  ];
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The texts in the code of a file: literals of several words; `+` joins literals to one text. */
export function textsOf(file: string, code: string): Template[] {
  const parts = literalsOf(code);
  const counts = new Map<string, number>();
  const found: Template[] = [];
  parts.forEach(({ start, end, text }, index) => {
    if (isJoined(parts[index - 1], start)) {
      return;
    }
    let whole = text;
    for (let next = index + 1, last = end; isJoined({ end: last }, parts[next]?.start); next++) {
      whole += parts[next]?.text;
      last = parts[next]?.end ?? 0;
    }
    if (isText(whole)) {
      const key = [file, ...nameBefore(code.slice(0, start))].join('.');
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      found.push({ key: count > 1 ? `${key}.${count}` : key, text: whole });
    }
  });
  return found;

  function isJoined(before: { readonly end: number } | undefined, start: number | undefined) {
    return before && start !== undefined && /^\s*\+\s*$/.test(code.slice(before.end, start));
  }
}

/** Words in a row, and nothing that only code has. */
function isText(text: string): boolean {
  return (
    /[A-Za-z]{2}\S* \S*(?:[A-Za-z]|\{\d)/.test(text) &&
    !/[;{}<>=]\s*\n|=>|<\/|^-\S+ -|\\[nsd(]/.test(text)
  );
}

/** The property or the case that the text is of, else the last function or constant above. */
function nameBefore(code: string): string[] {
  const line = code.slice(code.lastIndexOf('\n') + 1);
  const own = /(?:case )?'?([\w-]+)'?: [^:?]*$/.exec(line)?.[1];
  const above = [
    ...code.matchAll(/^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/gm),
  ].at(-1);
  return [above?.[1], own].filter(name => name !== undefined);
}

interface Literal {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The literals of a code, with `{0}` for the first expression in a template. */
function literalsOf(code: string, from = 0, until = code.length): Literal[] {
  const found: Literal[] = [];
  const token =
    /\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`|(?<=[(,=:?&|!\s])\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;
  token.lastIndex = from;
  for (let match = token.exec(code); match && match.index < until; match = token.exec(code)) {
    const [whole] = match;
    const start = match.index;
    if (whole === '`') {
      const { end, text, inner } = templateAt(code, start + 1);
      found.push({ start, end, text }, ...inner);
      token.lastIndex = end;
    } else if (/^['"]/.test(whole)) {
      found.push({ start, end: token.lastIndex, text: unescaped(whole.slice(1, -1)) });
    }
  }
  return found;
}

/** A template literal from behind its first quote, and the literals in its holes. */
function templateAt(code: string, from: number) {
  const inner: Literal[] = [];
  let text = '';
  let holes = 0;
  let at = from;
  while (at < code.length && code[at] !== '`') {
    if (code.startsWith('${', at)) {
      const end = endOfHole(code, at + 2);
      inner.push(...literalsOf(code, at + 2, end));
      text += `{${holes++}}`;
      at = end + 1;
    } else {
      const length = code[at] === '\\' ? 2 : 1;
      text += unescaped(code.slice(at, at + length));
      at += length;
    }
  }
  return { end: at + 1, text, inner };
}

function endOfHole(code: string, from: number): number {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    if (code[at] === '`') {
      at = templateAt(code, at + 1).end - 1;
    } else if (code[at] === '}' && depth-- === 0) {
      return at;
    } else if (code[at] === '{') {
      depth++;
    }
  }
  return code.length;
}

function unescaped(text: string): string {
  return text.replace(/\\(['`\\$])/g, '$1').replace(/\\n/g, '\n');
}

/**
 * A sentence by the keys of its texts, with their values: `serverFailure.ended(7)`. So tests check
 * which sentence appears where, and leave the words to `test/texts.golden`. Anything else stands as
 * it is, in quotes.
 */
export function said(text: string): string {
  return bestReading(text, new Map()).said;
}

interface Reading {
  readonly said: string;
  /** The characters that are of texts, and not put in. */
  readonly own: number;
}

/** The reading with the most characters of texts: as one text, or as several in a row. */
function bestReading(text: string, known: Map<string, Reading>): Reading {
  const before = known.get(text);
  if (before) {
    return before;
  }
  const ends = [...text.matchAll(/(?<=[.:!?)])\s+|\n+| · /g)];
  const [end] = ends;
  let best = keyed(text);
  for (const { index, 0: gap } of ends) {
    const isFirst = index === end?.index;
    const first =
      keyed(text.slice(0, index)) ??
      (isFirst ? { said: JSON.stringify(text.slice(0, index)), own: 0 } : undefined);
    if (first) {
      const rest = bestReading(text.slice(index + gap.length), known);
      const own = first.own + rest.own;
      if (own > (best?.own ?? -1)) {
        best = { said: `${first.said} ${rest.said}`, own };
      }
    }
  }
  const reading = best ?? { said: JSON.stringify(text), own: 0 };
  known.set(text, reading);
  return reading;
}

/** {@link said} of a sentence, by names alone: where the values or the place tell the texts of one name apart. */
export function saidBy(sentence: Sentence): string {
  return said(inEnglish(sentence)).replace(/\.\d+(?=\()/g, '');
}

/** A mistake in a setting: the place in its entry, and the text that says what to write, without its file. */
export function mistakeBy({ path: [, ...place], said }: Mistake): string {
  const [, advice = said] = said.values as readonly (Sentence | undefined)[];
  return `${shownPath(place)} ${saidBy(advice).replace(/^\w+\./, '')}`.trim();
}

/** A sentence as one text: the one with the most words. */
function keyed(sentence: string): Reading | undefined {
  let best: { readonly key: string; readonly values: readonly string[] } | undefined;
  let longest = 0;
  for (const { key, part, pattern, own } of patterns()) {
    if (own > longest && sentence.includes(part)) {
      const values = pattern.exec(sentence)?.slice(1);
      if (values) {
        best = { key, values };
        longest = own;
      }
    }
  }
  if (!best) {
    return undefined;
  }
  const values = best.values.map(value => keyed(value) ?? { said: value, own: 0 });
  const own = values.reduce((sum, value) => sum + value.own, longest);
  return { said: `${best.key}(${values.map(value => value.said).join(', ')})`, own };
}

/** The contents of `test/texts.golden`, which a test compares with the sources. */
function goldenTexts(): Template[] {
  const lines = read('test/texts.golden')
    .trimEnd()
    .split(/\n(?! {2})/);
  return lines.map(line => {
    const end = line.indexOf(': ');
    return { key: line.slice(0, end), text: line.slice(end + 2).replaceAll('\n  ', '\n') };
  });
}

let known: readonly { key: string; part: string; pattern: RegExp; own: number }[] | undefined;

function patterns() {
  known ??= goldenTexts().map(({ key, text }) => {
    const parts = text.split(/\{\d+\}/);
    const pattern = parts
      .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('([\\s\\S]*?)');
    const [part = ''] = parts.toSorted((one, other) => other.length - one.length);
    return { key, part, pattern: new RegExp(`^${pattern}$`), own: parts.join('').length };
  });
  return known;
}
