import type { Era } from '../exposure.ts';
import type { RestartPlan } from './restarts.ts';

/** What is known of a server besides the state of its connection. */
export interface ServerFacts {
  readonly isRunning: boolean;
  readonly plan: RestartPlan;
  /** It was told that its roots changed and has not asked for them since. */
  readonly isNeglecting: boolean;
  /** Its roots are part of how it was started, and have changed since. */
  readonly needsRestart: boolean;
  /** It stands still because no folder was left that it may see. */
  readonly isStoppedForLackOfRoots: boolean;
}

/**
 * What a person should know of a server before anything else. `plain`: no more than its state.
 *
 * `outdated` and `neglecting` both mean that a restart brings it what it may see now.
 */
export type ServerStatus =
  | { readonly kind: 'starved' | 'outdated' | 'neglecting' | 'plain' }
  | Exclude<RestartPlan, { readonly kind: 'none' }>;

/** The status of a server: of all that is true of it, what matters most. */
export function serverStatus(facts: ServerFacts): ServerStatus {
  if (facts.isStoppedForLackOfRoots) {
    return { kind: 'starved' };
  }
  if (facts.isRunning) {
    const changed = facts.isNeglecting ? 'neglecting' : 'plain';
    return { kind: facts.needsRestart ? 'outdated' : changed };
  }
  return facts.plan.kind === 'none' ? { kind: 'plain' } : facts.plan;
}

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
