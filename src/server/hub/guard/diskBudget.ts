import type { JudgeParts } from './judgement.ts';

type Locate = JudgeParts['locate'];

/**
 * Ends the looking at the disk where it would take too long: what is missing costs a look for each
 * folder on the way. From then on nothing is inside.
 */
export class DiskBudget {
  private left = 50_000;

  get isSpent(): boolean {
    return this.left < 0;
  }

  /** The same way to find where paths lead, as long as the budget lasts. */
  limited(locate: Locate): Locate {
    return (scope, path, input) => {
      this.left -= costOfAny + path.split(/[\\/]/).length;
      return this.isSpent
        ? { ok: false, kind: 'outside', message: 'There are too many paths.' }
        : locate(scope, path, input);
    };
  }
}

/** Counts the looks for the folders that a path leaves again by `..`. */
const costOfAny = 5;
