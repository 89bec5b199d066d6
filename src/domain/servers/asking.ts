import type { Era } from '../exposure.ts';

/** What is known of a running server and its roots. */
export interface AskingFacts {
  readonly era: Era;
  /** It is told its roots when it asks, and not only given them at its start. */
  readonly isTold: boolean;
  /** It may see no folder at all, and so is offered nothing that it could ask for. */
  readonly isRefused: boolean;
  /** How many times it asked. */
  readonly times: number;
  /** When it last did, in milliseconds since 1970. */
  readonly last: number | undefined;
  /** It had time enough to ask and did not. */
  readonly isSilent: boolean;
}

/** How a running server goes about its roots. */
export type Asking =
  | { readonly kind: 'asked'; readonly era: Era; readonly times: number; readonly last: number }
  /**
   * `given`: it gets them at its start only. `refused`: there is nothing to ask for. `silent`: it
   * could have asked and did not. `waiting`: it has just started. `in-calls`: it can ask only when
   * it is called, and has not yet.
   */
  | { readonly kind: 'given' | 'refused' | 'silent' | 'waiting' | 'in-calls' };

/** What to say of how a running server asks for its roots. */
export function askingOf(facts: AskingFacts): Asking {
  const { era, times, last } = facts;
  if (!facts.isTold) {
    return { kind: 'given' };
  }
  if (times > 0 && last !== undefined) {
    return { kind: 'asked', era, times, last };
  }
  if (facts.isRefused) {
    return { kind: 'refused' };
  }
  if (era === 'modern') {
    return { kind: 'in-calls' };
  }
  return { kind: facts.isSilent ? 'silent' : 'waiting' };
}
