import { type Sentence, sentence } from '../sentence.ts';

/**
 * Reads the text of an environment file (dotenv): `NAME=value` by line, with comments, an `export`
 * before the name, and values in quotes, which may span lines. If a name stands twice, the last
 * value counts. Only `\n`, `\r`, `\t`, `\\` and `\"` in double quotes are replaced. A problem never
 * quotes the contents of a line.
 *
 * Node's `parseEnv` is not used, because its versions differ. It ends a value at any `#`, and a
 * value in double quotes at `\"`. So a server would get half a password.
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

// A byte order mark at the start counts as a blank.
const blank = '[^\\S\\n]';
const variable = `${blank}*(?:export${blank}+)?([A-Za-z_][\\w.-]*)${blank}*=${blank}*`;
/** A value in quotes. In double quotes, a backslash before a quote keeps the value open. */
const quotes = '"([^"\\\\]*(?:\\\\[\\s\\S][^"\\\\]*)*)"|\'([^\']*)\'|`([^`]*)`';
/** Blank or a comment; a variable, whose value in quotes may span lines; or another line. */
const line = new RegExp(
  `(?:${blank}*(?:#[^\\n]*)?|${variable}(?:${quotes}|(["'\`]))?([^\\n]*)|([^\\n]+))(?:\\n|$)`,
  'gy',
);

function unescaped(_: string, letter: string): string {
  return { n: '\n', r: '\r', t: '\t' }[letter] ?? letter;
}
