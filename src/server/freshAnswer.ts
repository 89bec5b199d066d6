import type { IDisposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { After } from './after.ts';

/** What is known: the value, or the reason, as a finished sentence, why there is none. */
export type Known<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

/** What a {@link FreshAnswer} needs to know of its question and of the time. */
export interface FreshAnswerOptions<T> {
  /** Asks once. It may fail and it may never settle; the signal says that nobody waits any more. */
  readonly ask: (signal: AbortSignal) => Promise<Known<T>>;
  /** Whether a value that nobody called outdated still holds. */
  readonly isValid: (value: T) => boolean;
  /** Told of each question that got no answer. */
  readonly logger: Logger;
  readonly after: After;
  /** The longest one question may take, in milliseconds. */
  readonly limit: number;
  /** The longest one reader waits for questions under way, in milliseconds. */
  readonly patience: number;
}

/**
 * The answer to a question whose answer can become outdated at any time.
 *
 * It is dropped the moment it is outdated; an answer to a question that was asked before that
 * moment is never used. One question is under way at a time, and one more is remembered.
 */
export class FreshAnswer<T> implements IDisposable {
  private readonly options: FreshAnswerOptions<T>;
  private known: Known<T> | undefined;
  private asking: Promise<void> | undefined;
  private question: AbortController | undefined;
  private isOutdated = false;
  private isDisposed = false;

  constructor(options: FreshAnswerOptions<T>) {
    this.options = options;
  }

  /** Drops the answer and asks anew. */
  outdate(): void {
    this.known = undefined;
    if (this.asking !== undefined) {
      this.isOutdated = true;
    } else if (!this.isDisposed) {
      this.asking = this.askUntilFresh();
    }
  }

  /**
   * Runs `work` with the answer, waiting for questions under way; without an answer, it asks.
   *
   * The answer is read in the same turn in which `work` starts, so that it is not outdated then.
   */
  async use<R>(work: (known: Known<T>) => R | Promise<R>): Promise<R> {
    if (!this.asking && !(this.known?.ok && this.options.isValid(this.known.value))) {
      this.outdate();
    }
    const deadline = this.asking && startDeadline(this.options.after, this.options.patience);
    while (this.asking && !deadline?.isOver()) {
      await Promise.race([this.asking, deadline?.over]);
    }
    deadline?.dispose();
    return work(this.known ?? { ok: false, reason: 'The client has not answered yet.' });
  }

  /** Aborts the question under way; from now on nothing is asked and nothing is known. */
  dispose(): void {
    this.isDisposed = true;
    this.known = undefined;
    this.question?.abort('the session has ended');
  }

  private async askUntilFresh(): Promise<void> {
    let answer: Known<T>;
    do {
      this.isOutdated = false;
      answer = await this.askOnce();
    } while (this.isOutdated && !this.isDisposed);
    this.known = this.isDisposed ? undefined : answer;
    this.asking = undefined;
    if (!answer.ok && !this.isDisposed) {
      this.options.logger.warn(answer.reason);
    }
  }

  private async askOnce(): Promise<Known<T>> {
    const { ask, after, limit } = this.options;
    const question = new AbortController();
    this.question = question;
    const reason = `The client did not answer within ${limit / 1000} seconds.`;
    const deadline = startDeadline(after, limit);
    const tooLate = deadline.over.then(() => {
      question.abort('no answer in time');
      return { ok: false, reason } as const;
    });
    try {
      return await Promise.race([ask(question.signal), tooLate]);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return { ok: false, reason: `The client answered with an error: ${detail}` };
    } finally {
      deadline.dispose();
    }
  }
}

interface Deadline extends IDisposable {
  readonly over: Promise<void>;
  isOver(): boolean;
}

function startDeadline(after: After, milliseconds: number): Deadline {
  const end = new AbortController();
  const over = new Promise<void>(resolve => {
    end.signal.addEventListener('abort', () => resolve());
  });
  const timer = after(milliseconds, () => end.abort());
  return { over, isOver: () => end.signal.aborted, dispose: () => timer.dispose() };
}
