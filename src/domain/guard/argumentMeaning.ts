import { atPointer } from '../forms/jsonSchema.ts';
import { isJsonObject, type JsonObject } from '../json.ts';

/**
 * What an argument contains, by its name or schema: a path, a command line, or a URI that may be
 * local. `other` is never a path, even if it looks like one (prose, contents, a query, a route).
 */
export type Meaning = 'path' | 'command' | 'uri' | 'other';

/** A name in lower case, without separators: `FILE-PATH` becomes `filepath`. */
export function joinedName(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}

/**
 * The meaning of a value by its name; `undefined` when the name says nothing. The last word with a
 * meaning counts: `fileContent` is not a path, and `contentFile` is a path.
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

/** The words of a name in lower case: `outputDir` and `output-dir` are `output` and `dir`. */
function nameWords(name: string): readonly string[] {
  // The last words have the meaning. Some patterns below would be slow on long names.
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

/** The names of an edit's old and new text end with one of these words: `old_string`, `newStr`. */
const edited: ReadonlySet<string> = new Set(['str', 'string', 'value']);

/** Words for a path that are joined without a separator: `workdir`, `inputfile`. */
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
    // Words for prose.
    ...['message', 'description', 'prompt', 'title', 'comment', 'question', 'summary', 'thought'],
    ...['instruction', 'reason', 'note', 'subject', 'observation', 'explanation', 'insight'],
    // Words for contents.
    ...['content', 'text', 'body', 'diff', 'patch', 'patches', 'code', 'html', 'markdown'],
    // Words for search terms and query languages.
    ...['query', 'search', 'keyword', 'phrase', 'term', 'sql', 'statement', 'jql', 'cql'],
    ...['regex', 'regexp', 'expression', 'expr', 'formula', 'logql', 'cypher'],
    // Words for notations that use the same signs as paths.
    ...['xpath', 'jsonpath', 'pointer', 'selector', 'locator', 'route', 'endpoint', 'topic'],
    ...['separator', 'delimiter', 'operator'],
  ]),
};

/**
 * The schemas for one place in a tool's arguments: every schema that holds for the place, with all
 * alternatives. Empty where no schema says anything.
 */
export type DeclaredPlace = readonly JsonObject[];

/**
 * Reads a tool's `inputSchema`, so that the hub's guard finds the paths among the arguments. The
 * schema comes from the server, so it may be any value.
 */
export class ArgumentSchema {
  private readonly whole: unknown;
  readonly top: DeclaredPlace;

  constructor(inputSchema: unknown) {
    this.whole = inputSchema;
    this.top = this.alternatives([inputSchema]);
  }

  member(place: DeclaredPlace, name: string): DeclaredPlace {
    return this.alternatives(
      place.map(({ properties, additionalProperties }) =>
        isJsonObject(properties) && Object.hasOwn(properties, name)
          ? properties[name]
          : additionalProperties,
      ),
    );
  }

  entry(place: DeclaredPlace, index: number): DeclaredPlace {
    return this.alternatives(
      place.map(({ prefixItems, items }) =>
        Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items,
      ),
    );
  }

  private alternatives(schemas: readonly unknown[]): DeclaredPlace {
    const found = new Set<JsonObject>();
    const open = [...schemas];
    for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
      if (isJsonObject(next) && !found.has(next) && found.size < mostAlternatives) {
        found.add(next);
        const { $ref, anyOf, oneOf, allOf } = next;
        open.push(...[anyOf, oneOf, allOf].filter(Array.isArray).flat().slice(0, mostAlternatives));
        open.push(atPointer(this.whole, $ref));
      }
    }
    return [...found];
  }
}

const mostAlternatives = 50;

/** The meaning of a text by the schemas for its place; `undefined` when they do not tell. */
export function declaredMeaning(place: DeclaredPlace, text: unknown): Meaning | undefined {
  const said = place.map(schema => meaningIn(schema, text));
  return said.find(meaning => meaning === 'path') ?? said.find(meaning => meaning !== undefined);
}

function meaningIn({ format, description, ...schema }: JsonObject, text: unknown) {
  const isUri = typeof format === 'string' && /^(?:uri|iri|url)/i.test(format);
  if (typeof format === 'string' && !isUri) {
    return pathFormat.test(format) ? 'path' : 'other';
  }
  if (schema['const'] === text || isOneOf(schema['enum'], text)) {
    return text === undefined ? undefined : 'other';
  }
  if (isKey(schema['pattern'], text)) {
    return 'other';
  }
  const said = typeof description === 'string' && meaningOf(description.slice(0, 500));
  return said || (isUri ? 'uri' : undefined);
}

const pathFormat = /^(?:(?:file|directory|folder|dir)-?)?(?:path|file|directory|folder)$/i;

/** Whether the schema allows only plain words and the text is such a word, so not a path. */
function isKey(pattern: unknown, text: unknown): boolean {
  return (
    typeof pattern === 'string' &&
    /^\^(?:[\w[\](){},+*?|:-]|\\[dw-])*\$$/.test(pattern) &&
    typeof text === 'string' &&
    /^[\w-]*$/.test(text)
  );
}

function isOneOf(values: unknown, text: unknown): boolean {
  return Array.isArray(values) && values.slice(0, 1000).includes(text);
}

function meaningOf(description: string): Meaning | undefined {
  if (foreign.test(description) && !ofFiles.test(description)) {
    return 'other';
  }
  return declaring.test(description) ? 'path' : undefined;
}

/** Matches descriptions of values that are no paths on disk, such as the path of a URL. */
const foreign =
  /\b(?:url|uri|https?|api|request|json|object|property|key|dotted|import|module|menu|page|name|symbol)[ -]?paths?\b|\bjson ?(?:path|pointer)|\bxpath\b|\broutes?\b|\bendpoint\b|\blibrary id\b|\bselectors?\b|\breg(?:ular expression|exp?)\b|\bsql\b|\btopic\b|\bbase64\b|\bsearch query\b/i;
const ofFiles = /\b(?:files?|filename|director(?:y|ies)|folders?|disk|absolute path|local path)\b/i;

/** Matches descriptions that begin with a word for a path, or name a kind of path. */
const declaring =
  /^(?:(?:the|an?|optional|required|absolute|relative|full|local|output|input|source|target|destination|working|root|base|parent|new|existing)\W+)*(?:(?:file|directory|folder|filesystem) ?)?(?:path|file ?name|director(?:y|ie)|folder|file)s?(?:$|[,.;:(]| (?:to|of|in|into|from|where|which|that|for|on|or|relative|within|containing|name)\b)|\b(?:absolute|relative|full|local|file ?(?:system)?) paths?\b|\bpaths? (?:to|of) (?:the|an?|your) (?:\w+ )?(?:file|directory|folder|repo\w*)/i;

/** The names of all properties of a schema, at any depth. */
export function argumentNames(inputSchema: unknown): readonly string[] {
  const found = new Set<string>();
  const open = [inputSchema];
  for (let looked = 0; open.length > 0 && looked < mostLooked; looked++) {
    const value = open.pop();
    if (Array.isArray(value)) {
      open.push(...value.slice(0, mostLooked));
    } else if (isJsonObject(value)) {
      const { properties } = value;
      for (const name of isJsonObject(properties) ? Object.keys(properties) : []) {
        found.add(name);
      }
      open.push(...Object.values(value).slice(0, mostLooked));
    }
  }
  return [...found];
}

const mostLooked = 10_000;
