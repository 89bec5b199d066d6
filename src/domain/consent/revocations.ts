/**
 * How often all permissions of a server were revoked, by server id. Each record stores the count
 * that its window knew. A permission whose count is too low is void. So no clock decides, and a
 * window that missed a revocation cannot bring a permission back.
 */
export type Revocations = Readonly<Record<string, number>>;

/** Means every server, in place of an id: no server has an empty id. */
export const everyServer = '';

/** How often a server's permissions were revoked, alone or together with all others. */
export function timesRevoked(serverId: string, revocations: Revocations): number {
  return [serverId, everyServer].reduce((sum, id) => sum + timesOf(id, revocations), 0);
}

/** The revocations after one more revocation, of a server or of every server. */
export function withRevoked(id: string, revocations: Revocations): Revocations {
  return { ...revocations, [id]: timesOf(id, revocations) + 1 };
}

/** Joins the revocations of two windows: for each id, the higher count. The ids are sorted. */
export function joinRevocations(a: Revocations, b: Revocations): Revocations {
  const ids = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return Object.fromEntries(ids.map(id => [id, Math.max(timesOf(id, a), timesOf(id, b))]));
}

function timesOf(id: string, revocations: Revocations): number {
  return (Object.hasOwn(revocations, id) && revocations[id]) || 0;
}

/** Whether a value from a store holds revocations. */
export function isRevocations(value: unknown): value is Revocations {
  return typeof value === 'object' && value !== null && Object.values(value).every(isCount);
}

/** Whether a value from a store is a count. The limit leaves room for more counting. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 50;
}
