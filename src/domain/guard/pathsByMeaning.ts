import type { PathPlatform } from '../paths/pathNames.ts';
import type { NameMeaning } from './argumentNames.ts';
import { findInCommand } from './commandPaths.ts';
import type { Found } from './foundPath.ts';
import { findInPart, findInParts } from './pathsInParts.ts';
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
    findInPath(text, platform, found);
  } else if (meaning !== 'sign' || !isSign.test(text)) {
    findInText(text, { platform, isProse: meaning === 'prose' }, found);
  }
  return true;
}

/** A drive would be a scheme of one letter. */
const isOtherUri = /^(?!file:)[a-z][a-z\d+.-]+:/i;

/** Behind dots it is that of a name, as all that begins so has to be inside. */
const gap = /(?<!\/\.{1,2})[\s|]+/;

/** A single sign, or what begins an expression of XPath. */
const isSign = /^[\\/]$|^\/\/[a-z*@]/i;

function findInPath(text: string, platform: PathPlatform, found: Found): void {
  found('path', text);
  findInParts(text, platform, text.length, found);
  // It may be a list.
  for (const word of text.split(gap).slice(1)) {
    findInPart(word, platform, found);
  }
}
