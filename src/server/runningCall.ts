import { CLIENT_INFO_META_KEY, type InputRequiredResult } from '@modelcontextprotocol/server';
import type { Limiter } from '../base/limiter.ts';
import type { Logger } from '../base/logger.ts';
import { codeOf } from '../base/messageOf.ts';
import type { PathScope } from '../domain/paths/pathScope.ts';
import { diskFailed, tooManyFiles } from './paths/refusal.ts';
import type { RequestContext } from './requestContext.ts';
import type { RootFolder } from './roots/rootFolders.ts';
import type { RootsView } from './roots/rootsView.ts';
import type { SessionRoots } from './sessionRoots.ts';

/** The roots, signal and progress of one call of a tool. */
export class RunningCall {
  /** The roots in force. */
  readonly view: RootsView;
  private readonly context: RequestContext;
  private readonly leavePlace: () => void;
  private readonly revoked: AbortSignal | undefined;
  private combined: AbortSignal | undefined;
  private lastProgress = Number.NEGATIVE_INFINITY;

  /** @param leavePlace gives the place of the call to another one. */
  constructor(
    view: RootsView,
    context: RequestContext,
    leavePlace: () => void,
    revoked?: AbortSignal,
  ) {
    this.view = view;
    this.context = context;
    this.leavePlace = leavePlace;
    this.revoked = revoked;
  }

  get scope(): PathScope<RootFolder> {
    return this.view.folders.scope;
  }

  /** Aborted when the client cancels the call, or a root that the call was given is revoked. */
  get signal(): AbortSignal {
    // Made on demand: most calls have ended before anybody looks at it.
    const { signal } = this.context.mcpReq;
    this.combined ??= this.revoked ? AbortSignal.any([signal, this.revoked]) : signal;
    return this.combined;
  }

  /**
   * Runs long work in a queue of its own. The call gives up its place for it: calls that wait for such work
   * keep no others waiting.
   */
  async runIn<T>(queue: Limiter, work: () => Promise<T>): Promise<T | 'busy'> {
    this.leavePlace();
    return queue.run(work, this.signal, clientOf(this.context));
  }

  /**
   * Tells the client how far the call is (`notifications/progress`), if it asked to be told, and
   * not more often than it is worth.
   */
  progress(done: number, total?: number, message?: string): void {
    const { mcpReq } = this.context;
    const progressToken = mcpReq._meta?.progressToken;
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
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  }
}

/** What the calls of a session work with. */
export interface CallParts {
  readonly roots: SessionRoots;
  readonly limiter: Limiter;
  readonly logger: Logger;
}

/**
 * Runs a request that works on the roots of this moment, when it is its turn. Where they have to be
 * asked for within the request, the answer is that question. `work` throws only for a bug, or when its
 * signal is aborted; `refuse` is given finished sentences.
 */
export async function runCall<R extends object>(
  { roots, limiter, logger }: CallParts,
  context: RequestContext,
  work: (call: RunningCall) => R | Promise<R>,
  refuse: (message: string) => R,
): Promise<R | InputRequiredResult> {
  const { signal } = context.mcpReq;
  const use = (leavePlace: () => void) => {
    const run = (view: RootsView, revoked?: AbortSignal) => {
      // The client may have cancelled it while its roots were asked for.
      signal.throwIfAborted();
      return work(new RunningCall(view, context, leavePlace, revoked));
    };
    return roots.use(context, run, () => refuse(revokedMeanwhile));
  };
  try {
    const answered = await limiter.run(use, signal, clientOf(context));
    return answered === 'busy' ? refuse(busy) : answered;
  } catch (error) {
    // Nobody reads the answer to a call that was cancelled.
    if (!signal.aborted) {
      logger.error(error instanceof Error ? error : new Error(String(error)));
    }
    return refuse({ ...tooManyFiles, EIO: diskFailed }[codeOf(error) ?? ''] ?? failed);
  }
}

const failed = 'That did not work. What the server wrote to stderr has the details.';
const busy = 'The server is busy: too many calls are waiting already. Try again in a moment.';
const revokedMeanwhile =
  'The folders shared with this server changed while the call ran, and one that it worked with ' +
  'is no longer shared. See get-roots for those that are.';

/**
 * The owner of a call among those who share the queues: its session, or what a modern client says it is. Not
 * its connection: a client opens one for each call that it has under way.
 */
function clientOf({ sessionId, mcpReq }: RequestContext): unknown {
  return sessionId ?? Object(mcpReq.envelope?.[CLIENT_INFO_META_KEY])['name'];
}

/** The part of a call that long work needs. */
export type LongCall = Pick<RunningCall, 'scope' | 'signal' | 'progress'>;

/** In milliseconds. */
const progressInterval = 200;
