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
export type ServerStanding =
  | { readonly kind: 'starved' | 'outdated' | 'neglecting' | 'plain' }
  | Exclude<RestartPlan, { readonly kind: 'none' }>;

/** The standing of a server: of all that is true of it, what matters most. */
export function serverStanding(facts: ServerFacts): ServerStanding {
  if (facts.isStoppedForLackOfRoots) {
    return { kind: 'starved' };
  }
  if (facts.isRunning) {
    const changed = facts.isNeglecting ? 'neglecting' : 'plain';
    return { kind: facts.needsRestart ? 'outdated' : changed };
  }
  return facts.plan.kind === 'none' ? { kind: 'plain' } : facts.plan;
}
