import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A language that no person speaks, known to the editor: texts in it can be told from all others. */
export const pseudoLanguage = 'qps-ploc';

/**
 * Translates an installed extension: each of its texts stands between `⟦` and `⟧`, with its
 * placeholders. What a person sees outside of those is a text that no translator could reach, or none
 * of ours.
 */
export function translate(extension: string): void {
  const words = readJson(join(extension, 'package.nls.json'));
  const manifest = Object.entries(words).map(([key, text]) => [key, marked(String(text))]);
  writeJson(join(extension, `package.nls.${pseudoLanguage}.json`), Object.fromEntries(manifest));
  // Without a translation of its own, the extension names no folder of them.
  const file = join(extension, 'package.json');
  writeJson(file, { ...readJson(file), l10n: './l10n' });
  const bundle = [...literals()].map(text => [text, marked(text)]);
  mkdirSync(join(extension, 'l10n'), { recursive: true });
  writeJson(
    join(extension, 'l10n', `bundle.l10n.${pseudoLanguage}.json`),
    Object.fromEntries(bundle),
  );
}

/** A text as it is in that language. */
export function marked(text: string): string {
  // The editor reads lines one by one, and a line that is a link as a button.
  const lines = text.split('\n').map(line => {
    const [, words, target] = /^\[(.+)\](\(command:.+\))$/.exec(line) ?? [];
    return words === undefined ? between(line) : `[⟦${words}⟧]${target}`;
  });
  return lines.join('\n');
}

/** What is put into a text later is no part of it. */
function between(line: string): string {
  return `⟦${line.replaceAll(/\{\d+\}/g, '⟧$&⟦')}⟧`;
}

/** What of a text is in no language's words: all that stands outside of the marks. */
export function unmarked(text: string): string {
  return text.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ');
}

const source = join(import.meta.dirname, '..', '..', 'src');

/** All strings of our code: those to translate are among them. */
function literals(): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const file of globSync('**/*.ts', { cwd: source })) {
    const code = readFileSync(join(source, file), 'utf8');
    for (const [literal] of code.matchAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g)) {
      texts.add(unquoted(literal));
    }
  }
  return texts;
}

function unquoted(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\(?:u([\da-f]{4})|(.))/gi, (_, code: string | undefined, sign: string) =>
      code ? String.fromCharCode(Number.parseInt(code, 16)) : (escapes[sign] ?? sign),
    );
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', 0: '\0' };

function readJson(file: string): object {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, JSON.stringify(value));
}
