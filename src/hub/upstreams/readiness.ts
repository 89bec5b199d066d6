import { eitherSignal } from '../../base/abortSignals.ts';
import type { After } from '../../base/clock.ts';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import type { HumanError } from '../../domain/sentence.ts';
import type { UpstreamLife } from './upstreamLife.ts';
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
/** In milliseconds: how long after a failed start callers do not start the server again. */
const retryAfter = 30_000;

/**
 * Lets callers wait until an upstream (a server behind the hub, one instance for one list of roots)
 * runs, or tells them why it does not.
 */
export class Readiness {
  private readonly server: Pick<HubServer, 'name' | 'launch'>;
  private readonly life: UpstreamLife;
  private readonly after: After;
  private failedAt: number | undefined;
  private isOver = false;
  /** Why the upstream was ended last, or is about to be, to be read after the server's name. */
  cause = 'is not running';

  constructor(server: Readiness['server'], life: UpstreamLife, after: After) {
    this.server = server;
    this.life = life;
    this.after = after;
    life.onDidChange(() => this.noteFailure());
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

  /**
   * Starts the upstream unless a start is under way or planned, and waits for the outcome.
   *
   * @throws {HumanError} when the upstream does not run then, or will not in time.
   */
  async comeUp(signal: AbortSignal): Promise<void> {
    const { life } = this;
    const { plan, state } = life;
    if (this.isClosed || (plan.kind === 'waiting' && plan.at - Date.now() > longestWait)) {
      throw this.whyNot();
    }
    if (state.kind !== 'starting' && plan.kind !== 'waiting') {
      this.assertMayTry();
      life.begin();
    }
    if (!(await this.isSettled(signal)) || (!life.isUp && life.state.kind !== 'starting')) {
      throw this.whyNot();
    }
  }

  /** Why the upstream can't be called now, and when it can. @param more finished sentences. */
  whyNot(...more: readonly string[]): HumanError {
    const { state, plan } = this.life;
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
    const { life } = this;
    let hasStarted = false;
    const isOver = () => {
      const isStarting = life.state.kind === 'starting';
      hasStarted ||= isStarting;
      return signal.aborted || (!isStarting && (hasStarted || life.plan.kind !== 'waiting'));
    };
    return new Promise(resolve => {
      const look = () => {
        if (isOver()) {
          listening.dispose();
          signal.removeEventListener('abort', look);
          resolve();
        }
      };
      const listening = life.onDidChange(look);
      signal.addEventListener('abort', look);
      look();
    });
  }

  /**
   * A start that failed before there was a process may be tried again by each call: that costs next
   * to nothing.
   * @throws {HumanError} soon after any other failure.
   */
  private assertMayTry(): void {
    const { state } = this.life;
    const isCostly = state.kind === 'failed' && state.failure.kind !== 'not-started';
    const nextTry = isCostly && this.failedAt !== undefined ? this.failedAt + retryAfter : 0;
    if (Date.now() < nextTry) {
      throw this.whyNot(retryText(nextTry));
    }
  }

  private noteFailure(): void {
    const hasFailed = this.life.state.kind === 'failed';
    this.failedAt = hasFailed ? (this.failedAt ?? Date.now()) : undefined;
  }
}
