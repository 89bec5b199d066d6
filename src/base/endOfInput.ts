import type { OpenRequests } from './openRequests.ts';
import { within } from './timeLimit.ts';

/**
 * Two limits in milliseconds after a client closed its end: for open requests, and then for the
 * client to read the output. A client in a hurry sends a signal: SDKs after 2 s.
 */
export const finishLimit = 5_000;

/** The request that opens a subscription; its answer ends the subscription. */
export const listen = 'subscriptions/listen';

interface Output {
  /** Calls back when this text and all before it are out. */
  write(text: string, done: () => void): unknown;
}

/** The requests still open when the time after the end of the input is over; they stay open. */
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
 * Resolves when all output is out, or its time is over. A client may live on without reading, and
 * unread output keeps this process alive.
 */
export function whenRead(output: Output): Promise<void> {
  const out = new Promise<void>(resolve => output.write('', () => resolve()));
  return within(out, finishLimit, undefined);
}
