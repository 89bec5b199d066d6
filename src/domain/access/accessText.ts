import { type Sentence, sentence } from '../sentence.ts';
import type { AccessTable } from './accessTable.ts';

/** A table as text, with tabs between its columns, for a sheet or a message. */
export function accessText(
  { folders, rows }: AccessTable,
  localized: (text: Sentence) => string,
): string {
  const head = [
    localized(sentence('Server')),
    localized(sentence('State')),
    ...folders.map(({ name, place }) => `${name} (${place})`),
  ];
  const lines = rows.map(({ name, about, cells }) => [
    name,
    about.join(', '),
    ...cells.map(({ words }) => words.map(localized).join(', ')),
  ]);
  return [head, ...lines].map(line => `${line.join('\t')}\n`).join('');
}
