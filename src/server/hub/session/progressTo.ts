import type { ServerContext } from '@modelcontextprotocol/server';
import type { IDisposable } from '../../../base/disposable.ts';
import { Pacer } from '../../../base/pacer.ts';
import type { ForwardedRequest } from '../../../mcp/forwarding.ts';

/** Passes on to the client how far its call is. */
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
  type Progress = Parameters<PassedProgress['tell']>[0];
  const pacer = new Pacer<Progress>(told => {
    for (const progress of told) {
      const params = { ...progress, progressToken };
      // A client that can no longer be told has ended the session, which ends the call by itself.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    }
  }, pace);
  return { tell: progress => void pacer.add(progress), dispose: () => pacer.dispose() };
}
