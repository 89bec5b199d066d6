import type { OpenRequests } from './openRequests.ts';
import { within } from './timeLimit.ts';

/**
 * How long open requests may take after the end of the client's input, in milliseconds. The client
 * has the same time again to read the answers. A hurried client sends a signal: SDKs after 2 s.
 */
export const finishLimit = 5_000;

/** The request that opens a subscription; its answer ends the subscription. */
export const listen = 'subscriptions/listen';

interface Output {
  /** Writes a text. Calls `done` when this text and all earlier texts are out. */
  write(text: string, done: () => void): unknown;
}

/** After the end of the input, waits for answers. Returns the requests that still have none. */
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
 * Resolves when the client has read all output, at the latest after {@link finishLimit}. A client
 * may live on without reading, and unread output would keep this process alive.
 */
export function whenRead(output: Output): Promise<void> {
  const out = new Promise<void>(resolve => output.write('', () => resolve()));
  return within(out, finishLimit, undefined);
}
