import type { Access } from '../../domain/consent/access.ts';
import {
  type ConfigurationChange,
  configurationChange,
} from '../../domain/consent/configuredRoots.ts';
import type { Exposure } from '../../domain/exposure.ts';
import type { Root } from '../../domain/roots.ts';

/** What one process of a server was told of its roots. */
export class ToldRoots {
  private exposure: Exposure | undefined;
  private answers = 0;
  private given: readonly Root[] = [];
  private workingIn: Root | undefined;

  /** The last occasion; `undefined` when it was told of none yet. */
  get last(): Exposure | undefined {
    return this.exposure;
  }

  /** How many times it asked. */
  get count(): number {
    return this.answers;
  }

  /**
   * Notes how it was started: with these roots as arguments or environment, and in one of them.
   */
  launchedWith(given: readonly Root[], workingIn: Root | undefined): void {
    this.given = given;
    this.workingIn = workingIn;
  }

  /** What it was started with, compared to what it may see now. */
  changeFor(now: readonly Root[]): ConfigurationChange {
    const change = this.given.length > 0 ? configurationChange(this.given, now) : 'none';
    const hasLostItsPlace = !now.some(({ uri }) => uri === this.workingIn?.uri);
    return change === 'none' && this.workingIn && hasLostItsPlace ? 'outdated' : change;
  }

  note(exposure: Exposure): void {
    if (exposure.at >= (this.exposure?.at ?? 0)) {
      this.exposure = exposure;
    }
    if (exposure.trigger.kind !== 'launch') {
      this.answers += exposure.count;
    }
  }

  /** Roots it still knows of which are not even candidates any more. */
  former({ folders }: Access): readonly Root[] {
    const candidates = new Set(folders.map(({ folder }) => folder.uri));
    const known = new Map(
      [...this.given, ...(this.exposure?.roots ?? [])].map(root => [root.uri, root]),
    );
    return [...known.values()].filter(({ uri }) => !candidates.has(uri));
  }
}
