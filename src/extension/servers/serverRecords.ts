import type { IDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { LastCall } from '../../domain/forms/lastCall.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import type * as vscode from '../vscode.ts';

/** The kinds of records, each with its value. */
interface RecordValues {
  /** True if a client may use the server, by the name that the client gives itself. */
  readonly client: boolean;
  /** True if the server is offered to the editor's agents. */
  readonly offer: boolean;
  /** An absolute path that was offered to the server. To offer is not to allow. */
  readonly folder: true;
  /** The last calls of a tool, the latest first. */
  readonly calls: readonly LastCall[];
  /** Secrets are kept for the server with this identity. */
  readonly secrets: true;
}

export type RecordKind = keyof RecordValues;

type AnswerKind = 'client' | 'offer';

export interface ServerRecord<K extends RecordKind = RecordKind> {
  readonly kind: K;
  readonly serverId: string;
  /** The server's identity then; empty where the record holds whatever the server becomes. */
  readonly identity: string;
  /** A client's name, a folder's path or a tool's name; empty where the kind has one for a server. */
  readonly about: string;
  readonly value: RecordValues[K];
}

/** The life of a record: until the window closes, or in this workspace. */
export type RecordScope = 'session' | 'workspace';

export interface KnownServer {
  readonly definition: Pick<ServerDefinition, 'id'>;
  readonly identity: string;
}

const key = 'servers';

/** The tools whose calls are kept: they have some kilobytes each, and the editor writes all at once. */
const mostTools = 100;

/**
 * Records on servers by their ids, besides the answers on folders: in the editor's state of the
 * workspace, never in a file that a repository can commit. What can't be read there is not there.
 */
export class ServerRecords implements IDisposable {
  private readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  private readonly didChange = new Emitter<RecordKind>();
  private session: readonly ServerRecord[] = [];

  /** Fires when records of that kind have changed. */
  readonly onDidChange = this.didChange.event;

  constructor(state: Pick<vscode.Memento, 'get' | 'update'>) {
    this.state = state;
  }

  /** The records of a kind in the order in which they were kept: on one server, or on all. */
  of<K extends RecordKind>(kind: K, serverId?: string): readonly ServerRecord<K>[] {
    return [...this.session, ...this.stored].filter(
      (record): record is ServerRecord<K> =>
        record.kind === kind && (serverId === undefined || record.serverId === serverId),
    );
  }

  /** The answers on a server as it is. None is on another identity, but the refusal of a client. */
  answers(kind: AnswerKind, { definition, identity }: KnownServer): readonly ServerRecord[] {
    return this.of(kind, definition.id).filter(
      one => one.identity === identity || (kind === 'client' && !one.value),
    );
  }

  /** The answer on a server as it is; `undefined` when there is none. */
  answer(kind: AnswerKind, server: KnownServer, about = ''): boolean | undefined {
    const own = this.answers(kind, server).filter(record => record.about === about);
    return own.length === 0 ? undefined : own.every(({ value }) => value);
  }

  /** Keeps an answer on a server in the place of earlier ones; `undefined`: there is to be none. */
  async setAnswer(
    kind: AnswerKind,
    { definition, identity }: KnownServer,
    isAllowed: boolean | undefined,
    about = '',
    scope: RecordScope = 'workspace',
  ): Promise<void> {
    await this.set({ kind, serverId: definition.id, identity, about, value: isAllowed }, scope);
  }

  /** Keeps a record in the place of the earlier ones about the same; without a value there is none. */
  async set<K extends RecordKind>(
    { value, ...about }: Omit<ServerRecord<K>, 'value'> & { value: RecordValues[K] | undefined },
    scope: RecordScope = 'workspace',
  ): Promise<void> {
    const next = value === undefined ? [] : [{ ...about, value }];
    const isOther = (one: ServerRecord) =>
      one.kind !== about.kind || one.serverId !== about.serverId || one.about !== about.about;
    this.session = [...this.session.filter(isOther), ...(scope === 'session' ? next : [])];
    const kept = [...this.stored.filter(isOther), ...(scope === 'workspace' ? next : [])];
    await this.write(kept, [about.kind]);
  }

  /** The ids of the servers on which there is a yes, as they are or were. */
  get allowedServers(): readonly string[] {
    return [...this.session, ...this.stored].filter(isYes).map(({ serverId }) => serverId);
  }

  /** Forgets each yes on these servers. Every no stays. */
  async revoke(serverIds: readonly string[]): Promise<void> {
    await this.change(one => (isYes(one) && serverIds.includes(one.serverId) ? [] : [one]));
  }

  /** Has all that is kept about a server be about another one, and all about that be forgotten. */
  async move(from: string, to: string): Promise<void> {
    await this.change(one => {
      const others = one.serverId === to ? [] : [one];
      return one.serverId === from ? [{ ...one, serverId: to }] : others;
    });
  }

  async forget(kind: RecordKind, serverId: string): Promise<void> {
    await this.change(one => (one.kind === kind && one.serverId === serverId ? [] : [one]));
  }

  dispose(): void {
    this.didChange.dispose();
  }

  /** Keeps these records in the place of each. */
  private async change(change: (one: ServerRecord) => readonly ServerRecord[]): Promise<void> {
    const kinds = new Set([...this.session, ...this.stored].map(({ kind }) => kind));
    this.session = this.session.flatMap(change);
    await this.write(this.stored.flatMap(change), kinds);
  }

  private async write(
    records: readonly ServerRecord[],
    changed: Iterable<RecordKind>,
  ): Promise<void> {
    const isOfCalls = ({ kind }: ServerRecord) => kind === 'calls';
    const dropped = new Set(records.filter(isOfCalls).slice(0, -mostTools));
    const written = this.state.update(
      key,
      records.filter(record => !dropped.has(record)),
    );
    for (const kind of changed) {
      this.didChange.fire(kind);
    }
    await written;
  }

  private get stored(): readonly ServerRecord[] {
    const stored: unknown = this.state.get(key);
    return Array.isArray(stored) ? stored.filter(isRecord) : [];
  }
}

/** True if records of this kind say who may use a server. */
export function isAnswer(kind: RecordKind): kind is AnswerKind {
  return kind === 'client' || kind === 'offer';
}

function isYes({ kind, value }: ServerRecord): boolean {
  return isAnswer(kind) && value === true;
}

const isBoolean = (value: unknown) => typeof value === 'boolean';
const isTrue = (value: unknown) => value === true;
/** By kind, whether a value is one of it. */
const isValue: Readonly<Record<RecordKind, (value: unknown) => boolean>> = {
  client: isBoolean,
  offer: isBoolean,
  folder: isTrue,
  calls: Array.isArray,
  secrets: isTrue,
};

function isRecord(one: unknown): one is ServerRecord {
  const { kind, serverId, identity, about, value } = Object(one);
  const areTexts = [serverId, identity, about].every(text => typeof text === 'string');
  return areTexts && Object.hasOwn(isValue, kind) && isValue[kind as RecordKind](value);
}
