import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', '..', 'media', 'walkthrough');

/** The lines of text in a picture of the walkthrough, from top to bottom. */
export function pictured(name: string): string[] {
  const picture = readFileSync(join(folder, `${name}.svg`), 'utf8');
  const lines = new Map<string, string[]>();
  for (const [, y = '', text = ''] of picture.matchAll(/<text [^>]*y="(\d+)"[^>]*>([^<]*)</g)) {
    lines.set(y, [...(lines.get(y) ?? []), text]);
  }
  return [...lines.values()].map(texts => texts.join(': '));
}
