import { isConsent, isRecord, isYes, type ServerRecord, subjectOf } from './records.ts';
import {
  isRevocations,
  joinRevocations,
  type Revocations,
  timesRevoked,
  withRevoked,
} from './revocations.ts';

/** A record, or that there is none any more. */
export type Entry = ServerRecord & {
  /** The window, workspace or machine in which it holds. */
  readonly where: string;
  readonly isGone?: true;
};

/**
 * All that is kept about servers, in the order of the versions. Windows write it as one value, each the
 * whole of it, and may not have heard of each other: so each {@link join}s what it hears with what it knows.
 */
export interface AnswerSet {
  readonly revocations: Revocations;
  readonly entries: readonly Entry[];
}

export const noAnswers: AnswerSet = { revocations: {}, entries: [] };

/**
 * All that either knows. Of two records on the same, the later one stands; of one version, the no. What
 * was revoked is nothing beside them, whatever its version: its window had not heard of that.
 */
export function join(a: AnswerSet, b: AnswerSet): AnswerSet {
  const revocations = joinRevocations(a.revocations, b.revocations);
  const entries = new Map<string, Entry>();
  for (const one of [...a.entries, ...b.entries].filter(each => !isVoid(each, revocations))) {
    const name = JSON.stringify([one.where, ...subjectOf(one)]);
    const known = entries.get(name);
    entries.set(name, known && isLater(known, one) ? known : one);
  }
  const all = [...entries.values()].sort((one, other) => (isLater(one, other) ? 1 : -1));
  return { revocations, entries: latest(all) };
}

/** The set after some records were taken back, and then others were kept. */
export function changed(set: AnswerSet, back: readonly Entry[], kept: readonly Entry[]): AnswerSet {
  const version = 1 + (set.entries.at(-1)?.version ?? 0);
  const counted = (one: Entry, later: number): Entry => {
    const under = timesRevoked(one.serverId, set.revocations);
    return { ...one, version: version + later, under };
  };
  const entries = [...back.map(one => counted(gone(one), 0)), ...kept.map(one => counted(one, 1))];
  return join(set, { ...noAnswers, entries });
}

/** The set after all permissions of a server, or of every one, were withdrawn. Every no stays. */
export function revoked(set: AnswerSet, serverId: string): AnswerSet {
  return join(set, { ...noAnswers, revocations: withRevoked(serverId, set.revocations) });
}

/** So much is kept: the records that were taken back, and the workspaces with answers. */
const most = { gone: 500, workspaces: 100 };

/**
 * Of entries, the latest last, what is kept. What was taken back is forgotten when 500 more were: by then a
 * window has heard of it, or it can't tell the others anything. A no never is: an "always" would hold.
 */
function latest(entries: readonly Entry[]): readonly Entry[] {
  const places = entries.filter(({ scope }) => scope === 'workspace').map(({ where }) => where);
  const dropped = new Set<unknown>([
    ...entries.filter(({ isGone }) => isGone).slice(0, -most.gone),
    ...[...new Set(places.reverse())].slice(most.workspaces),
  ]);
  // Where no other window knows of a record, none has to hear that it is gone.
  const isKept = (one: Entry) => !one.isGone || (isConsent(one) && one.scope !== 'session');
  const isDropped = (one: Entry) =>
    dropped.has(one) || (dropped.has(one.where) && !isYes(one, false));
  return entries.filter(one => isKept(one) && !isDropped(one));
}

/** True if it was revoked: a yes, or that it was taken back. No refusal ever is. */
function isVoid(one: Entry, revocations: Revocations): boolean {
  return isYes(one) && one.under < timesRevoked(one.serverId, revocations);
}

/** The set that a store holds; `undefined`: something that can't be read. */
export function readAnswers(
  stored: unknown = noAnswers,
  isOwn: (one: Entry) => boolean,
): AnswerSet | undefined {
  const { revocations, entries } = Object(stored);
  const isEntry = (one: unknown) =>
    isRecord(one) && 'where' in one && typeof one.where === 'string' && isOwn(one as Entry);
  const isReadable = isRevocations(revocations) && Array.isArray(entries) && entries.every(isEntry);
  return isReadable ? join(noAnswers, { revocations, entries }) : undefined;
}

/** That there is no such record any more. */
function gone(one: Entry): Entry {
  return { ...one, isGone: true, ...(one.kind === 'grant' && { fields: {} }) };
}

function isLater(one: Entry, other: Entry): boolean {
  // Windows that answer at once count alike: then that stands which allows less.
  const weight = (entry: Entry) => (entry.isGone ? 1 : isYes(entry, false) ? 2 : 0);
  const byCount = one.version - other.version || weight(one) - weight(other);
  return byCount > 0 || (byCount === 0 && JSON.stringify(one) > JSON.stringify(other));
}
