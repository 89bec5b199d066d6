import type { Access } from '../../domain/consent/access.ts';
import type { Exposure } from '../../domain/exposure.ts';
import type { Root } from '../../domain/roots.ts';

/** What one process of a server was told of its roots. */
export class ToldRoots {
  private exposure: Exposure | undefined;
  private answers = 0;
  private launchedWith: readonly Root[] | undefined;

  /** The last occasion; `undefined` when it was told of none yet. */
  get last(): Exposure | undefined {
    return this.exposure;
  }

  /** How many times it asked. */
  get count(): number {
    return this.answers;
  }

  /** What it was started with as arguments or environment; `undefined` when it was not. */
  get given(): readonly Root[] | undefined {
    return this.launchedWith;
  }

  note(exposure: Exposure): void {
    this.exposure = exposure;
    if (exposure.trigger.kind === 'launch') {
      this.launchedWith = exposure.roots;
    } else {
      this.answers += exposure.count;
    }
  }

  /** Roots it still knows of which are not even candidates any more. */
  former({ folders }: Access): readonly Root[] {
    const candidates = new Set(folders.map(({ folder }) => folder.uri));
    const known = new Map(
      [...(this.launchedWith ?? []), ...(this.exposure?.roots ?? [])].map(root => [root.uri, root]),
    );
    return [...known.values()].filter(({ uri }) => !candidates.has(uri));
  }
}
