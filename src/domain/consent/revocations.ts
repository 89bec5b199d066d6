import type { Grant } from './grants.ts';

/**
 * The last time that all permissions of a server were withdrawn, by server id, in milliseconds since
 * 1970. It is kept beside the grants, because those of other workspaces can't be reached from here:
 * the grant store drops them by their time when it reads them. So a revocation is never earlier than
 * the answers it voids ({@link withRevoked}), and a new answer always later ({@link answerTime}),
 * even if the clock was set back.
 */
export type Revocations = Readonly<Record<string, number>>;

/** Stands for every server where the id of one would: no server has an empty one. */
const everyServer = '';

/**
 * The grants that still hold: all refusals, and the permissions given after their server's last
 * revocation.
 */
export function unrevokedGrants(
  grants: readonly Grant[],
  revocations: Revocations,
): readonly Grant[] {
  return grants.filter(
    ({ serverId, decision, at }) =>
      decision === 'denied' || at > lastRevocation(serverId, revocations),
  );
}

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
  return Math.max(now, lastRevocation(serverId, revocations) + 1);
}

export interface ReadRevocations {
  /** False if unreadable: everything given until now then counts as revoked. */
  readonly ok: boolean;
  readonly revocations: Revocations;
}

export function readRevocations(stored: unknown, now: number): ReadRevocations {
  if (stored === undefined) {
    return { ok: true, revocations: {} };
  }
  const isMap = typeof stored === 'object' && stored !== null;
  return isMap && Object.values(stored).every(time => typeof time === 'number')
    ? { ok: true, revocations: stored as Revocations }
    : { ok: false, revocations: { [everyServer]: now } };
}

function lastRevocation(serverId: string, revocations: Revocations): number {
  return Math.max(revocations[serverId] ?? 0, revocations[everyServer] ?? 0);
}
