import { type After, startDeadline } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { messageOf } from '../../base/messageOf.ts';
import { HumanError } from '../../domain/sentence.ts';

/** A known value, or the reason, as a finished sentence, why there is none. */
export type KnownAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

/** The question of a {@link CachedAnswer}, and its limits. */
interface CachedAnswerOptions<T> {
  /** Asks once. It may fail and it may never settle; the signal says that nobody waits any more. */
  readonly ask: (signal: AbortSignal) => Promise<KnownAnswer<T>>;
  /** Whether all that `value` allowed is still allowed now that `next` is the answer. */
  readonly isCovered: (value: T, next: T) => boolean;
  /** Told of each answer that is not outdated already. */
  readonly onAnswer: (known: KnownAnswer<T>) => void;
  /** Told of each question that got no answer. */
  readonly logger: Logger;
  readonly after: After;
  /** The longest one question may take, in milliseconds. */
  readonly limit: number;
  /** The longest one reader waits for questions under way, in milliseconds. */
  readonly patience: number;
}

/** Work that was started with an answer and has not ended. */
interface Use<T> {
  readonly known: KnownAnswer<T>;
  readonly revoked: AbortController;
}

/**
 * The answer to a question whose answer can become outdated at any time.
 *
 * It is dropped the moment it is outdated; an answer to a question that was asked before that
 * moment is never used. One question is under way at a time, and one more is remembered.
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

  /** Drops the answer and asks anew. */
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
   * Runs `work` with the answer, waiting for questions under way; without an answer, it asks.
   *
   * The answer is read in the same turn in which `work` starts, so that it is not outdated then.
   * The result of `work` is given only while the answer still covers it: once it does not, the
   * signal is aborted, and `revoked` says what to give instead.
   *
   * @throws {HumanError} when it is disposed of before `work` starts.
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

  /** Aborts the question under way and all work; from now on nothing is asked and no work begun. */
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
   * Runs `then` once no question is under way, or a reader's patience is over: in the same turn
   * in which that is seen, so that no new question comes between.
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
    const reason = `The client did not answer within ${limit / 1000} seconds.`;
    const deadline = startDeadline(after, limit);
    const tooLate = deadline.over.then(() => {
      question.abort('no answer in time');
      return { ok: false, reason } as const;
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

const unanswered = { ok: false, reason: 'The client has not answered yet.' } as const;
