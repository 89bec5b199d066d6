import type { Grant } from './grants.ts';

/**
 * When everything that a server was allowed was last withdrawn, by server id, in milliseconds since
 * 1970. It is kept beside the grants, because those of other workspaces can't be reached from here:
 * the grant store drops them by their time when it reads them. So a revocation is never earlier than
 * the answers it voids ({@link withRevoked}), and a new answer always later ({@link answerTime}),
 * even if the clock was set back.
 */
export type Revocations = Readonly<Record<string, number>>;

/**
 * The grants that still hold: all refusals, and the permissions given after their server's last
 * revocation. No permission holds when the revocations can't be read (`undefined`).
 */
export function unrevokedGrants(
  grants: readonly Grant[],
  revocations: Revocations | undefined,
): readonly Grant[] {
  return grants.filter(
    ({ serverId, decision, at }) =>
      decision === 'denied' || (revocations && at > (revocations[serverId] ?? 0)),
  );
}

/** The revocations after everything that these servers are allowed is withdrawn. */
export function withRevoked(
  serverIds: readonly string[],
  before: { readonly grants: readonly Grant[]; readonly revocations: Revocations },
  now: number,
): Revocations {
  const added = serverIds.map(id => {
    const answered = before.grants.filter(({ serverId }) => serverId === id).map(({ at }) => at);
    return [id, Math.max(now, before.revocations[id] ?? 0, ...answered)];
  });
  return { ...before.revocations, ...Object.fromEntries(added) };
}

/** The time to give a new answer on a server: now, or right after its last revocation. */
export function answerTime(serverId: string, revocations: Revocations, now: number): number {
  return Math.max(now, (revocations[serverId] ?? 0) + 1);
}

/** Reads stored revocations; `undefined` when they can't be understood. None stored are none. */
export function readRevocations(stored: unknown): Revocations | undefined {
  const isMap = typeof stored === 'object' && stored !== null;
  const isReadable = isMap && Object.values(stored).every(time => typeof time === 'number');
  return isReadable ? (stored as Revocations) : stored === undefined ? {} : undefined;
}
