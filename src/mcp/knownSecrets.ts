import { redactor } from '../domain/secrets/redact.ts';
import { HumanError, isHumanError, withTexts } from '../domain/sentence.ts';
import type { Failure } from '../domain/servers/serverFailure.ts';
import { causesOf } from './failure.ts';

/** Bound on added secrets: a server gets new tokens all the time, and old ones expire. */
const mostLearned = 200;

/**
 * The secrets of one server, which no text from it may repeat: the values it was started with, and
 * the ones that were added since, such as the tokens of a sign-in.
 */
export class KnownSecrets {
  private readonly given: readonly string[];
  private readonly learned = new Set<string>();
  private redact: ((text: string) => string) | undefined;

  constructor(given: readonly string[] = []) {
    this.given = given;
  }

  /** Counts these as secrets from now on; `undefined` is passed over. */
  add(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets) {
      if (secret !== undefined) {
        this.learned.delete(secret);
        this.learned.add(secret);
      }
    }
    for (const oldest of [...this.learned].slice(0, -mostLearned)) {
      this.learned.delete(oldest);
    }
    this.redact = undefined;
  }

  /** The text with every secret that is known by now made unreadable. */
  redacted(text: string): string {
    this.redact ??= redactor([...this.given, ...this.learned]);
    return this.redact(text);
  }
}

/** The texts of a failure that are our own, which a secret may equal: a translation is found by its template. */
const ours: ReadonlySet<string> = new Set(['kind', 'lack', 'template', 'signal']);

/** The failure, in which no text repeats a secret, whatever its field. */
export function withoutSecrets(failure: Failure, secrets: KnownSecrets): Failure {
  return JSON.parse(JSON.stringify(failure), (name, value) =>
    typeof value === 'string' && !ours.has(name) ? secrets.redacted(value) : value,
  );
}

/**
 * The promise, whose error repeats no secret: the error and its causes keep their classes and codes,
 * and their texts are redacted in place. A thrown value that is no error becomes one.
 */
export async function withRedactedErrors<T>(
  promise: Promise<T>,
  secrets: KnownSecrets,
): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw redactedError(error, secrets);
  }
}

function redactedError(error: unknown, secrets: KnownSecrets): Error {
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

/** Sets a property. Not by assignment, which fails for the texts of some errors of the platform. */
function replace(error: Error, name: string, value: unknown): void {
  Object.defineProperty(error, name, { value, configurable: true, writable: true });
}

/** The data of a server's error: every text in it redacted, and nothing else changed. */
function redactedData(data: unknown, secrets: KnownSecrets): unknown {
  if (typeof data === 'string') {
    return secrets.redacted(data);
  }
  if (Array.isArray(data)) {
    return data.map(element => redactedData(element, secrets));
  }
  // Any other object is not from JSON: the platform put it there, not a server.
  if (
    typeof data !== 'object' ||
    data === null ||
    Object.getPrototypeOf(data) !== Object.prototype
  ) {
    return data;
  }
  const entries = Object.entries(data);
  return Object.fromEntries(
    entries.map(([key, value]) => [secrets.redacted(key), redactedData(value, secrets)]),
  );
}
