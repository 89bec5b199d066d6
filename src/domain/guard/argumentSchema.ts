import { isJsonObject, type JsonObject } from '../json.ts';
import type { Meaning } from './argumentNames.ts';

/**
 * The schemas of one place in the arguments of a tool: every schema that holds there, those
 * of all its alternatives among them. Empty where nothing is said.
 */
export type DeclaredPlace = readonly JsonObject[];

/**
 * Reads what the `inputSchema` of a tool says of its arguments, for the hub's guard to find the paths
 * among them. The schema comes from the server and may be anything.
 */
export class ArgumentSchema {
  private readonly whole: unknown;
  readonly top: DeclaredPlace;

  constructor(inputSchema: unknown) {
    this.whole = inputSchema;
    this.top = this.alternatives([inputSchema]);
  }

  /** The place of a member of an object. */
  member(place: DeclaredPlace, name: string): DeclaredPlace {
    return this.alternatives(
      place.map(({ properties, additionalProperties }) =>
        isJsonObject(properties) && Object.hasOwn(properties, name)
          ? properties[name]
          : additionalProperties,
      ),
    );
  }

  /** The place of an entry of a list. */
  entry(place: DeclaredPlace, index: number): DeclaredPlace {
    return this.alternatives(
      place.map(({ prefixItems, items }) =>
        Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items,
      ),
    );
  }

  /** The schemas themselves, with what they refer to and all their alternatives. */
  private alternatives(schemas: readonly unknown[]): DeclaredPlace {
    const found = new Set<JsonObject>();
    const open = [...schemas];
    for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
      if (isJsonObject(next) && !found.has(next) && found.size < mostAlternatives) {
        found.add(next);
        const { $ref, anyOf, oneOf, allOf } = next;
        open.push(...[anyOf, oneOf, allOf].filter(Array.isArray).flat().slice(0, mostAlternatives));
        open.push(typeof $ref === 'string' ? this.referred($ref) : undefined);
      }
    }
    return [...found];
  }

  private referred(ref: string): unknown {
    if (!ref.startsWith('#/')) {
      return ref === '#' ? this.whole : undefined;
    }
    const names = ref.slice(2).split('/', 20);
    return names.reduce<unknown>((at, name) => {
      const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
      return isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    }, this.whole);
  }
}

const mostAlternatives = 50;

/** The meaning of a text by the schemas of its place; `undefined`: not known. */
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

/** Whether the text is a plain word, where the schema admits nothing but such: no sign of a path. */
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

/** The meaning in a description, by the words that people and models write. */
function meaningOf(description: string): Meaning | undefined {
  if (foreign.test(description) && !ofFiles.test(description)) {
    return 'other';
  }
  return declaring.test(description) ? 'path' : undefined;
}

/** A description of a path that is none on disk, such as that of a URL, or of no path at all. */
const foreign =
  /\b(?:url|uri|https?|api|request|json|object|property|key|dotted|import|module|menu|page|name|symbol)[ -]?paths?\b|\bjson ?(?:path|pointer)|\bxpath\b|\broutes?\b|\bendpoint\b|\blibrary id\b|\bselectors?\b|\breg(?:ular expression|exp?)\b|\bsql\b|\btopic\b|\bbase64\b|\bsearch query\b/i;
const ofFiles = /\b(?:files?|filename|director(?:y|ies)|folders?|disk|absolute path|local path)\b/i;

/** A description that begins with a word for a path, or says what kind of path it is. */
const declaring =
  /^(?:(?:the|an?|optional|required|absolute|relative|full|local|output|input|source|target|destination|working|root|base|parent|new|existing)\W+)*(?:(?:file|directory|folder|filesystem) ?)?(?:path|file ?name|director(?:y|ie)|folder|file)s?(?:$|[,.;:(]| (?:to|of|in|into|from|where|which|that|for|on|or|relative|within|containing|name)\b)|\b(?:absolute|relative|full|local|file ?(?:system)?) paths?\b|\bpaths? (?:to|of) (?:the|an?|your) (?:\w+ )?(?:file|directory|folder|repo\w*)/i;

/** The names of all properties that a schema has anywhere. */
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
