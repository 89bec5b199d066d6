/**
 * How often all permissions of a server were withdrawn, by server id. An answer has the count that its
 * window knew when it was given, and a permission with a lower one than that of now is void. So no clock
 * decides, and what is allowed in a window that has not heard of a revocation does not outlive it.
 */
export type Revocations = Readonly<Record<string, number>>;

/** Stands for every server where the id of one would: no server has an empty one. */
export const everyServer = '';

/** How often the permissions of a server were withdrawn, alone or with those of every one. */
export function timesRevoked(serverId: string, revocations: Revocations): number {
  return [serverId, everyServer].reduce((sum, id) => sum + timesOf(id, revocations), 0);
}

/** The revocations with one more, of a server or of every one. */
export function withRevoked(id: string, revocations: Revocations): Revocations {
  return { ...revocations, [id]: timesOf(id, revocations) + 1 };
}

/** All that either knows: the higher count of each, in the order of the ids. */
export function joinRevocations(a: Revocations, b: Revocations): Revocations {
  const ids = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return Object.fromEntries(ids.map(id => [id, Math.max(timesOf(id, a), timesOf(id, b))]));
}

function timesOf(id: string, revocations: Revocations): number {
  return (Object.hasOwn(revocations, id) && revocations[id]) || 0;
}

/** Whether a value from a store is one of revocations. */
export function isRevocations(value: unknown): value is Revocations {
  return typeof value === 'object' && value !== null && Object.values(value).every(isCount);
}

/** Whether a value from a store is a count, to which one can be added often enough. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 50;
}
