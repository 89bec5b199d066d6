import { type Sentence, sentence } from '../sentence.ts';

/**
 * Reads the text of an environment file (dotenv): `NAME=value` by line, with comments, an `export`
 * before the name, and values in quotes, which may span lines. Of two variables with one name, the
 * last counts. Only `\n`, `\r`, `\t`, `\\` and `\"` in double quotes are replaced. No problem ever
 * repeats a line.
 *
 * Not Node's `parseEnv`: versions read a file differently. It cuts a value at any `#`, and one in
 * double quotes at `\"`. So half a password would be passed on.
 */
export function readEnvFile(text: string) {
  const variables: [string, string][] = [];
  const problems: Sentence[] = [];
  let number = 1;
  const lines = text.replace(/\r\n?/g, '\n').matchAll(line);
  for (const [written, name, double, single, back, open, rest = '', unread] of lines) {
    const quoted = double?.replace(/\\([nrt\\"])/g, unescaped) ?? single ?? back;
    if (unread !== undefined) {
      problems.push(sentence(mistakes.unread, `${number}`));
    } else if (open !== undefined) {
      problems.push(sentence(mistakes.open, `${number}`));
    } else if (quoted !== undefined && !/^\s*(?:#.*)?$/.test(rest)) {
      problems.push(sentence(mistakes.more, `${number}`));
    } else if (name !== undefined) {
      variables.push([name, quoted ?? rest.replace(/(?:^|\s)#.*$/s, '').trimEnd()]);
    }
    number += written.split('\n').length - 1;
  }
  return { variables: Object.fromEntries(variables), problems };
}

const mistakes = {
  unread: 'Line {0} must be NAME=value.',
  open: 'Line {0} has a value in quotes without the closing quote.',
  more: 'Line {0} has text after a value in quotes.',
};

// A byte order mark at the start counts as a blank, too.
const blank = '[^\\S\\n]';
const variable = `${blank}*(?:export${blank}+)?([A-Za-z_][\\w.-]*)${blank}*=${blank}*`;
/** A value in quotes. In double quotes, a quote after a backslash belongs to the value. */
const quotes = '"([^"\\\\]*(?:\\\\[\\s\\S][^"\\\\]*)*)"|\'([^\']*)\'|`([^`]*)`';
/** A blank line or a comment; a variable, with a quoted value that may span lines; another line. */
const line = new RegExp(
  `(?:${blank}*(?:#[^\\n]*)?|${variable}(?:${quotes}|(["'\`]))?([^\\n]*)|([^\\n]+))(?:\\n|$)`,
  'gy',
);

function unescaped(_: string, letter: string): string {
  return { n: '\n', r: '\r', t: '\t' }[letter] ?? letter;
}
