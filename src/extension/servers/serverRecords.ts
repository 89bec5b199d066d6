import type { IDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import { answer, type Grant, type GrantScope, isGrant } from '../../domain/consent/grants.ts';
import {
  answerTime,
  everyServer,
  isRevoked,
  type Revocations,
  readRevocations,
  withRevoked,
} from '../../domain/consent/revocations.ts';
import type { LastCall } from '../../domain/forms/lastCall.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import { type IdentityFields, isOfWorkspace } from '../../domain/servers/serverIdentity.ts';
import type * as vscode from '../vscode.ts';

/** The kinds of records besides the answers on folders, each with its value. */
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

type ValueKind = keyof RecordValues;
/** A yes or a no. */
type AnswerKind = {
  [K in ValueKind]: boolean extends RecordValues[K] ? K : never;
}[ValueKind];

interface ValueRecord<K extends ValueKind> {
  readonly kind: K;
  readonly serverId: string;
  /** The server's identity then; empty where the record holds whatever the server becomes. */
  readonly identity: string;
  /** A client's name, a folder's path or a tool's name; empty where the kind has one for a server. */
  readonly about: string;
  readonly value: RecordValues[K];
  readonly scope: GrantScope;
  /** When it was kept, in milliseconds since 1970. */
  readonly at: number;
}

type Records = { readonly [K in ValueKind]: ValueRecord<K> } & {
  /** An answer on a folder, or on the start. */
  readonly grant: Grant & { readonly kind: 'grant' };
};

export type RecordKind = keyof Records;
export type ServerRecord<K extends RecordKind = RecordKind> = Records[K];

/** The life of an answer on a client: until the window closes, or in this workspace. */
export type RecordScope = Exclude<GrantScope, 'always'>;

/** An answer of the user on a folder. The store adds the time. */
export type NewGrant = Omit<Grant, 'at'>;

/** A server, as far as it matters which records are on it. */
export interface KnownServer {
  readonly definition: Pick<ServerDefinition, 'id' | 'from'>;
  readonly fields: IdentityFields;
  readonly identity: string;
}

type Memento = Pick<vscode.Memento, 'get' | 'update'>;

/** The editor's state in which records are kept. */
export interface RecordState {
  /** The state of this workspace. */
  readonly workspace: Memento;
  /** The state of all workspaces and windows. */
  readonly global: Memento;
  /** The machine whose folders this window shows; the global state knows those of others, too. */
  readonly host: string;
}

const revocationsKey = 'revocations';

/** The tools whose calls are kept: they have some kilobytes each, and the editor writes all at once. */
const mostTools = 100;

/** Milliseconds between looks for the answers of other windows, which no event announces. */
const lookInterval = 2000;

/**
 * Records on servers by their ids, kept in the editor's state: never in a file that a repository can
 * commit. A stored value that can't be read grants nothing and is put aside, not lost.
 */
export class ServerRecords implements IDisposable {
  private readonly state: RecordState;
  private readonly logger: Logger;
  private readonly didChange = new Emitter<RecordKind>();
  private readonly didRevoke = new Emitter<string>();
  private readonly looking: NodeJS.Timeout;
  private session: readonly ServerRecord[] = [];
  /** Kept for as long as the editor has the same values, because reading them means checking each. */
  private read: { readonly from: readonly unknown[]; readonly all: readonly ServerRecord[] };
  /** The records and the revocations that the listeners know. */
  private seen: readonly ServerRecord[];
  private seenRevocations: Revocations;

  /** Fires when records of that kind have changed: here, or in another window seconds ago. */
  readonly onDidChange = this.didChange.event;

  /**
   * Fires with the id of a server, or with that of every one, when its permissions were withdrawn: even
   * where there was none. The events of the records that this took come first.
   */
  readonly onDidRevoke = this.didRevoke.event;

  constructor(state: RecordState, logger: Logger) {
    this.state = state;
    this.logger = logger;
    this.read = { from: [], all: [] };
    const { ok, revocations } = this.storedRevocations;
    if (!ok) {
      logger.error('Stored revocations could not be read. All that was allowed is revoked.');
      void Promise.all(this.write(state.global, revocationsKey, revocations, false));
    }
    if (this.stores.some(([memento, name, isOwn]) => !readRecords(memento.get(name), isOwn))) {
      logger.error('Stored answers could not be read. They grant nothing; you are asked again.');
    }
    this.seen = this.all;
    this.seenRevocations = this.storedRevocations.revocations;
    this.looking = setInterval(() => this.look(), lookInterval).unref();
  }

  /** The records of a kind in the order in which they were kept: on one server, or on all. */
  of<K extends RecordKind>(kind: K, serverId?: string): readonly ServerRecord<K>[] {
    return this.all.filter(
      (record): record is ServerRecord<K> =>
        record.kind === kind && (serverId === undefined || record.serverId === serverId),
    );
  }

  /** The answers on a server as it is. None is on another identity, but the refusal of a client. */
  answers(
    kind: AnswerKind,
    { definition, identity }: KnownServer,
  ): readonly ServerRecord<AnswerKind>[] {
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
  async set<K extends ValueKind>(
    {
      value,
      ...about
    }: Omit<ValueRecord<K>, 'value' | 'scope' | 'at'> & { value: RecordValues[K] | undefined },
    scope: RecordScope = 'workspace',
  ): Promise<void> {
    const others = this.all.filter(
      one =>
        one.kind !== about.kind || one.serverId !== about.serverId || one.about !== about.about,
    );
    const next = { ...about, value, scope, at: this.timeFor(about.serverId) };
    await this.keep(value === undefined ? others : [...others, next as ServerRecord]);
  }

  /** Keeps new answers, each in the place of every earlier one on the same server and folder. */
  async setGrants(grants: readonly NewGrant[]): Promise<void> {
    const answered = grants.reduce<readonly Grant[]>(
      (all, grant) => answer(all, { ...grant, at: this.timeFor(grant.serverId) }),
      this.of('grant'),
    );
    await this.keep([
      ...this.all.filter(({ kind }) => kind !== 'grant'),
      ...answered.map(grant => ({ ...grant, kind: 'grant' as const })),
    ]);
  }

  /** The ids of the servers on which there is a yes, as they are or were. */
  get allowedServers(): readonly string[] {
    return this.all.filter(isYes).map(({ serverId }) => serverId);
  }

  /**
   * Withdraws each yes on a server, or on every one, in every scope, workspace and window; other
   * windows notice within seconds. Every no stays.
   */
  async revoke(serverId = everyServer): Promise<void> {
    const { ok, revocations } = this.storedRevocations;
    const next = withRevoked(serverId, { answers: this.all, revocations }, Date.now());
    const written = this.write(this.state.global, revocationsKey, next, ok);
    this.look();
    await Promise.all(written);
  }

  /**
   * Has all that was answered on a server hold for what it is going to be, which the user agreed to: from
   * when it was answered, since a folder may have had another device number then.
   */
  async carryOver(server: KnownServer, { identity, fields }: KnownServer): Promise<void> {
    const own = this.all.filter(
      one => isOn(server, one) && one.identity === server.identity && isConsent(one),
    );
    const next = own.map(one => ({ ...one, identity, ...(one.kind === 'grant' && { fields }) }));
    const nameOf = (one: ServerRecord) => {
      const about = one.kind === 'grant' ? one.folder : one.about;
      return JSON.stringify([one.kind, one.serverId, one.identity, about]);
    };
    const replaced = new Set(next.map(nameOf));
    await this.keep([...this.all.filter(one => !replaced.has(nameOf(one))), ...next]);
  }

  /**
   * Has all that is kept about a server be about another one, and all about that be forgotten. A
   * revocation of the other one does not concern these answers.
   *
   * @param isBack the other one is what it was before: a revocation of that does.
   */
  async move(server: KnownServer, to: KnownServer, isBack = false): Promise<void> {
    const { id: serverId } = to.definition;
    const last = isBack ? 0 : this.timeFor(serverId, 0);
    await this.keep(
      this.all.flatMap(one => {
        if (isOn(server, one)) {
          return [{ ...one, serverId, at: Math.max(one.at, last) }];
        }
        return isOn(to, one) ? [] : [one];
      }),
    );
  }

  /**
   * Forgets what is kept about a server here.
   *
   * @param isEverywhere each yes on it is forgotten in the other workspaces, too.
   */
  async forget(server: KnownServer, isEverywhere: boolean): Promise<void> {
    const kept = this.keep(this.all.filter(one => !isOn(server, one)));
    // Not after that, which may fail.
    await Promise.all([kept, isEverywhere && this.revoke(server.definition.id)]);
  }

  dispose(): void {
    clearInterval(this.looking);
    this.didChange.dispose();
    this.didRevoke.dispose();
  }

  /** The records that are in force. */
  private get all(): readonly ServerRecord[] {
    const stored = this.stores.map(([memento, name]) => memento.get<unknown>(name));
    const from = [this.session, ...stored, this.state.global.get<unknown>(revocationsKey)];
    if (!from.every((value, index) => value === this.read.from[index])) {
      const { revocations } = this.storedRevocations;
      const read = this.stores.flatMap(
        ([, , isOwn], index) => readRecords(stored[index], isOwn) ?? [],
      );
      const isInForce = (one: ServerRecord) => !isYes(one) || !isRevoked(one, revocations);
      this.read = { from, all: [...this.session, ...read].filter(isInForce) };
    }
    return this.read.all;
  }

  /** Where records are kept, and which. What is no answer is apart: it is written at other times. */
  private get stores(): readonly (readonly [Memento, string, (one: ServerRecord) => boolean])[] {
    const { workspace, global, host } = this.state;
    return [
      [workspace, 'answers', one => one.scope === 'workspace' && isConsent(one)],
      [workspace, 'servers', one => one.scope === 'workspace' && !isConsent(one)],
      [global, `answers@${host}`, one => one.scope === 'always'],
    ];
  }

  private get storedRevocations() {
    return readRevocations(this.state.global.get(revocationsKey), Date.now());
  }

  /** The time to give a record. */
  private timeFor(serverId: string, at = Date.now()): number {
    return answerTime(serverId, this.storedRevocations.revocations, at);
  }

  /**
   * Keeps these records in the place of all that are in force. Writes only a new value, so that the
   * answers of another window are not undone by chance.
   */
  private async keep(records: readonly ServerRecord[]): Promise<void> {
    const dropped = new Set(records.filter(({ kind }) => kind === 'calls').slice(0, -mostTools));
    const kept = records.filter(one => !dropped.has(one));
    const before = this.all;
    this.session = kept.filter(({ scope }) => scope === 'session');
    const written = this.stores.flatMap(([memento, name, isOwn]) => {
      const next = kept.filter(isOwn);
      const isSame = JSON.stringify(before.filter(isOwn)) === JSON.stringify(next);
      const isReadable = () => readRecords(memento.get(name), isOwn) !== undefined;
      return isSame ? [] : this.write(memento, name, next, isReadable());
    });
    // A refusal must take effect at once, before it is on disk.
    this.look();
    await Promise.all(written);
  }

  private write(memento: Memento, name: string, next: unknown, isReadable: boolean) {
    if (isReadable) {
      return [memento.update(name, next)];
    }
    this.logger.warn('What was stored and could not be read was put aside.');
    const aside = memento.update(`${name}.unreadable`, memento.get(name));
    return [aside, memento.update(name, next)];
  }

  private look(): void {
    const [before, now] = [this.seen, this.all];
    this.seen = now;
    if (before === now) {
      return;
    }
    const textOf = (all: readonly ServerRecord[], kind: RecordKind) =>
      JSON.stringify(all.filter(one => one.kind === kind));
    for (const kind of new Set([...before, ...now].map(one => one.kind))) {
      if (textOf(before, kind) !== textOf(now, kind)) {
        this.didChange.fire(kind);
      }
    }
    const revoked = this.seenRevocations;
    this.seenRevocations = this.storedRevocations.revocations;
    for (const [id, at] of Object.entries(this.seenRevocations)) {
      if (at !== revoked[id]) {
        this.didRevoke.fire(id);
      }
    }
  }
}

/** True if records of this kind say who may use a server. */
export function isAnswer(kind: RecordKind): kind is AnswerKind {
  return Object.hasOwn(answerKinds, kind);
}

const answerKinds: Readonly<Record<AnswerKind, true>> = { client: true, offer: true };

/** True if it says what the user allowed or refused. */
function isConsent({ kind }: ServerRecord): boolean {
  return kind === 'grant' || isAnswer(kind);
}

function isYes(one: ServerRecord): boolean {
  return one.kind === 'grant'
    ? one.decision === 'allowed'
    : isAnswer(one.kind) && one.value === true;
}

/** True if a record is on this server: workspace and user may each have one of that name. */
function isOn({ definition, fields }: KnownServer, one: ServerRecord): boolean {
  const isOfOrigin = (answered: IdentityFields) =>
    definition.from === 'user' ? !isOfWorkspace(answered) : answered['origin'] === fields['origin'];
  return one.serverId === definition.id && (one.kind !== 'grant' || isOfOrigin(one.fields));
}

const isBoolean = (value: unknown) => typeof value === 'boolean';
const isTrue = (value: unknown) => value === true;
/** By kind, whether a value is one of it. */
const isValue: Readonly<Record<ValueKind, (value: unknown) => boolean>> = {
  client: isBoolean,
  offer: isBoolean,
  folder: isTrue,
  calls: Array.isArray,
  secrets: isTrue,
};

/** What a store holds; `undefined`: something that can't be read, and is nothing. */
function readRecords(
  stored: unknown = [],
  isOwn: (one: ServerRecord) => boolean,
): readonly ServerRecord[] | undefined {
  const isWhole = (one: unknown) => isRecord(one) && isOwn(one);
  return Array.isArray(stored) && stored.every(isWhole) ? stored : undefined;
}

function isRecord(one: unknown): one is ServerRecord {
  const { kind, serverId, identity, about, value, at } = Object(one);
  if (kind === 'grant') {
    return isGrant(one);
  }
  return (
    [kind, serverId, identity, about].every(text => typeof text === 'string') &&
    typeof at === 'number' &&
    Object.hasOwn(isValue, kind) &&
    isValue[kind as ValueKind](value)
  );
}
