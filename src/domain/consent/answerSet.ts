import { isConsent, isRecord, isYes, type ServerRecord, subjectOf } from './records.ts';
import {
  isRevocations,
  joinRevocations,
  type Revocations,
  timesRevoked,
  withRevoked,
} from './revocations.ts';

/** A record, or a note that a record was withdrawn. */
export type Entry = ServerRecord & {
  /** The window, workspace or machine in which the record holds. */
  readonly where: string;
  readonly isGone?: true;
};

/**
 * All records about servers, sorted by version. Each window writes the whole set as one value, and
 * may overwrite what other windows wrote. So each window {@link join}s a received set with its own.
 */
export interface AnswerSet {
  readonly revocations: Revocations;
  readonly entries: readonly Entry[];
}

export const noAnswers: AnswerSet = { revocations: {}, entries: [] };

/**
 * Joins two sets. Of two records with one subject, the higher version stays; of equal versions, the
 * refusal. A revoked permission never stays, even if its window missed the revocation.
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

/** The set after the records in `back` were withdrawn and the records in `kept` were added. */
export function changed(set: AnswerSet, back: readonly Entry[], kept: readonly Entry[]): AnswerSet {
  const version = 1 + (set.entries.at(-1)?.version ?? 0);
  const counted = (one: Entry, later: number): Entry => {
    const under = timesRevoked(one.serverId, set.revocations);
    return { ...one, version: version + later, under };
  };
  const entries = [...back.map(one => counted(gone(one), 0)), ...kept.map(one => counted(one, 1))];
  return join(set, { ...noAnswers, entries });
}

/** The set after all permissions of a server, or of every server, were revoked. Refusals stay. */
export function revoked(set: AnswerSet, serverId: string): AnswerSet {
  return join(set, { ...noAnswers, revocations: withRevoked(serverId, set.revocations) });
}

/** The most notes about withdrawn records, and the most workspaces whose answers are kept. */
const most = { gone: 500, workspaces: 100 };

/**
 * Returns the entries to keep, the latest last. Drops a note about a withdrawn record after 500
 * newer notes: by then, all windows in use know of it. Refusals stay, to end an older "always".
 */
function latest(entries: readonly Entry[]): readonly Entry[] {
  const places = entries.filter(({ scope }) => scope === 'workspace').map(({ where }) => where);
  const notes = entries.filter(({ isGone }) => isGone);
  // Hundreds of tools can be turned on at once. Their notes must not push out the other notes.
  const [ofTools, others] = [true, false].map(isOfTool =>
    notes.filter(({ kind }) => (kind === 'tool') === isOfTool).slice(0, -most.gone),
  );
  const dropped = new Set<unknown>([
    ...(ofTools ?? []),
    ...(others ?? []),
    ...[...new Set(places.reverse())].slice(most.workspaces),
  ]);
  // Only consent that outlives a session reaches other windows, so only such consent needs a note.
  const isKept = (one: Entry) => !one.isGone || (isConsent(one) && one.scope !== 'session');
  const isDropped = (one: Entry) =>
    dropped.has(one) || (dropped.has(one.where) && (one.kind === 'tool' || !isYes(one, false)));
  return entries.filter(one => isKept(one) && !isDropped(one));
}

/** True if a permission, or the note on a withdrawn one, is from before the last revocation. */
function isVoid(one: Entry, revocations: Revocations): boolean {
  return isYes(one) && one.under < timesRevoked(one.serverId, revocations);
}

/** Reads a store's set. `undefined`: it can't be read, or `isOwn` is false for an entry. */
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

/** Returns the note that replaces a withdrawn record. */
function gone(one: Entry): Entry {
  return { ...one, isGone: true, ...(one.kind === 'grant' && { fields: {} }) };
}

function isLater(one: Entry, other: Entry): boolean {
  // Windows that answer at the same time give the same version. The answer that allows less stands.
  const weight = (entry: Entry) => (entry.isGone ? 1 : isYes(entry, false) ? 2 : 0);
  const byCount = one.version - other.version || weight(one) - weight(other);
  return byCount > 0 || (byCount === 0 && JSON.stringify(one) > JSON.stringify(other));
}
