/**
 * The last time that all permissions of a server were withdrawn, by server id, in milliseconds since
 * 1970. It is kept beside the answers, because those of other workspaces can't be reached from here:
 * they are dropped by their time when they are read. So a revocation is never earlier than the
 * answers it voids ({@link withRevoked}), and a new answer always later ({@link answerTime}), even if
 * the clock was set back.
 */
export type Revocations = Readonly<Record<string, number>>;

/** An answer on a server: when the user gave it, in milliseconds since 1970. */
interface Answer {
  readonly serverId: string;
  readonly at: number;
}

/** Stands for every server where the id of one would: no server has an empty one. */
export const everyServer = '';

/** Whether an answer is void if it is a permission. No refusal ever is. */
export function isRevoked({ serverId, at }: Answer, revocations: Revocations): boolean {
  return at <= lastRevocation(serverId, revocations);
}

/** @param before the answers that are known, and what was revoked before. */
export function withRevoked(
  id: string,
  before: { readonly answers: readonly Answer[]; readonly revocations: Revocations },
  now: number,
): Revocations {
  const isEach = id === everyServer;
  const answers = before.answers.filter(({ serverId }) => isEach || serverId === id);
  const last = Math.max(0, ...Object.values(before.revocations));
  // An answer that is not known here may be right after the last revocation.
  const at = Math.max(now, last + 1, ...answers.map(answer => answer.at));
  return { ...(!isEach && before.revocations), [id]: at };
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
