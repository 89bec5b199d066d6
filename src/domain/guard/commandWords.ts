import type { PathPlatform } from '../paths/pathNames.ts';

/**
 * The words a shell could see in a command line, read in two ways: with quotes and escapes taken
 * into account, and parted at every sign that could end a word in some shell or in a quoted command.
 */
export function commandWords(line: string, platform: PathPlatform): ReadonlySet<string> {
  const spaced = withoutAnsiQuotes(line).replace(/\$\{IFS\}|\$IFS\b/g, ' ');
  const words = [...quotedWords(spaced, platform), ...spaced.split(/[\s"'`;|&<>()]+/)];
  const found = new Set(words);
  found.delete('');
  // Where nothing is read from or kept.
  found.delete('/dev/null');
  return found;
}

/** With the characters that Bash puts for the escapes in `$'\057a'`. */
function withoutAnsiQuotes(line: string): string {
  return line.includes("$'")
    ? line.replace(/\$'((?:[^'\\]|\\[\s\S])*)'/g, (_, text: string) =>
        text.replace(ansiEscape, (_whole, octal?: string, hex = '') =>
          String.fromCharCode(Number.parseInt(octal ?? hex, octal === undefined ? 16 : 8)),
        ),
      )
    : line;
}

const ansiEscape = /\\(?:([0-7]{1,3})|(?:x|u|U0{0,4})([\da-fA-F]{1,4}))/g;

function quotedWords(line: string, platform: PathPlatform): readonly string[] {
  const words: string[] = [];
  const signs = platform === 'win32' ? windowsSign : posixSign;
  let word = '';
  for (const [sign, blank, double, single, escaped] of line.matchAll(signs)) {
    if (blank === undefined) {
      word += double?.replace(/\\(["\\$`\n])/g, '$1') ?? single ?? escaped ?? sign;
    } else {
      words.push(word);
      word = '';
    }
  }
  return [...words, word];
}

const posixSign =
  /([\s;|&<>()`]+)|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])|[^\s;|&<>()`"'\\]+|[\s\S]/g;
const windowsSign = /([\s;|&<>()]+)|"([^"]*)"|'([^']*)'|\^([\s\S])|[^\s;|&<>()"'^]+|[\s\S]/g;
