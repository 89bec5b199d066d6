import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An example of the README. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
}

/** A section of the README, by its heading: its text with the examples, and these alone. */
export function readmeSection(heading: string) {
  const readme = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
  const text = readme.split(/^## /m).find(section => section.startsWith(`${heading}\n`));
  if (text === undefined) {
    throw new Error(`The README has no section "${heading}".`);
  }
  const blocks: CodeBlock[] = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ([, language = '', text = '']) => ({ language, text }),
  );
  return { text, blocks };
}

/** What the README says of the hub. */
export function hubSection() {
  return readmeSection('The hub: your roots in front of other servers');
}
