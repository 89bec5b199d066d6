import { eitherSignal } from '../../../base/eitherSignal.ts';
import type { HumanError } from '../../../domain/errors.ts';
import type { HubServer } from '../../../domain/hub/hubServer.ts';
import type { After } from '../../after.ts';
import {
  askAgain,
  childError,
  failureText,
  planText,
  retryText,
  startingText,
} from './childProblem.ts';
import type { ChildRun } from './childRun.ts';

/** How long a caller waits for a planned restart, in milliseconds: the first four of a series. */
const longestWait = 5000;
/**
 * How long a caller waits for a start, in milliseconds. A download may take longer and goes on; most
 * clients give a call up after a minute, and then nobody would hear why.
 */
const longestStart = 45_000;
/** In milliseconds: how soon after a failure a caller makes another one possible. */
const retryAfter = 30_000;

/** Where callers wait until a child runs, or learn why it does not. */
export class ChildGate {
  private readonly server: Pick<HubServer, 'name' | 'launch'>;
  private readonly run: ChildRun;
  private readonly after: After;
  private failedAt: number | undefined;
  private closedFor: string | undefined;
  private lastCause = 'is not running';

  constructor(server: ChildGate['server'], run: ChildRun, after: After) {
    this.server = server;
    this.run = run;
    this.after = after;
    run.onDidChange(() => this.noteFailure());
  }

  /** Why it was ended last, to be read after its name. */
  get cause(): string {
    return this.lastCause;
  }

  /** Whether nobody is let in any more. */
  get isClosed(): boolean {
    return this.closedFor !== undefined;
  }

  /** @param cause why, to be read after its name. */
  close(cause: string): void {
    this.lastCause = cause;
    this.closedFor = cause;
  }

  /** Makes a change that may end it: only then is this the cause, to be read after its name. */
  change(cause: string, make: () => void): void {
    const { lastCause } = this;
    const { kind } = this.run.state;
    this.lastCause = cause; // Whoever hears of its end asks for that at once.
    make();
    const wasLive = kind === 'running' || kind === 'starting';
    if (!wasLive || this.run.state.kind === kind) {
      this.lastCause = lastCause;
    }
  }

  /**
   * Starts what does not run, and waits for what comes of it.
   *
   * @throws {HumanError} when it does not run then, or will not in time.
   */
  async comeUp(signal: AbortSignal): Promise<void> {
    const { run } = this;
    const { plan, state } = run;
    if (this.isClosed || (plan.kind === 'waiting' && plan.at - Date.now() > longestWait)) {
      throw this.whyNot();
    }
    if (state.kind !== 'starting' && plan.kind !== 'waiting') {
      this.assertMayTry();
      run.begin();
    }
    if (!(await this.isSettled(signal)) || (!run.isUp && run.state.kind !== 'starting')) {
      throw this.whyNot();
    }
  }

  /** Why it can't be called now, and when it may. */
  whyNot(...more: readonly string[]): HumanError {
    const { state, plan } = this.run;
    if (state.kind === 'failed' && !this.isClosed) {
      return childError(
        this.server.name,
        failureText(state.failure),
        planText(plan, state.failure),
        ...more,
      );
    }
    return state.kind === 'starting' && !this.isClosed
      ? childError(this.server.name, startingText(this.server), askAgain)
      : childError(this.server.name, this.cause);
  }

  /** Whether the start that is under way or planned comes to an end while a caller waits for it. */
  private async isSettled(signal: AbortSignal): Promise<boolean> {
    const end = new AbortController();
    const tooLate = this.after(longestStart, () => end.abort());
    const either = eitherSignal(signal, end.signal);
    try {
      return await this.run.settled(either.signal);
    } finally {
      either.dispose();
      tooLate.dispose();
    }
  }

  /** What has failed without a process may be tried with each call: that costs next to nothing. */
  private assertMayTry(): void {
    const { state } = this.run;
    const isCostly = state.kind === 'failed' && state.failure.kind !== 'not-started';
    const nextTry = isCostly && this.failedAt !== undefined ? this.failedAt + retryAfter : 0;
    if (Date.now() < nextTry) {
      throw this.whyNot(retryText(nextTry));
    }
  }

  private noteFailure(): void {
    const hasFailed = this.run.state.kind === 'failed';
    this.failedAt = hasFailed ? (this.failedAt ?? Date.now()) : undefined;
  }
}
