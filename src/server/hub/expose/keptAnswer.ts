import type { IDisposable } from '../../../base/disposable.ts';
import type { After } from '../../after.ts';

type Known<T> =
  | { readonly ok: true; readonly answer: T }
  | { readonly ok: false; readonly error: unknown };

/** In milliseconds: how long it is not asked again after it failed. */
const longestFailure = 30_000;

/**
 * The last answer to a question that is asked again only when the answer may be another. That there
 * was none is kept as well, though not for long: to ask may cost whoever waits a lot of time.
 */
export class KeptAnswer<T> {
  private readonly after: After;
  private known: Known<T> | undefined;
  private asked: Promise<T> | undefined;
  private timer: IDisposable | undefined;

  constructor(after: After) {
    this.after = after;
  }

  /** `undefined`: there is none that may still be right. */
  get value(): T | undefined {
    return this.known?.ok ? this.known.answer : undefined;
  }

  /**
   * The answer that is kept, or that was asked for already, or what is asked now.
   * @throws what asking failed with, now or a short time ago.
   */
  async get(ask: () => Promise<T>): Promise<T> {
    if (this.known) {
      return answerIn(this.known);
    }
    this.asked ??= ask();
    const { asked } = this;
    try {
      const answer = await asked;
      this.keep(asked, { ok: true, answer });
      return answer;
    } catch (error) {
      this.keep(asked, { ok: false, error });
      throw error;
    }
  }

  /** From now on the answer may be another: one that is under way is given, and not kept. */
  drop(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.known = undefined;
    this.asked = undefined;
  }

  private keep(asked: Promise<T>, known: Known<T>): void {
    if (this.asked !== asked) {
      return;
    }
    this.asked = undefined;
    this.known = known;
    if (!known.ok) {
      this.timer = this.after(longestFailure, () => this.drop());
    }
  }
}

function answerIn<T>(known: Known<T>): T {
  if (known.ok) {
    return known.answer;
  }
  throw known.error;
}
