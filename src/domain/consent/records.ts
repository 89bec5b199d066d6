import { type Grant, type GrantScope, isGrant } from './grants.ts';
import { isCount } from './revocations.ts';

/** The kinds of records besides the answers on folders, each with its value. */
interface RecordValues {
  /** True if a client may use the server, by the name that the client gives itself. */
  readonly client: boolean;
  /** True if the server is offered to the editor's agents. */
  readonly offer: boolean;
  /** An absolute path that was offered to the server. To offer is not to allow. */
  readonly folder: true;
  /** Secrets are kept for the server with this identity. */
  readonly secrets: true;
}

export type ValueKind = keyof RecordValues;
/** A yes or a no. */
export type AnswerKind = 'client' | 'offer';

/** A record as it is given to the store, which adds the rest. */
export interface NewRecord<K extends ValueKind> {
  readonly kind: K;
  readonly serverId: string;
  /** The server's identity then; empty where the record holds whatever the server becomes. */
  readonly identity: string;
  /** A client's name or a folder's path; empty where the kind has one for a server. */
  readonly about: string;
  readonly value: RecordValues[K];
}

/** What the store counts, by which it tells the later of two records, and whether one is revoked. */
interface Counted {
  /** Higher than that of each record that its window knew. */
  readonly version: number;
  /** How often the permissions of its server had been withdrawn, as far as its window knew. */
  readonly under: number;
}

type Records = {
  readonly [K in ValueKind]: NewRecord<K> &
    Counted & {
      readonly scope: GrantScope;
      /** When it was kept, in milliseconds since 1970. */
      readonly at: number;
    };
} & {
  /** An answer on a folder, or on the start. */
  readonly grant: Grant & Counted & { readonly kind: 'grant' };
};

export type RecordKind = keyof Records;
export type ServerRecord<K extends RecordKind = RecordKind> = Records[K];

/** True if records of this kind say who may use a server. */
export function isAnswer(kind: RecordKind): kind is AnswerKind {
  return kind === 'client' || kind === 'offer';
}

/** True if it has a say in what a server may see, or who may use it. */
export function isConsent({ kind }: Pick<ServerRecord, 'kind'>): boolean {
  return kind === 'grant' || kind === 'folder' || isAnswer(kind);
}

/** What a record says: what is offered is neither. */
export function isYes(one: ServerRecord, yes = true): boolean {
  return one.kind === 'grant'
    ? one.decision === (yes ? 'allowed' : 'denied')
    : isAnswer(one.kind) && one.value === yes;
}

/** What a record is about, with the server and its identity: there is one record for each. */
export function subjectOf(one: ServerRecord): readonly string[] {
  return [one.kind, one.serverId, one.identity, one.kind === 'grant' ? one.folder : one.about];
}

/** Whether a value from a store is a record. */
export function isRecord(one: unknown): one is ServerRecord {
  const { kind, serverId, identity, about, at, version, under, value } = Object(one);
  const isValue = isAnswer(kind)
    ? typeof value === 'boolean'
    : (kind === 'folder' || kind === 'secrets') && value === true;
  const isWhole =
    kind === 'grant'
      ? isGrant(one)
      : isValue &&
        [serverId, identity, about].every(text => typeof text === 'string') &&
        typeof at === 'number';
  return isWhole && isCount(version) && isCount(under);
}
