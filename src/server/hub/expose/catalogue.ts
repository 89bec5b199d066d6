import type { NamedOffer } from './offers.ts';

/**
 * What is remembered of servers that do not run. Resources are not: which there are depends on the
 * roots, and nobody is told of those of another session.
 */
export type RememberedKind = 'tools' | 'prompts';

/** What the servers of one session offered when they last ran, by their fingerprints. */
export class Catalogue {
  private readonly known = {
    tools: new Map<string, readonly NamedOffer[]>(),
    prompts: new Map<string, readonly NamedOffer[]>(),
  };

  remember(fingerprint: string, kind: RememberedKind, offers: readonly NamedOffer[]): void {
    this.known[kind].set(fingerprint, offers);
  }

  /** `undefined`: such a server never said. */
  recall(fingerprint: string, kind: RememberedKind): readonly NamedOffer[] | undefined {
    return this.known[kind].get(fingerprint);
  }
}
