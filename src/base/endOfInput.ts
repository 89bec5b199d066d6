import type { OpenRequests } from './openRequests.ts';
import { within } from './timeLimit.ts';

/**
 * Milliseconds for answers to open requests, after the end of a client's input. The client gets the
 * same time again to read the answers. A client in a hurry sends a signal: SDKs do after 2 s.
 */
export const finishLimit = 5_000;

/** The request that opens a subscription; its answer ends the subscription. */
export const listen = 'subscriptions/listen';

interface Output {
  /** Writes a text. Calls `done` when this text and all earlier texts are out. */
  write(text: string, done: () => void): unknown;
}

/** Waits for open requests after the end of the input. Returns the requests that are open still. */
export async function leftUnanswered<T extends { readonly method: string }>(
  open: OpenRequests<T>,
): Promise<OpenRequests<T>['all']> {
  for (const [id, { method }] of open.all) {
    if (method === listen) {
      open.settle(id); // A subscription would never end.
    }
  }
  await within(open.emptied(), finishLimit, undefined);
  return open.all;
}

/**
 * Resolves when the client has read all output, or its time for that is over. A client may live on
 * without reading, and unread output keeps this process alive.
 */
export function whenRead(output: Output): Promise<void> {
  const out = new Promise<void>(resolve => output.write('', () => resolve()));
  return within(out, finishLimit, undefined);
}
