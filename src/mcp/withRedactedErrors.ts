import { HumanError, isHumanError } from '../domain/errors.ts';
import { causesOf } from './failure.ts';
import type { KnownSecrets } from './knownSecrets.ts';

/**
 * The promise, whose error repeats no secret: it has the class and the codes of the error it was, and
 * so have its causes, in words that are made clean in place. What is thrown without being an error
 * becomes one.
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
    const { template, values } = error.sentence;
    return new HumanError(template, ...values.map(value => secrets.redacted(value)));
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

/** Not by assignment: the words of some errors of the platform can't be assigned. */
function replace(error: Error, name: string, value: unknown): void {
  Object.defineProperty(error, name, { value, configurable: true, writable: true });
}

/** What a server says besides of its error: every text in it made clean, and nothing else changed. */
function redactedData(data: unknown, secrets: KnownSecrets): unknown {
  if (typeof data === 'string') {
    return secrets.redacted(data);
  }
  if (Array.isArray(data)) {
    return data.map(element => redactedData(element, secrets));
  }
  // Whatever else the platform may have put there is not of JSON, and did not come from a server.
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
