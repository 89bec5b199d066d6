import type { PathPlatform } from '../paths/pathNames.ts';
import { goesHome, wordsBehindChange } from './changeOfFolder.ts';
import { commandWords } from './commandWords.ts';
import type { Found } from './foundPath.ts';
import { findInText } from './pathsInText.ts';
import { expansionsOf } from './variables.ts';

/** Finds the paths in a command line, or in a word of one; `false` when it is too long for that. */
export function findInCommand(line: string, platform: PathPlatform, found: Found): boolean {
  if (line.length > longestCommand) {
    return false;
  }
  if (platform !== 'win32' && goesHome(line)) {
    found('path', '~');
  }
  if (isSingleWord.test(line)) {
    findInWord(line, platform, found);
  } else if (isArithmetic.test(line)) {
    return true;
  } else if (isPlainLine.test(line) && !/cd|chdir|pushd|-C/.test(line)) {
    for (const word of line.split(/ +/)) {
      findInWord(word, platform, found);
    }
  } else if (!(platform !== 'win32' && isOfBrowser.test(line))) {
    findInWords(withoutFilters(line), platform, found);
  }
  return true;
}

const longestCommand = 100_000;
const isSingleWord = /^[\w./=:@,+-]+$/;
/** Without anything that a shell treats in its own way. */
const isPlainLine = /^[\w ./=:@,+-]+$/;
const isArithmetic = /^(?:return )?\d[\d\s.+*/()-]*;?$/;
/** For a shell of POSIX systems this can't be read, so that nothing of it is run. */
const isOfBrowser = /^(?:return )?(?:document|window)(?:\.\w+)+\(['"][^\n;|&`$<>]*;?$/;

function findInWords(line: string, platform: PathPlatform, found: Found): void {
  for (const [, folder = ''] of line.matchAll(changes)) {
    found('folder', folder);
  }
  const change = wordsBehindChange(line);
  for (const word of commandWords(change ? change.start : line, platform)) {
    for (const form of expansionsOf(word)) {
      findInWord(form, platform, found);
    }
  }
  for (const word of change?.words ?? []) {
    findInWord(word, platform, found);
  }
}

/** Also of Git and `make`. */
const changes = /(?<![^\s;&|(])(?:cd|pushd|chdir|-C)\s+["']?([^\s;&|()"'`<>]+)/g;

function findInWord(word: string, platform: PathPlatform, found: Found): void {
  if (platform === 'win32' && /^\/[a-z?]{1,2}$/i.test(word)) {
    return;
  }
  if (platform === 'win32' && /^[a-z]:[\w.]/i.test(word)) {
    found('path', word);
  }
  findInText(word, { platform, isProse: false }, found);
  if (!word.startsWith('-') && /[*?[]|\{[\w-]+\.\./.test(word)) {
    // Most shells don't take `**` for more than `*`.
    found('word', word.replace(/\*+/g, '*'));
  }
}

/**
 * Without what is a program of `awk`, or a pattern that looks for a comment, and can be nothing else:
 * in a line without other quotes, and without anything that could run a text as a command.
 */
function withoutFilters(line: string): string {
  const [, start, end] = awkLine.exec(line) ?? grepLine.exec(line) ?? [];
  return start === undefined || end === undefined ? line : `${start}${end}`;
}

const awkLine =
  /^((?:[\w ./*-]*\| ?)?[gm]?awk(?: -F ?\S{1,3})?) '(?:\/[^'/\n]*\/ ?)?(?:[^'"/{}\n]*\{[^'"{}\n]*\} ?)*'([\w ./|*-]*)$/;
const grepLine =
  /^((?:[\w ./*-]*\| ?)?(?:grep|rg|ag)(?: -[\w-]+){0,9}) (?:"\/\/ ?[\w .:-]*"|'\/\/ ?[\w .:-]*')([\w ./|*-]*)$/;
