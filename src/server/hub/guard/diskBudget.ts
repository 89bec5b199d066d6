import type { JudgeParts } from './judgement.ts';

type Locate = JudgeParts['locate'];

/**
 * Ends the looking at the disk where it would take too long: what is missing costs a look for each
 * folder on the way. From then on nothing is inside. By the clock it ends only after many looks, so
 * that a slow disk alone is no reason.
 */
export class DiskBudget {
  private left = 50_000;
  private readonly deadline: number;

  /** @param deadline on the clock of `performance`. */
  constructor(deadline: number) {
    this.deadline = deadline;
  }

  get isSpent(): boolean {
    return this.left < 0;
  }

  /** Pays for so many looks, and says whether there may be any. */
  spend(looks: number): boolean {
    this.left -= looks;
    if (this.left < someLooks && this.left >= 0 && performance.now() > this.deadline) {
      this.left = -1;
    }
    return this.left >= 0;
  }

  /** The same way to find where paths lead, as long as the budget lasts. */
  limited(locate: Locate): Locate {
    return (scope, path, input) =>
      this.spend(costOfAny + (path.length < 100 ? 5 : path.split(/[\\/]/).length))
        ? locate(scope, path, input)
        : { ok: false, kind: 'outside', message: 'There are too many paths.' };
  }
}

/** What is left when the clock begins to count. */
const someLooks = 49_000;

/** Counts the looks for the folders that a path leaves again by `..`. */
const costOfAny = 5;
