/** The reaction of a person to a question: answered, went back to the one before, or left. */
export type Answer<T> =
  | { readonly kind: 'given'; readonly value: T }
  | { readonly kind: 'back' }
  | { readonly kind: 'left' };

/** Where in a series of questions a person is. */
export interface Position {
  /** Counted from 1. */
  readonly number: number;
}

/** The draft after a step, and the next step; the last step has none. */
export interface Taken<T> {
  readonly draft: T;
  readonly next: Step<T> | undefined;
}

/** Asks one thing, given what is known so far. */
export type Step<T> = (draft: T, position: Position) => Promise<Answer<Taken<T>>>;

/**
 * Asks step by step. Going back keeps what was entered, so that it need not be entered again.
 * `undefined` when the user leaves.
 */
export async function walk<T>(first: Step<T>, start: T): Promise<T | undefined> {
  const before: Step<T>[] = [];
  let step = first;
  let draft = start;
  for (;;) {
    const answer = await step(draft, { number: before.length + 1 });
    if (answer.kind === 'left') {
      return undefined;
    }
    if (answer.kind === 'back') {
      step = before.pop() ?? first;
      continue;
    }
    draft = answer.value.draft;
    if (!answer.value.next) {
      return draft;
    }
    before.push(step);
    step = answer.value.next;
  }
}
