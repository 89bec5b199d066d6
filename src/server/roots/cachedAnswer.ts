import { type After, startDeadline } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { messageOf } from '../../base/messageOf.ts';
import { HumanError } from '../../domain/sentence.ts';

/** A value, or the reason why it is unknown, as a finished sentence. */
export type KnownAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

/** The question of a {@link CachedAnswer}, and its limits. */
interface CachedAnswerOptions<T> {
  /** Asks once. The promise may reject or never settle. The signal aborts when nobody waits. */
  readonly ask: (signal: AbortSignal) => Promise<KnownAnswer<T>>;
  /** Whether `next`, the new answer, still allows everything that `value` allowed. */
  readonly isCovered: (value: T, next: T) => boolean;
  /** Called with each answer that is not outdated yet. */
  readonly onAnswer: (known: KnownAnswer<T>) => void;
  /** Gets a warning for each question without an answer. */
  readonly logger: Logger;
  readonly after: After;
  /** The longest time for one question, in milliseconds. */
  readonly limit: number;
  /** The longest time one reader waits for questions under way, in milliseconds. */
  readonly patience: number;
}

/** The answer that some running work uses, and the controller that aborts the work. */
interface Use<T> {
  readonly known: KnownAnswer<T>;
  readonly revoked: AbortController;
}

/**
 * Caches the answer to a question. The answer can become outdated at any time.
 *
 * An outdated answer is dropped immediately. One question is under way at a time. If `outdate` is
 * called during a question, drops the answer to it, too, and asks once more.
 */
export class CachedAnswer<T> implements IDisposable {
  private readonly options: CachedAnswerOptions<T>;
  private readonly uses = new Set<Use<T>>();
  private known: KnownAnswer<T> | undefined;
  private asking: Promise<void> | undefined;
  private question: AbortController | undefined;
  private timesOutdated = 0;
  private isOutdated = false;
  private isDisposed = false;

  constructor(options: CachedAnswerOptions<T>) {
    this.options = options;
  }

  /** Drops the answer and asks again. */
  outdate(): void {
    this.known = undefined;
    this.timesOutdated += 1;
    if (this.asking !== undefined) {
      this.isOutdated = true;
    } else if (!this.isDisposed) {
      this.asking = this.askUntilFresh();
    }
  }

  /**
   * Runs `work` with the answer. If there is no answer, asks first. Waits for questions under way.
   *
   * Reads the answer right before `work` starts, so that it is not outdated. If a new answer no
   * longer covers this answer before `work` ends, aborts the signal and returns the result of
   * `revoked`.
   *
   * @throws {HumanError} if the cache is disposed of before `work` starts.
   */
  async use<R>(
    work: (known: KnownAnswer<T>, signal: AbortSignal) => R | Promise<R>,
    revoked: () => R,
  ): Promise<R> {
    if (!this.asking && !this.known?.ok) {
      this.outdate();
    }
    return this.settled(() => {
      if (this.isDisposed) {
        throw new HumanError('The session has ended.');
      }
      return this.run(work, revoked);
    });
  }

  /** Aborts the question under way and all work. After that, asks nothing and starts no work. */
  dispose(): void {
    this.isDisposed = true;
    this.known = undefined;
    this.timesOutdated += 1;
    this.question?.abort('the session has ended');
    this.revokeUncovered();
  }

  private async run<R>(
    work: (known: KnownAnswer<T>, signal: AbortSignal) => R | Promise<R>,
    revoked: () => R,
  ): Promise<R> {
    const use: Use<T> = { known: this.known ?? unanswered, revoked: new AbortController() };
    const before = this.timesOutdated;
    this.uses.add(use);
    try {
      const result = await work(use.known, use.revoked.signal);
      return before === this.timesOutdated
        ? result
        : await this.settled(() => (this.isCovered(use) ? result : revoked()));
    } catch (error) {
      if (use.revoked.signal.aborted) {
        return revoked();
      }
      throw error;
    } finally {
      this.uses.delete(use);
    }
  }

  /**
   * Waits until no question is under way, at most for `patience`. Then calls `then` in the same
   * turn of the event loop, so that no new question comes between.
   */
  private async settled<R>(then: () => R | Promise<R>): Promise<R> {
    const deadline = this.asking && startDeadline(this.options.after, this.options.patience);
    while (this.asking && !deadline?.isOver()) {
      await Promise.race([this.asking, deadline?.over]);
    }
    deadline?.dispose();
    return then();
  }

  private isCovered({ known }: Use<T>): boolean {
    const now = this.known;
    return !known.ok || (now?.ok === true && this.options.isCovered(known.value, now.value));
  }

  private revokeUncovered(): void {
    for (const use of this.uses) {
      if (!this.isCovered(use)) {
        use.revoked.abort();
      }
    }
  }

  private async askUntilFresh(): Promise<void> {
    let answer: KnownAnswer<T>;
    do {
      this.isOutdated = false;
      answer = await this.askOnce();
    } while (this.isOutdated && !this.isDisposed);
    this.known = this.isDisposed ? undefined : answer;
    this.asking = undefined;
    this.revokeUncovered();
    if (this.isDisposed) {
      return;
    }
    if (!answer.ok) {
      this.options.logger.warn(answer.reason);
    }
    this.options.onAnswer(answer);
  }

  private async askOnce(): Promise<KnownAnswer<T>> {
    const { ask, after, limit } = this.options;
    const question = new AbortController();
    this.question = question;
    const deadline = startDeadline(after, limit);
    const tooLate = deadline.over.then(() => {
      question.abort('no answer in time');
      return noAnswerWithin(limit);
    });
    try {
      return await Promise.race([ask(question.signal), tooLate]);
    } catch (error) {
      const detail = messageOf(error);
      return { ok: false, reason: `The client did not name its roots: ${detail}` };
    } finally {
      deadline.dispose();
    }
  }
}

function noAnswerWithin(limit: number) {
  return {
    ok: false,
    reason: `The client did not answer within ${limit / 1000} seconds.`,
  } as const;
}

const unanswered = { ok: false, reason: 'The client has not answered yet.' } as const;
