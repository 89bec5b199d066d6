import type { IDisposable } from '../../../base/disposable.ts';
import type { ChildSet } from '../children/childSet.ts';
import type { ChildSets } from '../children/childSets.ts';

/** Keeps the set that one call works in, of which there is one at a time. */
export class SetLease implements IDisposable {
  private readonly sets: Pick<ChildSets, 'keep'> | undefined;
  private set: ChildSet | undefined;
  private kept: IDisposable | undefined;

  /** @param sets `undefined`: nothing is kept. */
  constructor(sets: Pick<ChildSets, 'keep'> | undefined) {
    this.sets = sets;
  }

  /** From now on this one, and no other. */
  hold(set: ChildSet): void {
    if (set !== this.set) {
      this.dispose();
      this.set = set;
      this.kept = this.sets?.keep(set);
    }
  }

  dispose(): void {
    this.kept?.dispose();
    this.kept = undefined;
    this.set = undefined;
  }
}
