import type { PathScope } from '../domain/paths/pathScope.ts';
import type { RequestContext } from './requestContext.ts';
import type { RootFolder } from './roots/rootFolders.ts';
import type { RootsView } from './roots/rootsView.ts';

/** The roots, signal and progress of one call of a tool. */
export class RunningCall {
  /** The roots in force. */
  readonly view: RootsView;
  private readonly request: RequestContext['mcpReq'];
  private readonly revoked: AbortSignal | undefined;
  private combined: AbortSignal | undefined;
  private lastProgress = Number.NEGATIVE_INFINITY;

  constructor(view: RootsView, { mcpReq }: RequestContext, revoked?: AbortSignal) {
    this.view = view;
    this.request = mcpReq;
    this.revoked = revoked;
  }

  get scope(): PathScope<RootFolder> {
    return this.view.folders.scope;
  }

  /** Aborted when the client cancels the call, or a root that the call was given is revoked. */
  get signal(): AbortSignal {
    // Made on demand: most calls have ended before anybody looks at it.
    const { signal } = this.request;
    this.combined ??= this.revoked ? AbortSignal.any([signal, this.revoked]) : signal;
    return this.combined;
  }

  /**
   * Tells the client how far the call is (`notifications/progress`), if it asked to be told, and
   * not more often than it is worth.
   */
  progress(done: number, total?: number, message?: string): void {
    const progressToken = this.request._meta?.progressToken;
    const now = performance.now();
    if (progressToken === undefined || now - this.lastProgress < progressInterval) {
      return;
    }
    this.lastProgress = now;
    const params = {
      progressToken,
      progress: done,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    };
    // A client that can no longer be told has ended the session, which ends the call by itself.
    this.request.notify({ method: 'notifications/progress', params }).catch(() => {});
  }
}

/** The part of a call that long work needs. */
export type LongCall = Pick<RunningCall, 'scope' | 'signal' | 'progress'>;

/** In milliseconds. */
const progressInterval = 200;
