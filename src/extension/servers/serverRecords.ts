import type { IDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import {
  type AnswerSet,
  changed,
  type Entry,
  join,
  noAnswers,
  readAnswers,
  revoked,
} from '../../domain/consent/answerSet.ts';
import { answer, type Grant, type GrantScope } from '../../domain/consent/grants.ts';
import {
  type AnswerKind,
  isConsent,
  isYes,
  type NewRecord,
  type RecordKind,
  type ServerRecord,
  type ValueKind,
} from '../../domain/consent/records.ts';
import { everyServer } from '../../domain/consent/revocations.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import { type IdentityFields, isOfWorkspace } from '../../domain/servers/serverIdentity.ts';
import type * as vscode from '../vscode.ts';

export { isAnswer, type RecordKind, type ServerRecord } from '../../domain/consent/records.ts';

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
  /** The state of this workspace, of which no other window hears. */
  readonly workspace: Memento;
  /** The state of all workspaces and windows of a profile of the editor. */
  readonly global: Memento;
  /** Something that all profiles have, for what was revoked and nothing else. */
  readonly profiles: Memento;
  /** The machine whose folders this window shows; the global state knows those of others, too. */
  readonly host: string;
  /** This workspace, by a name that no other has. */
  readonly workspaceId: string;
}

/** A value in the editor's state. */
interface Store {
  readonly memento: Memento;
  readonly key: string;
  readonly isOwn: (one: ServerRecord) => boolean;
  /** The value at the last look, and what it holds; `undefined`: it can't be read. */
  stored: unknown;
  read: AnswerSet | undefined;
}

/** Milliseconds between looks for the answers of other windows, which no event announces. */
const lookInterval = 2000;

/**
 * Records on servers by their ids, kept in the editor's state: never in a file that a repository can
 * commit. A stored value that can't be read grants nothing and is put aside, not lost.
 *
 * What a window writes takes the place of all that the others wrote, and they hear of it late. So each
 * remembers what it ever knew, and writes that again when it hears a value that lacks some of it.
 */
export class ServerRecords implements IDisposable {
  private readonly state: RecordState;
  private readonly logger: Logger;
  private readonly didChange = new Emitter<RecordKind>();
  private readonly didRevoke = new Emitter<string>();
  private readonly looking: NodeJS.Timeout;
  /** What has no say in who may see what is apart: it is of no other window. */
  private readonly mementos: readonly Store[];
  private readonly profiles: Store;
  /** All that this window knows, that of other workspaces and machines, too. */
  private known = noAnswers;
  /** Whether something was heard since this window last wrote what a store lacks. */
  private hasHeard = false;
  private inForce: { readonly from: AnswerSet; readonly all: readonly ServerRecord[] };
  /** The records and the revocations that the listeners know. */
  private seen: readonly ServerRecord[];
  private seenRevocations: AnswerSet['revocations'];

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
    const isShared = (one: ServerRecord) => isConsent(one) && one.scope !== 'session';
    const unheard = { stored: undefined, read: noAnswers };
    this.mementos = [
      { memento: state.global, key: 'answers', isOwn: isShared, ...unheard },
      { memento: state.workspace, key: 'secrets', isOwn: one => !isConsent(one), ...unheard },
    ];
    this.profiles = { memento: state.profiles, key: 'revocations', isOwn: () => false, ...unheard };
    this.inForce = { from: this.known, all: [] };
    this.hear([...this.mementos, this.profiles]);
    this.seen = this.all;
    this.seenRevocations = this.known.revocations;
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
    }: Omit<NewRecord<K>, 'value'> & { readonly value: NewRecord<K>['value'] | undefined },
    scope: RecordScope = 'workspace',
  ): Promise<void> {
    const earlier = this.of<ValueKind>(about.kind, about.serverId);
    const next = { ...about, value, scope, at: Date.now(), ...uncounted } as ServerRecord;
    await this.keep(
      earlier.filter(one => one.about === about.about),
      value === undefined ? [] : [next],
    );
  }

  /** Keeps new answers, each in the place of every earlier one on the same server and folder. */
  async setGrants(grants: readonly NewGrant[]): Promise<void> {
    const before = this.of('grant');
    const next = grants.reduce<readonly ServerRecord<'grant'>[]>(
      (all, grant) => answer(all, { ...grant, kind: 'grant', at: Date.now(), ...uncounted }),
      before,
    );
    await this.keep(
      before.filter(one => !next.includes(one)),
      next.filter(one => !before.includes(one)),
    );
  }

  /** The ids of the servers on which there is a yes, as they are or were. */
  get allowedServers(): readonly string[] {
    return this.all.filter(one => isYes(one)).map(({ serverId }) => serverId);
  }

  /**
   * Withdraws each yes on a server, or on every one, in every scope, workspace and window, in those of
   * other profiles, too; they notice within seconds. Every no stays.
   */
  async revoke(serverId = everyServer): Promise<void> {
    this.hear([...this.mementos, this.profiles]);
    this.known = revoked(this.known, serverId);
    await this.share();
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
    await this.keep([], next);
  }

  /**
   * Has all that is kept about a server be about another one as well, and all about that be forgotten. A
   * revocation of the other one does not concern these answers.
   */
  async copy(server: KnownServer, to: KnownServer): Promise<void> {
    const copies = this.on(server).map(one => ({ ...one, serverId: to.definition.id }));
    await this.keep(this.on(to), copies);
  }

  /**
   * Forgets what is kept about a server here.
   *
   * @param isEverywhere each yes on it is forgotten in the other workspaces, too.
   */
  async forget(server: KnownServer, isEverywhere: boolean): Promise<void> {
    const kept = this.keep(this.on(server), []);
    // Not after that, which may fail.
    await Promise.all([kept, isEverywhere && this.revoke(server.definition.id)]);
  }

  dispose(): void {
    clearInterval(this.looking);
    this.didChange.dispose();
    this.didRevoke.dispose();
  }

  private on(server: KnownServer): readonly ServerRecord[] {
    return this.all.filter(one => isOn(server, one));
  }

  /** The records that are in force here, the latest last. */
  private get all(): readonly ServerRecord[] {
    this.hear(this.mementos);
    if (this.inForce.from !== this.known) {
      const isHere = (one: Entry) => !one.isGone && one.where === this.placeOf(one);
      this.inForce = { from: this.known, all: this.known.entries.filter(isHere) };
    }
    return this.inForce.all;
  }

  private placeOf({ scope }: ServerRecord): string {
    const { workspaceId: workspace, host: always } = this.state;
    return { session: 'window', workspace, always }[scope];
  }

  /** Adds the values in stores to what is known, where they are others than before. */
  private hear(stores: readonly Store[]): void {
    for (const store of stores) {
      const stored = store.memento.get<unknown>(store.key);
      if (stored !== store.stored) {
        store.stored = stored;
        store.read = readAnswers(stored, store.isOwn);
        if (!store.read) {
          this.logger.error('Stored answers could not be read. All that was allowed is revoked.');
        }
        const joined = join(this.known, store.read ?? revoked(this.known, everyServer));
        this.known = isSame(joined, this.known) ? this.known : joined;
        this.hasHeard = true;
      }
    }
  }

  private async keep(back: readonly ServerRecord[], kept: readonly ServerRecord[]): Promise<void> {
    if (back.length + kept.length > 0) {
      const placed = (one: ServerRecord): Entry => ({ ...one, where: this.placeOf(one) });
      this.known = changed(this.known, back.map(placed), kept.map(placed));
      await this.share();
    }
  }

  /** Writes what is new. A refusal must take effect at once, before it is on disk. */
  private async share(): Promise<void> {
    const written = this.write();
    this.look();
    await written;
  }

  /** Writes what the stores lack. */
  private async write(): Promise<void> {
    this.hasHeard = false;
    const written = [...this.mementos, this.profiles].map(store => {
      const next = { ...this.known, entries: this.known.entries.filter(store.isOwn) };
      return isSame(next, store.read) ? [] : replace(store, next);
    });
    await Promise.all(written.flat());
  }

  private look(): void {
    this.hear([...this.mementos, this.profiles]);
    if (this.hasHeard) {
      this.write().catch(error => this.logger.error(error));
    }
    const [before, now] = [this.seen, this.all];
    this.seen = now;
    const textOf = (all: readonly ServerRecord[], kind: RecordKind) =>
      JSON.stringify(all.filter(one => one.kind === kind));
    for (const kind of before === now ? [] : new Set([...before, ...now].map(one => one.kind))) {
      if (textOf(before, kind) !== textOf(now, kind)) {
        this.didChange.fire(kind);
      }
    }
    const revoked = this.seenRevocations;
    this.seenRevocations = this.known.revocations;
    for (const [id, times] of Object.entries(this.seenRevocations)) {
      if (times !== revoked[id]) {
        this.didRevoke.fire(id);
      }
    }
  }
}

function replace(store: Store, next: AnswerSet): readonly Thenable<void>[] {
  const { memento, key } = store;
  const aside = store.read ? [] : [memento.update(`${key}.unreadable`, memento.get(key))];
  store.read = next;
  return [...aside, memento.update(key, next)];
}

/** What a new record has until it is kept. */
const uncounted = { version: 0, under: 0 };

/** True if a record is on this server: workspace and user may each have one of that name. */
function isOn({ definition, fields }: KnownServer, one: ServerRecord): boolean {
  const isOfOrigin = (answered: IdentityFields) =>
    definition.from === 'user' ? !isOfWorkspace(answered) : answered['origin'] === fields['origin'];
  return one.serverId === definition.id && (one.kind !== 'grant' || isOfOrigin(one.fields));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
