import type { PathPlatform } from '../paths/pathNames.ts';

/**
 * The words a shell could see in a command line, read in two ways: with quotes and escapes taken
 * into account, and parted at every sign that could end a word in some shell or in a quoted command.
 */
export function commandWords(line: string, platform: PathPlatform): ReadonlySet<string> {
  const spaced = line.replace(/\$\{IFS\}|\$IFS\b/g, ' ');
  const words = [...quotedWords(spaced, platform), ...spaced.split(/[\s"'`;|&<>()]+/)];
  const found = new Set(words);
  found.delete('');
  // Where nothing is read from or kept.
  found.delete('/dev/null');
  return found;
}

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
