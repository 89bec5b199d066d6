import { type Grant, type GrantScope, isGrant } from './grants.ts';
import { isCount } from './revocations.ts';

const isYesOrNo = (value: unknown): value is boolean => typeof value === 'boolean';
const isTrue = (value: unknown): value is true => value === true;

/** The kinds of records besides answers on folders, each with the check of its value. */
const valueChecks = {
  /** True if a client may use the server. Nobody checks the name that the client gives. */
  client: isYesOrNo,
  /** True if the editor's agents may see the server. */
  offer: isYesOrNo,
  /** False for a path that a sandboxed server wanted to read and the user refused. */
  read: isYesOrNo,
  /** False for a tool that the user turned off, for all clients or for one. See {@link aboutTool}. */
  tool: isYesOrNo,
  /** An absolute path that is a candidate for the server. The record itself allows nothing. */
  folder: isTrue,
  /** Notes that secrets are stored for the server with this identity. */
  secrets: isTrue,
};

export type ValueKind = keyof typeof valueChecks;
type RecordValue<K extends ValueKind> = (typeof valueChecks)[K] extends typeof isTrue
  ? true
  : boolean;
/** The kinds of records whose value is a yes or a no. */
export type AnswerKind = { [K in ValueKind]: false extends RecordValue<K> ? K : never }[ValueKind];

/** A record as passed to the store. The store adds the other members. */
export interface NewRecord<K extends ValueKind> {
  readonly kind: K;
  readonly serverId: string;
  /** The server's identity; empty if the record holds for every identity. */
  readonly identity: string;
  /** A client's name, a path or a tool; empty for kinds with one record per server. */
  readonly about: string;
  readonly value: RecordValue<K>;
}

/** The store's counts. They tell which of two records is later, and whether a record is revoked. */
interface Counted {
  /** The version: higher than every version that the window knew when it wrote the record. */
  readonly version: number;
  /** How many revocations of the server's permissions the window knew when it wrote the record. */
  readonly under: number;
}

type Records = {
  readonly [K in ValueKind]: NewRecord<K> &
    Counted & {
      readonly scope: GrantScope;
      /** When the record was made, in milliseconds since 1970. */
      readonly at: number;
    };
} & {
  /** An answer on a folder, or on the start of a server. */
  readonly grant: Grant & Counted & { readonly kind: 'grant' };
};

export type RecordKind = keyof Records;
export type ServerRecord<K extends RecordKind = RecordKind> = Records[K];

function checkOf(kind: unknown) {
  return Object.entries(valueChecks).find(([one]) => one === kind)?.[1];
}

/** True if records of this kind decide who may use a server, or what the server may read. */
export function isAnswer(kind: RecordKind): kind is AnswerKind {
  return checkOf(kind) === isYesOrNo;
}

/** True if the record affects what a server may see, or who may use the server. */
export function isConsent({ kind }: Pick<ServerRecord, 'kind'>): boolean {
  return kind === 'grant' || kind === 'folder' || isAnswer(kind);
}

/** Whether a record is a yes, or with `yes = false` a no. Kinds without an answer are neither. */
export function isYes(one: ServerRecord, yes = true): boolean {
  return one.kind === 'grant'
    ? one.decision === (yes ? 'allowed' : 'denied')
    : isAnswer(one.kind) && one.value === yes;
}

/** The subject of a record. The store keeps one record for each subject. */
export function subjectOf(one: ServerRecord): readonly string[] {
  return [one.kind, one.serverId, one.identity, one.kind === 'grant' ? one.folder : one.about];
}

/** What a record on a tool is about. @param tool the name by `foldedName`, which has no NUL. */
export function aboutTool(tool: string, client: string): string {
  return `${tool}\0${client}`;
}

/** The tool and the client in a record. The client is empty if the record holds for all clients. */
export function toolAndClient(about: string): readonly [tool: string, client: string] {
  const end = about.indexOf('\0');
  return [about.slice(0, end), about.slice(end + 1)];
}

/** Whether a value from a store is a record. */
export function isRecord(one: unknown): one is ServerRecord {
  const { kind, serverId, identity, about, at, version, under, value } = Object(one);
  const isWhole =
    kind === 'grant'
      ? isGrant(one)
      : checkOf(kind)?.(value) === true &&
        [serverId, identity, about].every(text => typeof text === 'string') &&
        typeof at === 'number';
  return isWhole && isCount(version) && isCount(under);
}
