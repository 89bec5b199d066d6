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

/** The roots, signal and progress of one tool call. */
export class RunningCall {
  /** The roots in force. */
  readonly view: RootsView;
  private readonly context: RequestContext;
  private readonly leavePlace: () => void;
  private readonly revoked: AbortSignal | undefined;
  private combined: AbortSignal | undefined;
  private lastProgress = Number.NEGATIVE_INFINITY;

  /** @param leavePlace gives the call's place in the queue to another call. */
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

  /** Aborted when the client cancels the call, or a root that the call uses is revoked. */
  get signal(): AbortSignal {
    // Combined on demand, because most calls never read the signal.
    const { signal } = this.context.mcpReq;
    this.combined ??= this.revoked ? AbortSignal.any([signal, this.revoked]) : signal;
    return this.combined;
  }

  /**
   * Runs long work in `queue`. Returns `busy` if the queue is full. First, the call frees its place
   * in the queue of calls, so that calls that wait for long work do not block others.
   */
  async runIn<T>(queue: Limiter, work: () => Promise<T>): Promise<T | 'busy'> {
    this.leavePlace();
    return queue.run(work, this.signal, clientOf(this.context));
  }

  /**
   * Sends the client `notifications/progress`, if the client asked for progress and the last notice
   * is at least {@link progressInterval} ago.
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
    // Sending fails only if the client has ended the session, which also ends the call.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  }
}

/** The parts that the calls of a session share. */
export interface CallParts {
  readonly roots: SessionRoots;
  readonly limiter: Limiter;
  readonly logger: Logger;
}

/**
 * Runs a request with the current roots when its turn in the queue comes. If the server must ask
 * for the roots within the request, returns that question as the answer. `work` throws only for a
 * bug or an aborted signal. `refuse` makes a result from finished sentences.
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
      // The client may have cancelled the request during the question for its roots.
      signal.throwIfAborted();
      return work(new RunningCall(view, context, leavePlace, revoked));
    };
    return roots.use(context, run, () => refuse(revokedMeanwhile));
  };
  try {
    const answered = await limiter.run(use, signal, clientOf(context));
    return answered === 'busy' ? refuse(busy) : answered;
  } catch (error) {
    // Nobody reads the answer to a canceled call.
    if (!signal.aborted) {
      logger.error(error instanceof Error ? error : new Error(String(error)));
    }
    return refuse({ ...tooManyFiles, EIO: diskFailed }[codeOf(error) ?? ''] ?? failed);
  }
}

const failed = "The call failed. The details are on the server's stderr.";
const busy = 'The server is busy: too many calls are waiting already. Try again in a moment.';
const revokedMeanwhile =
  'During the call, the user stopped sharing a folder that the call used. See get-roots for the shared folders.';

/**
 * Identifies the client for the queues: by its session, or by the name that a modern client gives.
 * The connection identifies no client: over HTTP, a client opens one for each call under way.
 */
function clientOf({ sessionId, mcpReq }: RequestContext): unknown {
  return sessionId ?? Object(mcpReq.envelope?.[CLIENT_INFO_META_KEY])['name'];
}

/** The parts of a call that long work uses. */
export type LongCall = Pick<RunningCall, 'scope' | 'signal' | 'progress'>;

/** The milliseconds between two notices of progress. */
const progressInterval = 200;
