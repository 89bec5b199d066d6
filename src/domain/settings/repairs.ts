import { isJsonObject, type JsonObject, type KeyPath } from '../json.ts';
import { withoutTexts } from '../sentence.ts';
import { httpTypes } from './launchSettings.ts';
import type { Mistake } from './mistakes.ts';
import { nearestTo } from './valueReaders.ts';
import { replaceVariables } from './variables.ts';

/** A way to mend a mistake: to write its key in another way, to leave it out, or another value. */
export type Repair =
  | { readonly kind: 'rename'; readonly to: string }
  | { readonly kind: 'remove' }
  | { readonly kind: 'replace'; readonly value: unknown };

/** Finds the mistakes in a value, as its reader does. */
export type MistakesIn = (whole: unknown) => readonly Mistake[];

/**
 * The ways to mend a mistake, the best one first. They are guesses that the reader itself judges: one
 * is offered only if this mistake is gone afterwards, and there is no new one.
 */
export function repairsOf(whole: unknown, mistake: Mistake, read: MistakesIn): readonly Repair[] {
  const { path, meant } = mistake;
  const there = valueAt(whole, path);
  if (!there) {
    return []; // Something is missing, and nobody knows what.
  }
  const before = read(whole);
  const mends = (repair: Repair) => {
    const after = read(repaired(whole, path, repair));
    return (
      !after.some(one => isSame(one, mistake)) &&
      after.every(one => before.some(other => isSame(one, other)))
    );
  };
  const renamed: readonly Repair[] = meant === undefined ? [] : [{ kind: 'rename', to: meant }];
  const replaced = guesses(there.value, word => mends({ kind: 'replace', value: word })).map(
    (value): Repair => ({ kind: 'replace', value }),
  );
  const found = [...renamed.filter(mends), ...replaced.filter(mends).slice(0, 1)];
  const removed: Repair = { kind: 'remove' };
  return isOfKey(whole, mistake, read) && mends(removed) ? [...found, removed] : found;
}

/** The value after a repair. */
export function repaired(whole: unknown, path: KeyPath, repair: Repair): unknown {
  const [step, ...rest] = path;
  if (step === undefined) {
    return repair.kind === 'replace' ? repair.value : whole;
  }
  if (Array.isArray(whole)) {
    return whole.map((item, index) => (index === step ? repaired(item, rest, repair) : item));
  }
  if (!isJsonObject(whole)) {
    return whole;
  }
  const isHere = rest.length === 0;
  const members = Object.entries(whole).flatMap(([key, value]): (readonly [string, unknown])[] => {
    if (key !== step) {
      return [[key, value]];
    }
    if (isHere && repair.kind === 'remove') {
      return [];
    }
    return isHere && repair.kind === 'rename'
      ? // One that is there already stays as it is, and the repair mends nothing.
        [[Object.hasOwn(whole, repair.to) ? key : repair.to, value]]
      : [[key, repaired(value, rest, repair)]];
  });
  return Object.fromEntries(members);
}

function valueAt(whole: unknown, path: KeyPath): { readonly value: unknown } | undefined {
  let value = whole;
  for (const step of path) {
    const parent: JsonObject | undefined =
      isJsonObject(value) || Array.isArray(value) ? (value as JsonObject) : undefined;
    if (!parent || !Object.hasOwn(parent, step)) {
      return undefined;
    }
    value = parent[step];
  }
  return { value };
}

/** The words that values are chosen from, wherever. */
const words: readonly string[] = [
  ...['stdio', 'http', 'sse', 'auto', 'legacy', '2026-07-28', 'roots', 'args', 'env', 'on', 'off'],
  ...['promptString', 'pickString'],
];

/** Values that could have been meant. */
function guesses(value: unknown, isWord: (word: string) => boolean): readonly unknown[] {
  if (typeof value === 'boolean') {
    return [String(value), value ? 'on' : 'off'];
  }
  if (typeof value === 'number') {
    return [String(value), [String(value)]];
  }
  if (Array.isArray(value)) {
    return [
      [...value, 'args'],
      [...value, 'env'],
    ];
  }
  return typeof value === 'string' ? guessesOfText(value, isWord) : [];
}

function guessesOfText(text: string, isWord: (word: string) => boolean): readonly unknown[] {
  const possible = words.filter(isWord);
  // Where any word will do, none of these was meant.
  const isChosen = possible.length < words.length;
  const near = httpTypes.includes(text) ? 'http' : nearestTo(text, possible);
  const word = isChosen ? near : undefined;
  return [
    ...[true, false].filter(one => String(one) === text),
    ...(word === undefined ? [] : [word]),
    [text],
    ...[
      [text, 'args'],
      [text, 'env'],
    ],
    ...guessesOfVariables(text).filter(guess => guess !== text),
    text.replaceAll('\\', '/'),
  ];
}

/** The text with its variables in the forms in which they might be able to stand there. */
function guessesOfVariables(text: string): readonly string[] {
  return [
    replaceVariables(text, ({ asWritten, variable }) => {
      const [, name] = /^\$\{([A-Za-z_]\w*)(?::-[^}]*)?\}$/.exec(asWritten) ?? [];
      return variable || name === undefined ? asWritten : `\${env:${name}}`;
    }),
    replaceVariables(text, ({ asWritten, variable }) =>
      variable?.kind === 'roots' ? '${rootsJoined:,}' : asWritten,
    ),
    replaceVariables(text, ({ asWritten, variable }) =>
      variable && ['roots', 'rootsJoined', 'workspaceFolder'].includes(variable.kind)
        ? '${firstRoot}'
        : asWritten,
    ),
  ];
}

/** Values of every form that a key takes. */
const anyValues: readonly unknown[] = [
  ...[null, true, 1, 'x', '/x', 'https://example.com', [], ['x'], {}],
  ...words,
];

/** Whether the key itself is the mistake: the reader says the same of it whatever its value is. */
function isOfKey(whole: unknown, mistake: Mistake, read: MistakesIn): boolean {
  const { path } = mistake;
  const withValue = (value: unknown) => repaired(whole, path, { kind: 'replace', value });
  return (
    typeof path.at(-1) === 'string' &&
    anyValues.every(value => read(withValue(value)).some(one => isSame(one, mistake)))
  );
}

/** Whether two mistakes are of one kind and in one place. */
function isSame(one: Mistake, other: Mistake): boolean {
  return (
    withoutTexts(one.said) === withoutTexts(other.said) &&
    JSON.stringify(one.path) === JSON.stringify(other.path)
  );
}
