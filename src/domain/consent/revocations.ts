import type { Grant } from './grants.ts';

/** When everything a server was allowed was withdrawn, by server id, in milliseconds since 1970. */
export type Revocations = Readonly<Record<string, number>>;

/** The grants without the permissions that were given before they were all withdrawn. Refusals stay. */
export function unrevokedGrants(
  grants: readonly Grant[],
  revocations: Revocations | undefined,
): readonly Grant[] {
  return grants.filter(
    ({ serverId, decision, at }) =>
      decision === 'denied' || (revocations && at > (revocations[serverId] ?? 0)),
  );
}

/**
 * The revocations with those of all that these servers are allowed now. They are no earlier than
 * any answer or revocation before them, whatever the clock says: it may have been set back since.
 */
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

/** The time of a new answer on a server: now, but after all that was withdrawn before. */
export function answerTime(serverId: string, revocations: Revocations, now: number): number {
  return Math.max(now, (revocations[serverId] ?? 0) + 1);
}

/** Reads stored revocations; `undefined` when they can't be understood, and then nothing stands. */
export function readRevocations(stored: unknown): Revocations | undefined {
  const isMap = typeof stored === 'object' && stored !== null;
  const isReadable = isMap && Object.values(stored).every(time => typeof time === 'number');
  return isReadable ? (stored as Revocations) : stored === undefined ? {} : undefined;
}
