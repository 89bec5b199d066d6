import type { PathPlatform } from '../paths/pathNames.ts';
import type { NameMeaning } from './argumentNames.ts';
import { commandWords } from './commandWords.ts';
import type { Found } from './foundPath.ts';
import { findInParts } from './pathsInParts.ts';
import { findInText } from './pathsInText.ts';

/** Finds the paths in a text by what its name says of it; `false` when the text is too long for that. */
export function findByMeaning(
  text: string,
  meaning: NameMeaning,
  platform: PathPlatform,
  found: Found,
): boolean {
  if (meaning === 'command') {
    return findInCommand(text, platform, found);
  }
  if (meaning === 'path' || (meaning === 'place' && text !== '' && !isOtherUri.test(text))) {
    found('path', text);
    findInParts(text, platform, text.length, found);
  } else {
    findInText(text, { platform, isProse: meaning === 'prose' }, found);
  }
  return true;
}

/** A drive would be a scheme of one letter. */
const isOtherUri = /^(?!file:)[a-z][a-z\d+.-]+:/i;

function findInCommand(line: string, platform: PathPlatform, found: Found): boolean {
  if (line.length > longestCommand) {
    return false;
  }
  for (const word of commandWords(line, platform)) {
    findInText(word, { platform, isProse: false }, found);
    found('maybe', word);
  }
  return true;
}

const longestCommand = 100_000;
