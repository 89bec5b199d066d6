import { printable } from '../printable.ts';
import type { HubClient } from './clientSnippets.ts';

/**
 * What a client is given as a text to read: the advice as comments in short lines, and below them
 * the snippet as it is.
 */
export function snippetDocument(
  client: HubClient,
  snippet: string,
  advice: readonly string[],
): { readonly language: 'jsonc' | 'shellscript'; readonly content: string } {
  const isCommand = client === 'claude-code';
  const mark = isCommand ? '# ' : '// ';
  const comments = advice
    .flatMap(sentences => wrapped(printable(sentences), longestLine - mark.length))
    .map(line => `${mark}${line}\n`);
  return {
    language: isCommand ? 'shellscript' : 'jsonc',
    content: `${comments.join('')}\n${snippet.trimEnd()}\n`,
  };
}

const longestLine = 80;

/** A word that is longer than a line has one of its own. */
function wrapped(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= length) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}
