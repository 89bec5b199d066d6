/**
 * The declared content of an argument, by its name or by its schema: a path, a command line, a URI,
 * which may be one of this machine, or something that is no path whatever it looks like (prose,
 * contents, a query, a route).
 */
export type Meaning = 'path' | 'command' | 'uri' | 'other';

/** A name without the signs between its words and without letter case: `FILE-PATH` as `filepath`. */
export function joinedName(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}

/**
 * The meaning of a value by its name; `undefined`: not known. Of several words that say something the last
 * one counts, so that `fileContent` is no path and `contentFile` is one.
 */
export function meaningOfName(name: string): Meaning | undefined {
  const words = nameWords(name);
  for (let at = words.length - 1; at >= 0; at--) {
    const word = words[at] ?? '';
    const isOfEdit = edited.has(word) && /^(?:old|new)$/.test(words[at - 1] ?? '');
    const meaning = isOfEdit ? 'other' : meaningOfWord(word);
    if (meaning) {
      return meaning;
    }
  }
  return undefined;
}

function meaningOfWord(word: string): Meaning | undefined {
  const single = word.replace(/ies$/, 'y').replace(/s$/, '');
  const known = (['path', 'command', 'other'] as const).find(
    meaning => wordsOf[meaning].has(word) || wordsOf[meaning].has(single),
  );
  return known ?? (joinedPath.test(word) ? 'path' : undefined);
}

/** The words of a name in lower case, however they are joined: `outputDir` is `output` and `dir`. */
function nameWords(name: string): readonly string[] {
  // The last words of a name have its meaning. Some patterns below would be slow on long names.
  const end = name.slice(-100);
  const apart = /[A-Z]/.test(end)
    ? end
        .replace(/([a-z\d])([A-Z])/g, '$1 $2')
        .replace(/([A-Z])([A-Z](?!s(?![a-z]))[a-z])/g, '$1 $2')
    : end;
  return apart
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(word => word !== '');
}

/** The two texts of an edit are contents: `old_string`, `newStr`. */
const edited: ReadonlySet<string> = new Set(['str', 'string', 'value']);

/** Words for a path that were joined without a sign of it: `workdir`, `inputfile`. */
const joinedPath =
  /^(?:in|out|old|new|input|output|work|working|base|root|home|tmp|temp|data|log|src|sub|target|dest|full|abs|rel|file|folder|dir|repo|project|local|parent|source|config|upload|download|cache|save)(?:path|file|filename|dir|directory|folder)s?$/;

const wordsOf: Readonly<Record<Exclude<Meaning, 'uri'>, ReadonlySet<string>>> = {
  path: new Set([
    ...['path', 'pathname', 'file', 'filename', 'directory', 'dir', 'dirname', 'folder', 'cwd'],
    ...['root', 'uri', 'source', 'src', 'destination', 'dest', 'dst', 'target'],
  ]),
  command: new Set([
    ...['command', 'cmd', 'cmdline', 'arg', 'argv', 'argument', 'shell', 'script'],
    ...['bash', 'exec', 'option', 'flag'],
  ]),
  other: new Set([
    // Prose.
    ...['message', 'description', 'prompt', 'title', 'comment', 'question', 'summary', 'thought'],
    ...['instruction', 'reason', 'note', 'subject', 'observation', 'explanation', 'insight'],
    // Contents.
    ...['content', 'text', 'body', 'diff', 'patch', 'patches', 'code', 'html', 'markdown'],
    // Search terms, and query languages.
    ...['query', 'search', 'keyword', 'phrase', 'term', 'sql', 'statement', 'jql', 'cql'],
    ...['regex', 'regexp', 'expression', 'expr', 'formula', 'logql', 'cypher'],
    // Notations that use the same signs as paths.
    ...['xpath', 'jsonpath', 'pointer', 'selector', 'locator', 'route', 'endpoint', 'topic'],
    ...['separator', 'delimiter', 'operator'],
  ]),
};
