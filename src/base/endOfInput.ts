import type { OpenRequests } from './openRequests.ts';
import { within } from './timeLimit.ts';

/**
 * The time for open requests once a client has closed its end, and then for the client to read what was
 * written, in milliseconds. A client in haste sends a signal: SDKs after 2 s.
 */
export const finishLimit = 5_000;

interface Output {
  /** Calls back when that, and all before it, is out. */
  write(text: string, done: () => void): unknown;
}

/** The requests that have no answer when the time is over after the end of the input; they stay open. */
export async function leftUnanswered<T extends { readonly method: string }>(
  open: OpenRequests<T>,
): Promise<OpenRequests<T>['all']> {
  for (const [id, { method }] of open.all) {
    if (method === 'subscriptions/listen') {
      open.settle(id); // It would have no end.
    }
  }
  await within(open.emptied(), finishLimit, undefined);
  return open.all;
}

/**
 * Resolves when all that was written is out, or the time for that is over: a client may live on and read
 * no more, and what it does not read keeps this process alive.
 */
export function whenRead(output: Output): Promise<void> {
  const out = new Promise<void>(resolve => output.write('', () => resolve()));
  return within(out, finishLimit, undefined);
}
