/** The last answer to a question that is asked again only when the answer may be another. */
export class KeptAnswer<T> {
  private known: { readonly answer: T } | undefined;
  private asked: Promise<T> | undefined;

  /** `undefined`: there is none that may still be right. */
  get value(): T | undefined {
    return this.known?.answer;
  }

  /** The answer that is kept, or that was asked for already, or what is asked now. */
  async get(ask: () => Promise<T>): Promise<T> {
    if (this.known) {
      return this.known.answer;
    }
    this.asked ??= ask();
    const { asked } = this;
    try {
      const answer = await asked;
      if (this.asked === asked) {
        this.known = { answer };
      }
      return answer;
    } finally {
      if (this.asked === asked) {
        this.asked = undefined;
      }
    }
  }

  /** From now on the answer may be another: one that is under way is given, and not kept. */
  drop(): void {
    this.known = undefined;
    this.asked = undefined;
  }
}
