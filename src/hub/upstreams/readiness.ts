import { eitherSignal } from '../../base/abortSignals.ts';
import type { After } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import type { HumanError } from '../../domain/sentence.ts';
import { nextCall } from '../../domain/servers/restarts.ts';
import type { ConnectionState } from '../../mcp/link.ts';
import type { ManagedServer } from '../../mcp/managedServer.ts';
import { SettleWait } from '../../mcp/settleWait.ts';
import {
  askAgain,
  failureText,
  planText,
  retryText,
  startingText,
  upstreamError,
} from './upstreamProblem.ts';

/** How long a caller waits for a planned restart, in milliseconds: the first four of a series. */
const longestWait = 5000;
/**
 * How long a caller waits for a start, in milliseconds. A download may take longer, and goes on;
 * most clients give a call up after a minute, and would not learn the reason then.
 */
const longestStart = 45_000;

/**
 * Whether an upstream (a server behind the hub, one instance for one list of roots) can be called:
 * it runs, and had the time to take in its roots. Lets callers wait for that, or tells them why not.
 */
export class Readiness implements IDisposable {
  private readonly server: Pick<HubServer, 'name' | 'launch' | 'rootsAs'>;
  private readonly managed: ManagedServer;
  private readonly after: After;
  private readonly settleWait: SettleWait;
  private failedAt: number | undefined;
  private isOver = false;
  /** Why the upstream was ended last, or is about to be, to be read after the server's name. */
  cause = 'is not running';

  constructor(server: Readiness['server'], managed: ManagedServer, after: After) {
    this.server = server;
    this.managed = managed;
    this.after = after;
    const ping = () => managed.link.forward({ method: 'ping', params: {} });
    this.settleWait = new SettleWait(after, ping);
    managed.onDidExpose(({ era }) => era === 'legacy' && this.settleWait.answered());
  }

  get isReady(): boolean {
    return this.managed.state.kind === 'running' && this.settleWait.isOver;
  }

  /** Whether the server runs, or is about to. */
  get isLive(): boolean {
    return this.managed.isLive || this.managed.plan.kind === 'waiting';
  }

  /** The server is in another state, or in the same for another reason. */
  follow(state: ConnectionState): void {
    this.failedAt = state.kind === 'failed' ? (this.failedAt ?? Date.now()) : undefined;
    if (state.kind !== 'running') {
      this.settleWait.end();
    } else if (asksByItself(state) && this.server.rootsAs.includes('roots')) {
      this.settleWait.begin();
    }
  }

  /** Whether the upstream is ended for good. */
  get isClosed(): boolean {
    return this.isOver;
  }

  /** @param cause why the upstream is ended for good, to be read after the server's name. */
  close(cause: string): void {
    this.cause = cause;
    this.isOver = true;
  }

  /** The server is about to be told of other roots, or to be ended for them. */
  expectRoots(): void {
    const { state } = this.managed;
    if (this.isLive) {
      this.cause = 'was ended, because the roots have changed';
    }
    if (asksByItself(state)) {
      this.settleWait.renew();
    }
  }

  /**
   * Starts the upstream unless a start is under way or planned, and waits until it is ready.
   *
   * @throws {HumanError} when the upstream does not run then, or will not in time; the signal's
   * reason when it is aborted while a running server takes in its roots.
   */
  async comeUp(signal: AbortSignal): Promise<void> {
    while (!this.isReady) {
      await (this.managed.state.kind === 'running'
        ? this.settleWait.over(signal)
        : this.started(signal));
    }
  }

  /** Why the upstream can't be called now, and when it can. @param more finished sentences. */
  whyNot(...more: readonly string[]): HumanError {
    const { state, plan } = this.managed;
    if (state.kind === 'failed' && !this.isClosed) {
      return upstreamError(
        this.server.name,
        failureText(state.failure),
        planText(plan, state.failure),
        ...more,
      );
    }
    return state.kind === 'starting' && !this.isClosed
      ? upstreamError(this.server.name, startingText(this.server), askAgain)
      : upstreamError(this.server.name, this.cause);
  }

  /** From now on no caller is held back. */
  dispose(): void {
    this.settleWait.dispose();
  }

  private async started(signal: AbortSignal): Promise<void> {
    const { managed } = this;
    const { plan, state } = managed;
    if (this.isClosed || (plan.kind === 'waiting' && plan.at - Date.now() > longestWait)) {
      throw this.whyNot();
    }
    if (state.kind !== 'starting' && plan.kind !== 'waiting') {
      this.assertMayTry();
      void managed.start('by-itself');
    }
    if (!(await this.isSettled(signal)) || !managed.isLive) {
      throw this.whyNot();
    }
  }

  /** Whether the start that is under way or planned ends while the caller still waits. */
  private async isSettled(signal: AbortSignal): Promise<boolean> {
    const end = new AbortController();
    const tooLate = this.after(longestStart, () => end.abort());
    const either = eitherSignal(signal, end.signal);
    try {
      await this.settled(either.signal);
      return !either.signal.aborted;
    } finally {
      either.dispose();
      tooLate.dispose();
    }
  }

  /**
   * Resolves when the next start has succeeded or failed, when no start is planned any more, or
   * when the signal is aborted.
   */
  private settled(signal: AbortSignal): Promise<void> {
    const { managed } = this;
    let hasStarted = false;
    const isOver = () => {
      const isStarting = managed.state.kind === 'starting';
      hasStarted ||= isStarting;
      return signal.aborted || (!isStarting && (hasStarted || managed.plan.kind !== 'waiting'));
    };
    return new Promise(resolve => {
      const look = () => {
        if (isOver()) {
          listening.dispose();
          signal.removeEventListener('abort', look);
          resolve();
        }
      };
      const listening = managed.onDidChange(look);
      signal.addEventListener('abort', look);
      look();
    });
  }

  /** @throws {HumanError} soon after a failure. */
  private assertMayTry(): void {
    const { state } = this.managed;
    const nextTry = state.kind === 'failed' ? nextCall(state.failure.kind, this.failedAt ?? 0) : 0;
    if (Date.now() < nextTry) {
      throw this.whyNot(retryText(nextTry));
    }
  }
}

/** Whether it is a running legacy server: only these ask for roots outside of calls. */
function asksByItself(state: ConnectionState): boolean {
  return state.kind === 'running' && state.era === 'legacy';
}
