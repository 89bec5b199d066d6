import { type Sentence, sentence } from '../sentence.ts';

/** A command line in its parts. */
export type CommandWords =
  | {
      readonly ok: true;
      /** Variables set before the command, as shells allow: `TOKEN=x npx server`. */
      readonly env: Readonly<Record<string, string>>;
      readonly command: string;
      readonly args: readonly string[];
    }
  | { readonly ok: false; readonly problem: Sentence };

/**
 * Splits a command line as the shell would that a person copied it for. Nothing is expanded, and
 * what needs a shell to run is refused: a server is started without one.
 *
 * @param isWindows whether a backslash separates the parts of a path, rather than quotes.
 */
export function commandWords(line: string, isWindows: boolean): CommandWords {
  const words: string[] = [];
  let rest = line.trim();
  while (rest !== '') {
    const word = (isWindows ? windowsWord : posixWord).exec(rest)?.[0] ?? '';
    const problem = word === '' ? problemAt(rest) : undefined;
    if (problem) {
      return { ok: false, problem };
    }
    words.push(unquoted(word, isWindows));
    rest = rest.slice(word.length).trimStart();
  }
  return parts(words);
}

// Variables of ours are words, or parts of them, whatever they hold but braces.
const variable = String.raw`\$\{[^{}]*\}`;
const posixWord = new RegExp(
  String.raw`^(?:${variable}|'[^']*'|"(?:\\.|[^"\\])*"|\\.|(?!${variable})[^\s'"\\|&;<>])+(?!\S)`,
  's',
);
const windowsWord = new RegExp(
  String.raw`^(?:${variable}|'[^']*'|"(?:\\.|[^"\\])*"|(?!${variable})[^\s'"|&;<>])+(?!\S)`,
  's',
);

function problemAt(rest: string): Sentence {
  const [operator] = /^[^\s'"|&;<>]*([|&;<>]+)/.exec(rest)?.slice(1) ?? [];
  return operator === undefined
    ? sentence('A quote is not closed.')
    : sentence('Only one program can be started here; "{0}" needs a shell (sh -c "…").', operator);
}

function unquoted(word: string, isWindows: boolean): string {
  const pattern = new RegExp(String.raw`${variable}|'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)`, 'gs');
  return word.replace(pattern, (found, single, double, escaped) => {
    if (single !== undefined) {
      return single;
    }
    if (double !== undefined) {
      return double.replace(isWindows ? /\\(")/g : /\\(["\\$`])/g, '$1');
    }
    return escaped === undefined || isWindows ? found : escaped;
  });
}

function parts(words: readonly string[]): CommandWords {
  const isSetting = (word: string) => /^[A-Za-z_]\w*=/.test(word);
  const at = words.findIndex(word => !isSetting(word));
  const [command = '', ...args] = at < 0 ? [] : words.slice(at);
  if (command === '') {
    return { ok: false, problem: sentence('Enter the program to start and its arguments.') };
  }
  const settings = words.slice(0, at).map(word => {
    const equals = word.indexOf('=');
    return [word.slice(0, equals), word.slice(equals + 1)];
  });
  return { ok: true, env: Object.fromEntries(settings), command, args };
}
