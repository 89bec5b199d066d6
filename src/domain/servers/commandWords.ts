/** A command line as a shell takes it apart. */
interface CommandWords {
  readonly words: readonly string[];
  /** Signs between the words on which only a shell can act, in their order: `|`, `&&`, `>`. */
  readonly operators: readonly string[];
  /**
   * Whether a quote is not closed, or a backslash is the last character. A double quote then goes on
   * to the end of the line, an apostrophe is left out: it stands in prose, too.
   */
  readonly isOpen: boolean;
}

/**
 * Splits a command line as the shell would that it was written for, in time that grows with its
 * length. Quotes and escapes are taken away, and nothing is expanded: a `${variable}` of ours stays
 * whole, whatever it holds.
 *
 * @param isWindows whether a backslash separates the parts of a path, rather than quotes.
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
      // A line that ends with a backslash goes on in the next one.
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
 * The words as a line that {@link commandWords} splits into them again; `undefined` for words with a
 * line break, which no field for a line can hold.
 */
export function joinedWords(words: readonly string[], isWindows: boolean): string | undefined {
  const plain = isWindows ? /^[\w@%+=:,./\\~-]+$/ : /^[\w@%+=:,./~-]+$/;
  return words.some(word => /[\n\r]/.test(word))
    ? undefined
    : words.map(word => (plain.test(word) ? word : quoted(word))).join(' ');
}

/** In the quotes in which nothing has a meaning, as far as those are not in the word itself. */
function quoted(word: string): string {
  return /["'\\`$]/.test(word)
    ? word.replace(/'+|[^']+/g, part => (part.startsWith("'") ? `"${part}"` : `'${part}'`))
    : `"${word}"`;
}
