import { inMarkdown } from '../printable.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { legendOf, remarksOn } from './accessLegend.ts';
import type { AccessCell, AccessRow, AccessTable } from './accessTable.ts';
import { accessWord, remarkWord } from './accessWords.ts';

/** When and where a table was true. */
export interface AccessMoment {
  readonly workspace: string;
  /** With the date, and the zone of every time in the table. */
  readonly time: string;
}

/**
 * A table as Markdown that can be read as plain text: its columns are aligned, and its words are
 * explained below it. No name in it is more than text.
 */
export function accessText(
  table: AccessTable,
  { workspace, time }: AccessMoment,
  localized: (text: Sentence) => string,
): string {
  const cellText = (cell: AccessCell) => textOf(cell, localized);
  const head = [
    localized(sentence('Server')),
    localized(sentence('State')),
    ...table.folders.map(({ name }) => asText(name)),
  ];
  const rows = table.rows.map(row => [
    headText(row, localized),
    [row.state, ...(row.keeping ?? []), ...(row.routes ?? [])].map(asText).join(', '),
    ...row.cells.map(cellText),
  ]);
  const places = table.folders.map(({ name, place }) => `- ${asText(name)}: ${asText(place)}`);
  const words = legendOf(table).map(
    ({ word, meaning }) => `- ${localized(word)}: ${localized(meaning)}`,
  );
  const text = [
    `# ${localized(sentence('Who sees what in {0}', asText(workspace)))}`,
    time,
    lines([head, ...rows]),
    ...(places.length > 0 ? [places.join('\n')] : []),
    ...(words.length > 0 ? [words.join('\n')] : []),
  ].join('\n\n');
  return `${text}\n`;
}

function headText({ kind, name }: AccessRow, localized: (text: Sentence) => string): string {
  const text = asText(name);
  return kind === 'client' ? localized(sentence('client {0}', text)) : text;
}

function textOf(cell: AccessCell, localized: (text: Sentence) => string): string {
  const { word, time } = cell;
  const words = [
    ...(word === 'none' ? [] : [accessWord(word)]),
    ...remarksOn(cell).map(remarkWord),
  ];
  const said = words.map(localized).join(', ');
  return time ? `${said} (${time})` : said;
}

/** The rows of a Markdown table, each column as wide as its widest text. The first row is its head. */
function lines(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(3, ...rows.map(row => width(row[at]))));
  const [head = '', ...rest] = rows.map(row =>
    rowText(widths.map((wide, at) => `${row[at] ?? ''}${' '.repeat(wide - width(row[at]))}`)),
  );
  return [head, rowText(widths.map(wide => '-'.repeat(wide))), ...rest].join('\n');
}

function rowText(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function width(text = ''): number {
  return [...text].length;
}

/** What Markdown shows as it is, too. Most names are that, and are best read without escapes. */
const plain = /^[\p{L}\p{N}~/][\p{L}\p{N}\p{M} .,:/()_\u2026\u00b7-]*$/u;
/** What some make a link, or a list, of. */
const meaning = /:\/\/|www\.|^\d+[.)]|\b_|_\b/i;

function asText(text: string): string {
  return plain.test(text) && !meaning.test(text) ? text : inMarkdown(text);
}
