import type { KeyPath } from '../servers/keyPath.ts';
import { canHold } from '../servers/launchProblem.ts';
import type { Mistakes } from './mistakes.ts';

/** A JSON object whose values nothing is known about. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that is not blank. Of anything else the mistake is noted; `undefined` is none. */
export function readText(
  value: unknown,
  place: string,
  advice: string,
  mistakes: Mistakes,
): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (typeof value === 'string' && value.trim() !== '') {
    return value;
  }
  mistakes.addAt(place, advice);
  return undefined;
}

/**
 * The texts of a list, and for each item that is none what `instead` says. `undefined` when there is
 * no list.
 */
export function readTexts(
  value: unknown,
  place: string,
  mistakes: Mistakes,
  instead: readonly string[] = [],
): readonly string[] | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (!Array.isArray(value)) {
    mistakes.addAt(place, 'must be a list of texts: ["one", "two"].');
    return undefined;
  }
  return value.flatMap((item: unknown, index) => {
    if (typeof item === 'string') {
      return [item];
    }
    mistakes.addAt([place, index], 'must be a text. Write it in quotes.');
    return instead;
  });
}

/** A switch; what is neither on nor off counts as not there. */
export function readSwitch(value: unknown, place: string, mistakes: Mistakes): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') {
    return value;
  }
  mistakes.addAt(place, 'must be true or false, without quotes.');
  return undefined;
}

/** How the values of variables or of headers are named, and what those may hold. */
export interface NamedValues {
  readonly place: 'env' | 'headers';
  readonly name: RegExp;
  readonly advice: string;
}

/** The texts by name. A number counts as its text, and `null` as not there, as in `mcp.json`. */
export function readNamedTexts(
  value: unknown,
  { place, name: allowed, advice }: NamedValues,
  mistakes: Mistakes,
): Readonly<Record<string, string>> {
  if (value === undefined) {
    return {};
  }
  if (!isJsonObject(value)) {
    mistakes.addAt(place, 'must be an object of texts by name: { "NAME": "value" }.');
    return {};
  }
  const texts = Object.entries(value).flatMap(([name, item]): [string, string][] => {
    const at = [place, name];
    if (!allowed.test(name)) {
      mistakes.addAt(at, advice);
      return [];
    }
    if (typeof item === 'string' || typeof item === 'number') {
      return [[name, String(item)]];
    }
    if (item !== null) {
      mistakes.addAt(at, 'must be a text. Write it in quotes.');
    }
    return [];
  });
  return Object.fromEntries(texts);
}

/** Notes which of the texts hold characters that no process and no header can be given. */
export function checkCharacters(
  texts: readonly { readonly place: KeyPath; readonly text: string; readonly key?: string }[],
  mistakes: Mistakes,
): void {
  for (const { place, text, key } of texts) {
    if (!canHold(key === 'headers', text)) {
      mistakes.addAt(place, 'holds a character that cannot stand there.');
    }
  }
}
