import { isJsonObject } from '../../domain/json.ts';
import { redactor } from '../../domain/secrets/redact.ts';
import { HumanError, isHumanError, withTexts } from '../../domain/sentence.ts';
import type { Failure } from '../../domain/servers/serverFailure.ts';
import { causesOf } from './failure.ts';

/**
 * The secrets of one server: the values it was started with, and added values like the tokens of a
 * sign-in. No text from the server may repeat them.
 */
export class KnownSecrets {
  private readonly given: readonly string[];
  private readonly learned = new Set<string>();
  private redact: ((text: string) => string) | undefined;

  constructor(given: readonly string[] = []) {
    this.given = given;
  }

  /** Counts these as secrets from now on. Ignores `undefined`. */
  add(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets.filter(one => one !== undefined)) {
      this.learned.add(secret);
    }
    this.redact = undefined;
  }

  /** The text with every secret known so far made unreadable. */
  redacted(text: string): string {
    this.redact ??= redactor([...this.given, ...this.learned]);
    return this.redact(text);
  }
}

/** Fields with our own texts. They stay as they are, so that templates can be translated. */
const ours: ReadonlySet<string> = new Set(['kind', 'lack', 'template', 'signal']);

/** The failure with the secrets in every text redacted, whatever its field. */
export function withoutSecrets(failure: Failure, secrets: KnownSecrets): Failure {
  return JSON.parse(JSON.stringify(failure), (name, value) =>
    typeof value === 'string' && !ours.has(name) ? secrets.redacted(value) : value,
  );
}

/**
 * Redacts an error and its causes in place, so that their classes and codes stay. A `HumanError`,
 * and a thrown value that is not an error, is replaced by a new error.
 */
export function redactedError(error: unknown, secrets: KnownSecrets): Error {
  if (isHumanError(error)) {
    return new HumanError(withTexts(error.sentence, text => secrets.redacted(text)));
  }
  if (!(error instanceof Error)) {
    return new Error(secrets.redacted(String(error)));
  }
  for (const one of causesOf(error)) {
    if (one instanceof Error) {
      redactWords(one, secrets);
    }
  }
  return error;
}

function redactWords(error: Error, secrets: KnownSecrets): void {
  if ('data' in error) {
    replace(error, 'data', redactedData(error.data, secrets));
  }
  for (const name of ['message', 'stack'] as const) {
    const words = error[name] ?? '';
    const clean = secrets.redacted(words);
    if (clean !== words) {
      replace(error, name, clean);
    }
  }
}

/** Sets a property by defining it: an assignment fails for the texts of some platform errors. */
function replace(error: Error, name: string, value: unknown): void {
  Object.defineProperty(error, name, { value, configurable: true, writable: true });
}

/** The data of a server's error with every text redacted, and nothing else changed. */
function redactedData(data: unknown, secrets: KnownSecrets): unknown {
  if (typeof data === 'string') {
    return secrets.redacted(data);
  }
  if (Array.isArray(data)) {
    return data.map(element => redactedData(element, secrets));
  }
  // An object with another prototype comes from the platform, not from JSON that a server sent.
  if (!isJsonObject(data) || Object.getPrototypeOf(data) !== Object.prototype) {
    return data;
  }
  const entries = Object.entries(data);
  return Object.fromEntries(
    entries.map(([key, value]) => [secrets.redacted(key), redactedData(value, secrets)]),
  );
}
