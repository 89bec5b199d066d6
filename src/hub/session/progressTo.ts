import type { IDisposable } from '../../base/disposable.ts';
import { RateLimiter } from '../../base/rateLimiter.ts';
import type { Progress } from '../../domain/progress.ts';
import type { ForwardedRequest } from '../../mcp/forwarding.ts';
import type { RequestContext } from '../../server/requestContext.ts';

/** Passes a call's progress on to the client; disposing sends the latest progress not sent yet. */
export interface PassedProgress extends IDisposable {
  readonly tell: NonNullable<ForwardedRequest['onProgress']>;
}

/** A server may report as fast as it likes; when it reports faster than this, the latest counts. */
const pace = { perSecond: 50, mostWaiting: 1 };

/** `undefined` when the client did not ask for progress. */
export function progressTo({ mcpReq }: RequestContext): PassedProgress | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) {
    return undefined;
  }
  let latest: Progress | undefined;
  const pass = () => {
    // Nobody waits for a cancelled request.
    if (latest && !mcpReq.signal.aborted) {
      const params = { ...latest, progressToken };
      // Sending fails only when the client has ended the session, which ends the call as well.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    }
    latest = undefined;
  };
  // The limiter queues only the moment of sending; what `pass` sends then is the latest progress.
  const limiter = new RateLimiter<'told'>(pass, pace);
  return {
    tell: progress => {
      latest = progress;
      limiter.add('told');
    },
    dispose: () => {
      limiter.dispose();
      pass();
    },
  };
}
