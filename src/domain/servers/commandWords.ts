/** A command line, split as a shell would split it. */
interface CommandWords {
  readonly words: readonly string[];
  /** The operators between the words, in order: `|`, `&&`, `>`. Only a shell can execute them. */
  readonly operators: readonly string[];
  /**
   * Whether a quote is not closed, or the last character is a backslash. An open double quote
   * extends to the line's end. An open apostrophe is dropped, because prose has apostrophes, too.
   */
  readonly isOpen: boolean;
}

/**
 * Splits a command line like the shell it was written for, in linear time. Removes quotes and
 * escapes, and expands nothing. Our `${variable}` stays whole, whatever it contains.
 *
 * @param isWindows whether a backslash separates the parts of a path instead of escaping.
 */
export function commandWords(line: string, isWindows: boolean): CommandWords {
  const words: string[] = [];
  const operators: string[] = [];
  let isOpen = false;
  let word: string | undefined;
  const endWord = () => {
    words.push(...(word === undefined ? [] : [word]));
    word = undefined;
  };
  const parts = line.matchAll(isWindows ? windowsPart : posixPart);
  for (const [, blank, operator, plain, single, double, end, escaped] of parts) {
    if (operator !== undefined) {
      operators.push(operator);
    }
    if (blank !== undefined || operator !== undefined) {
      endWord();
      continue;
    }
    const quoted = double?.replace(isWindows ? /\\(")/g : /\\(["\\$`])/g, '$1');
    const text = plain ?? single ?? quoted ?? escaped;
    isOpen ||= text === undefined || end === '';
    if (text !== undefined && escaped !== '\n') {
      // If a line ends with a backslash, the word continues on the next line.
      word = (word ?? '') + text;
    }
  }
  endWord();
  return { words, operators, isOpen };
}

const windowsPart =
  /(\s+)|([|&;<>]+)|(\$\{[^{}]*\}|[^\s'"|&;<>$]+|\$)|'([^']*)'|"((?:\\[\s\S]|[^"\\])*\\?)("|$)|[\s\S]/g;
const posixPart =
  /(\s+)|([|&;<>]+)|(\$\{[^{}]*\}|[^\s'"\\|&;<>$]+|\$)|'([^']*)'|"((?:\\[\s\S]|[^"\\])*\\?)("|$)|\\([\s\S])|[\s\S]/g;

/**
 * The words as a line that {@link commandWords} splits into the same words; `undefined` for words
 * with a line break, because a one-line field can't hold them.
 */
export function joinedWords(words: readonly string[], isWindows: boolean): string | undefined {
  const plain = isWindows ? /^[\w@%+=:,./\\~-]+$/ : /^[\w@%+=:,./~-]+$/;
  return words.some(word => /[\n\r]/.test(word))
    ? undefined
    : words.map(word => (plain.test(word) ? word : quoted(word))).join(' ');
}

/** Quotes a word so that it stays the same. A word that contains quotes needs several kinds. */
function quoted(word: string): string {
  return /["'\\`$]/.test(word)
    ? word.replace(/'+|[^']+/g, part => (part.startsWith("'") ? `"${part}"` : `'${part}'`))
    : `"${word}"`;
}
