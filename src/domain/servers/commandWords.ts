/** A command line, split like a shell does. */
interface CommandWords {
  readonly words: readonly string[];
  /** Operators between the words that only a shell can execute, in order: `|`, `&&`, `>`. */
  readonly operators: readonly string[];
  /**
   * Whether a quote is not closed, or the last character is a backslash. An open double quote then
   * extends to the end of the line; an open apostrophe is dropped, because it stands in prose, too.
   */
  readonly isOpen: boolean;
}

/**
 * Splits a command line like the shell it was written for, in linear time. Removes quotes and
 * escapes, and expands nothing: our `${variable}` stays whole, whatever it contains.
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
      // A line that ends with a backslash continues on the next line.
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
 * with a line break, since a one-line field can't hold them.
 */
export function joinedWords(words: readonly string[], isWindows: boolean): string | undefined {
  const plain = isWindows ? /^[\w@%+=:,./\\~-]+$/ : /^[\w@%+=:,./~-]+$/;
  return words.some(word => /[\n\r]/.test(word))
    ? undefined
    : words.map(word => (plain.test(word) ? word : quoted(word))).join(' ');
}

/** The word in quotes that leave it unchanged, switching quotes where the word contains them. */
function quoted(word: string): string {
  return /["'\\`$]/.test(word)
    ? word.replace(/'+|[^']+/g, part => (part.startsWith("'") ? `"${part}"` : `'${part}'`))
    : `"${word}"`;
}
