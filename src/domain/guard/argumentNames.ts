import type { Rules } from './guardRules.ts';
import { joinedName, nameWords } from './nameWords.ts';

/**
 * What the name of an argument says of its value.
 *
 * `path`: it is a path. `place`: it is a path or a URL. `command`: it is a command line, or words of
 * one. `prose`: it is meant for people. `contents`: it is data, and not looked at. `sign`: it is a
 * sign or an expression, `/` or `//div`, or anything else. `left`: the
 * configuration says that neither it nor what is in it is looked at. `other`: nothing is said.
 */
export type NameMeaning =
  | 'path'
  | 'place'
  | 'command'
  | 'prose'
  | 'contents'
  | 'sign'
  | 'left'
  | 'other';

/** What a name says. Of several words that say something the last one counts: `fileContent` is data. */
export function meaningOf(name: string, { checkNames, leaveNames }: Rules): NameMeaning {
  if (checkNames.size > 0 || leaveNames.size > 0) {
    const joined = joinedName(name);
    if (checkNames.has(joined)) {
      return 'path';
    }
    if (leaveNames.has(joined)) {
      return 'left';
    }
  }
  const words = nameWords(name);
  for (let at = words.length - 1; at >= 0; at--) {
    const word = words[at] ?? '';
    const meaning =
      (edited.has(word) && /^(?:old|new)$/.test(words[at - 1] ?? '') ? 'contents' : undefined) ??
      meanings.get(word) ??
      (word.endsWith('s') ? meanings.get(singular(word)) : undefined) ??
      (joinedPath.test(word) ? 'path' : undefined);
    if (meaning) {
      return meaning;
    }
  }
  return 'other';
}

/** Whether it names a folder to work in, which nothing has to be said of. */
export function isOfOptionalFolder(name: string): boolean {
  return /(?:cwd|dir|directory|folder)$/i.test(name);
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '');
}

/** The two texts of an edit are data: `old_string`, `newStr`. */
const edited: ReadonlySet<string> = new Set(['str', 'string', 'value']);

/** Words that were joined without a sign of it: `workdir`, `inputfile`. */
const joinedPath = /(?<!^pro)(?:path|file|filename|dir|directory|folder|cwd)s?$|directories$/;

const wordsOf: Readonly<Record<Exclude<NameMeaning, 'left' | 'other'>, readonly string[]>> = {
  path: ['path', 'file', 'filepath', 'filename', 'pathname', 'directory', 'folder', 'dir', 'cwd'],
  place: ['root', 'uri', 'target', 'source', 'destination', 'src', 'dst', 'dest'],
  command: [
    ...['command', 'cmd', 'cmdline', 'arg', 'argv', 'argument', 'shell', 'script'],
    ...['bash', 'exec', 'option', 'flag'],
  ],
  prose: [
    ...['message', 'description', 'prompt', 'title', 'comment', 'query', 'question', 'summary'],
    ...['instruction', 'reason', 'note', 'subject', 'thought', 'observation', 'explanation'],
  ],
  contents: ['content', 'text', 'body', 'diff', 'patch', 'code', 'html', 'markdown'],
  sign: [
    ...['key', 'separator', 'delimiter', 'operator', 'expression', 'character', 'char', 'symbol'],
    ...['xpath', 'selector', 'locator'],
  ],
};

const meanings: ReadonlyMap<string, NameMeaning> = new Map([
  ...wordsOf.path.map(word => [word, 'path'] as const),
  ...wordsOf.place.map(word => [word, 'place'] as const),
  ...wordsOf.command.map(word => [word, 'command'] as const),
  ...wordsOf.prose.map(word => [word, 'prose'] as const),
  ...wordsOf.contents.map(word => [word, 'contents'] as const),
  ...wordsOf.sign.map(word => [word, 'sign'] as const),
  ['patches', 'contents'],
]);
