import { HumanError } from '../domain/errors.ts';

/** What has to be known when a request is repeated with the answers to the questions of a server. */
export interface Continuation {
  /** The server's own, which it gets back exactly; `undefined` when it sent none. */
  readonly state: string | undefined;
  /** The names of its questions for roots. */
  readonly roots: readonly string[];
}

const mostRoots = 100;

/** As a text that can go to anybody. */
export function continuationText({ state, roots }: Continuation): string {
  return JSON.stringify({ state, roots });
}

/**
 * What such a text says. It may have been changed on its way: the state is the server's to check, and
 * under which names it is told its roots is of no use to anybody else.
 *
 * @throws {HumanError} when it is none.
 */
export function readContinuation(text: string): Continuation {
  const { state, roots } = Object(parsed(text)) as { readonly [key: string]: unknown };
  if ((state !== undefined && typeof state !== 'string') || !isShortListOfTexts(roots)) {
    throw new HumanError('The continuation of a request with answers is broken.');
  }
  return { state, roots };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Which is no continuation either.
  }
}

function isShortListOfTexts(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= mostRoots &&
    value.every(element => typeof element === 'string')
  );
}
