import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An example of a manual. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
}

/** The cells of the table with this column, by row and column. */
export function readTable(name: string, column: string): Map<string, Map<string, string>> {
  const text = readFileSync(join(import.meta.dirname, '../../media/help', `${name}.md`), 'utf8');
  const tables = text.split('\n\n').map(part =>
    part.split('\n').map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim()),
    ),
  );
  const [top = [], , ...rows] = tables.find(([first]) => first?.includes(column)) ?? [];
  return new Map(
    rows.map(cells => [cells[0] ?? '', new Map(top.map((title, at) => [title, cells[at] ?? '']))]),
  );
}

/** A manual: its text with the examples, and these alone. */
export function readManual(name: 'hub' | 'hubChecks' | 'bundledServer' | 'clients') {
  const file = join(import.meta.dirname, '..', '..', 'media', 'help', `${name}.md`);
  const text = readFileSync(file, 'utf8');
  const blocks: CodeBlock[] = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ([, language = '', text = '']) => ({ language, text }),
  );
  return { text, blocks };
}
