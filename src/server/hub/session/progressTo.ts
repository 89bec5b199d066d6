import type { ServerContext } from '@modelcontextprotocol/server';
import type { IDisposable } from '../../../base/disposable.ts';
import { Pacer } from '../../../base/pacer.ts';
import type { ForwardedProgress, ForwardedRequest } from '../../../mcp/forwarding.ts';

/** Passes on to the client how far its call is; disposing tells it what it was not told yet. */
export interface PassedProgress extends IDisposable {
  readonly tell: NonNullable<ForwardedRequest['onProgress']>;
}

/** In messages per second: a server may tell as fast as it likes, and then the latest counts. */
const pace = { perSecond: 50, mostWaiting: 1 };

/** `undefined` when the client did not ask to be told. */
export function progressTo({ mcpReq }: ServerContext): PassedProgress | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) {
    return undefined;
  }
  let latest: ForwardedProgress | undefined;
  const pass = () => {
    // Nobody waits for a request that was called off.
    if (latest && !mcpReq.signal.aborted) {
      const params = { ...latest, progressToken };
      // A client that can no longer be told has ended the session, which ends the call by itself.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    }
    latest = undefined;
  };
  // What waits is a time to tell: what is told then is the latest.
  const pacer = new Pacer<'told'>(pass, pace);
  return {
    tell: progress => {
      latest = progress;
      pacer.add('told');
    },
    dispose: () => {
      pacer.dispose();
      pass();
    },
  };
}
