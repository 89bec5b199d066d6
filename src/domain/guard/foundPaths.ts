import type { FoundPath } from './foundPath.ts';

/** How many paths arguments may hold. */
export const mostPaths = 5000;

/** That a single name is no link is quickly seen. */
const costOfName = 0.05;

/** The paths that were found in arguments, each once; those that are paths for certain come first. */
export class FoundPaths {
  private readonly found: Readonly<Record<FoundPath['kind'], Set<string>>> = {
    path: new Set(),
    url: new Set(),
    folder: new Set(),
    maybe: new Set(),
    word: new Set(),
    name: new Set(),
  };
  private count = 0;

  /** Takes one more, and says whether there are not too many by now. */
  add(kind: FoundPath['kind'], text: string): boolean {
    const known = this.found[kind];
    if (!known.has(text)) {
      known.add(text);
      this.count += kind === 'name' ? costOfName : 1;
    }
    return this.count <= mostPaths;
  }

  all(): readonly FoundPath[] {
    return Object.entries(this.found).flatMap(([kind, texts]) =>
      [...texts].map(text => ({ kind: kind as FoundPath['kind'], text })),
    );
  }
}
