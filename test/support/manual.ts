import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An example of a manual. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
}

/** A manual: its text with the examples, and these alone. */
export function readManual(name: 'hub' | 'bundledServer' | 'clients') {
  const file = join(import.meta.dirname, '..', '..', 'media', 'help', `${name}.md`);
  const text = readFileSync(file, 'utf8');
  const blocks: CodeBlock[] = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ([, language = '', text = '']) => ({ language, text }),
  );
  return { text, blocks };
}
