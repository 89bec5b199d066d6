import { isJsonObject, type JsonObject, type KeyPath, shownPath } from '../json.ts';
import { printable } from '../printable.ts';
import { type Sentence, sentence, withTexts } from '../sentence.ts';
import { canHold } from '../servers/launch.ts';

/** The setting that has the mistakes. Each sentence about a mistake begins with it. */
export type Subject =
  | 'Server "{0}" in mcpRoots.servers'
  | 'Input "{0}" in mcpRoots.inputs'
  | 'Server "{0}"'
  | 'The configuration';

/** The most mistakes: nobody reads more, and a text may hold any number of unknown variables. */
const most = 50;

/** A mistake, and the path of the part that has it. An empty path means the whole value. */
export interface Mistake {
  readonly path: KeyPath;
  /** The sentence with the name of the faulty definition. */
  readonly text: Sentence;
  /** The sentence without that name, for places that show only one definition. */
  readonly said: Sentence;
}

/** A mistake in something that has no name. */
export function plainMistake(path: KeyPath, text: Sentence): Mistake {
  return { path, text, said: text };
}

/** A part's mistakes, with their paths in the whole value. */
export function placedIn(path: KeyPath, mistakes: readonly Mistake[]): readonly Mistake[] {
  return mistakes.map(mistake => ({ ...mistake, path: [...path, ...mistake.path] }));
}

/**
 * Collects the mistakes in the definition of one server or input. Each names the definition, the
 * key, and what to write instead. None repeats a value, because it may be a secret.
 */
export class Mistakes {
  private readonly subject: Sentence;
  private readonly found: Mistake[] = [];
  private outer: KeyPath = [];

  constructor(subject: Subject, name: string) {
    this.subject = sentence(subject, printable(name));
  }

  get all(): readonly Mistake[] {
    return this.found;
  }

  /** Notes a mistake in the whole definition. */
  add(text: string): void {
    this.note({ path: this.outer, said: sentence(text) });
  }

  /** Notes a mistake. `text` follows the place, which is relative to the part being read. */
  addAt(place: string | KeyPath, text: string | Sentence, ...values: readonly string[]): void {
    this.note(this.at(place, sentence(text, ...values)));
  }

  /** Runs `read`. The places that `read` notes are relative to `path`. */
  within<T>(path: KeyPath, read: () => T): T {
    const { outer } = this;
    this.outer = [...outer, ...path];
    const value = read();
    this.outer = outer;
    return value;
  }

  private at(place: string | KeyPath, text: Sentence): Omit<Mistake, 'text'> {
    const path = [...this.outer, ...(typeof place === 'string' ? [place] : place)];
    return { path, said: withTexts(sentence('"{0}" {1}', shownPath(path), text), printable) };
  }

  private note(mistake: Omit<Mistake, 'text'>): void {
    if (this.found.length < most) {
      const text = sentence('{0}: {1}', this.subject, mistake.said);
      this.found.push({ ...mistake, text });
    }
  }
}

/** Reads the value of a key and notes its mistakes. A missing key has the value `undefined`. */
export type Reader<T, More extends readonly unknown[] = []> = (
  value: unknown,
  mistakes: Mistakes,
  ...more: More
) => T;

/** The form of a value, in JSON Schema's words. The schemas for editors come from these forms. */
export interface Form {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly default?: string | boolean;
  readonly anyOf?: readonly Form[];
  readonly items?: Form;
  readonly additionalProperties?: Form;
  readonly properties?: Readonly<Record<string, { readonly form: Form }>>;
}

/** A key of a definition: the form of its value, and its reader. */
export interface Key<T, More extends readonly unknown[]> {
  readonly form: Form;
  readonly read: Reader<T, More>;
}

/** The advice when a value must be a text. */
export const notText = 'must be a text. Write it in quotes.';

/** Common forms, and a key for a switch. */
export const text: Form = { type: 'string' };
export const texts: Form = { type: 'array', items: text };
export const onOff = { form: { type: 'boolean' }, read: readSwitch };

/** Reads the values of an object by these keys. */
export function readKeys<
  More extends readonly unknown[],
  Read extends Readonly<Record<string, Key<unknown, More>>>,
>(object: JsonObject, keys: Read, mistakes: Mistakes, ...more: More) {
  const values = Object.entries(keys).map(([key, { read }]) => [
    key,
    mistakes.within([key], () => read(object[key], mistakes, ...more)),
  ]);
  return Object.fromEntries(values) as {
    readonly [K in keyof Read]: ReturnType<Read[K]['read']>;
  };
}

/** A text that is not blank. Notes a mistake for any other value except `undefined`. */
export function readText(value: unknown, mistakes: Mistakes, advice: string): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (typeof value === 'string' && value.trim() !== '') {
    return value;
  }
  mistakes.addAt([], advice);
  return undefined;
}

/**
 * The texts of a list. `instead` replaces each item that is not a text. `undefined` if the value is
 * not a list.
 */
export function readTexts(
  value: unknown,
  mistakes: Mistakes,
  instead: readonly string[] = [],
): readonly string[] | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (!Array.isArray(value)) {
    mistakes.addAt([], 'must be a list of texts: ["one", "two"].');
    return undefined;
  }
  return value.flatMap((item: unknown, index) => {
    if (typeof item === 'string') {
      return [item];
    }
    mistakes.addAt([index], notText);
    return instead;
  });
}

/** The chosen value; `undefined` if the key is missing or the choice unknown. */
export function readChoice<const T extends string>(
  value: unknown,
  mistakes: Mistakes,
  choices: readonly T[],
): T | undefined {
  const known = choices.find(choice => choice === value);
  if (!known && value !== undefined) {
    const named = choices.map(choice => `"${choice}"`);
    mistakes.addAt([], 'must be {0} or {1}.', named.slice(0, -1).join(', '), named.at(-1) ?? '');
  }
  return known;
}

/** Reads true or false. Any other value counts as missing. */
export function readSwitch(value: unknown, mistakes: Mistakes): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') {
    return value;
  }
  mistakes.addAt([], 'must be true or false, without quotes.');
  return undefined;
}

/** Whether a value is a text, or a number or boolean that can be written as a text. */
export function hasText(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * The texts by name. A number or a boolean counts as its text, and `null` as missing.
 *
 * @param advice the message for a name of the wrong form.
 */
export function readNamedTexts(
  value: unknown,
  mistakes: Mistakes,
  form: RegExp,
  advice: string,
): Readonly<Record<string, string>> {
  if (value === undefined) {
    return {};
  }
  if (!isJsonObject(value)) {
    mistakes.addAt([], 'must be an object of texts by name: { "NAME": "value" }.');
    return {};
  }
  const texts = Object.entries(value).flatMap(([name, item]): [string, string][] => {
    if (!form.test(name)) {
      mistakes.addAt(name, advice);
      return [];
    }
    if (hasText(item)) {
      return [[name, String(item)]];
    }
    if (item !== null) {
      mistakes.addAt(name, notText);
    }
    return [];
  });
  return Object.fromEntries(texts);
}

/** Notes texts with characters that a process or a header can't receive. */
export function checkCharacters(
  texts: readonly { readonly place: KeyPath; readonly text: string; readonly key?: string }[],
  mistakes: Mistakes,
): void {
  for (const { place, text, key } of texts) {
    if (!canHold(key === 'headers', text)) {
      mistakes.addAt(place, 'holds a character that is not allowed there.');
    }
  }
}

/** Notes the unknown keys of an object. */
export function checkKnown(object: JsonObject, known: readonly string[], mistakes: Mistakes): void {
  for (const key of Object.keys(object).filter(key => !known.includes(key))) {
    noteUnknown(key, known, mistakes);
  }
}

/** Notes an unknown key, and the known key that its author may have meant. */
export function noteUnknown(key: string, known: readonly string[], mistakes: Mistakes): void {
  const nearest = nearestTo(key, known);
  if (nearest === undefined) {
    mistakes.addAt(key, 'is not a known key. Known keys: {0}.', known.join(', '));
  } else {
    mistakes.addAt(key, 'is not a known key. Did you mean "{0}"?', nearest);
  }
}

/** The known word that the author may have meant; `undefined` if there is none. */
export function nearestTo(written: string, known: readonly string[]): string | undefined {
  // No known word has so many characters, and a comparison takes longer for longer words.
  if (written.length > 30) {
    return undefined;
  }
  const word = written.toLowerCase();
  const ranked = known
    .map(key => ({ key, lower: key.toLowerCase() }))
    .map(({ key, lower }) => ({ key, lower, distance: editDistance(word, lower) }))
    .sort((a, b) => a.distance - b.distance);
  // `headres` means `headers`, `environment` means `env`, `serverUrl` means `url`, and `arguments`
  // means `args`.
  const meant =
    ranked.find(({ lower, distance }) => distance <= Math.min(2, lower.length / 2)) ??
    ranked.find(({ lower }) => word.startsWith(lower) || word.endsWith(lower)) ??
    ranked.find(({ lower }) => word.startsWith(lower.slice(0, 3)));
  return meant?.key;
}

/** How many characters to add, remove or replace to turn one word into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
