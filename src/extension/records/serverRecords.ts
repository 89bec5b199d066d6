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
  aboutTool,
  isConsent,
  isYes,
  type NewRecord,
  type RecordKind,
  type ServerRecord,
  toolAndClient,
  type ValueKind,
} from '../../domain/consent/records.ts';
import { everyServer } from '../../domain/consent/revocations.ts';
import { foldedName } from '../../domain/gate/toolsChosen.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import { type IdentityFields, isOfWorkspace } from '../../domain/servers/serverIdentity.ts';
import type * as vscode from '../vscode.ts';

export { isAnswer, type RecordKind, type ServerRecord } from '../../domain/consent/records.ts';

/** How long an answer on a client holds: until the window closes, or in this workspace. */
export type RecordScope = Exclude<GrantScope, 'always'>;

/** An answer of the user on a folder. The store adds the time. */
export type NewGrant = Omit<Grant, 'at'>;

/** Names of tools that the user turns on or off. */
export interface ToolChoice {
  readonly on?: readonly string[];
  readonly off?: readonly string[];
}

/** The parts of a server that decide which records it has. */
export interface RecordedServer {
  readonly definition: Pick<ServerDefinition, 'id' | 'from'>;
  readonly fields: IdentityFields;
  readonly identity: string;
}

type Memento = Pick<vscode.Memento, 'get' | 'update'>;

/** The parts of the editor's state that hold records. */
export interface RecordState {
  /** The state of this workspace. Other windows do not read it. */
  readonly workspace: Memento;
  /** The state that all workspaces and windows of one profile share. */
  readonly global: Memento;
  /** A state that all profiles share. It holds only revocations. */
  readonly profiles: Memento;
  /** The machine with this window's folders. The global state has records of all machines. */
  readonly host: string;
  /** A name that only this workspace has. */
  readonly workspaceId: string;
}

/** A value in the editor's state. */
interface Store {
  readonly memento: Memento;
  readonly key: string;
  readonly isOwn: (one: ServerRecord) => boolean;
  /** `stored`: the value at the last read. `read`: its records, or `undefined` if unreadable. */
  stored: unknown;
  read: AnswerSet | undefined;
}

/** Milliseconds between looks for other windows' answers, because no event announces them. */
const lookInterval = 2000;

/**
 * Records about servers by id, in the editor's state, never in a file that a repository can commit.
 * If a stored value can't be read, it grants nothing, and a copy of it is stored.
 *
 * A window may overwrite records that another window wrote shortly before. So each window remembers
 * all records that it read. It writes them again if a new value lacks some of them.
 */
export class ServerRecords implements IDisposable {
  private readonly state: RecordState;
  private readonly logger: Logger;
  private readonly didChange = new Emitter<RecordKind>();
  private readonly didRevoke = new Emitter<string>();
  private readonly looking: NodeJS.Timeout;
  /** One store for answers, and one for other records, which do not concern other windows. */
  private readonly mementos: readonly Store[];
  private readonly profiles: Store;
  /** All records that this window read, also of other workspaces and machines. */
  private known = noAnswers;
  /** Whether a store had a new value since this window last wrote. */
  private hasHeard = false;
  private inForce: { readonly from: AnswerSet; readonly all: readonly ServerRecord[] };
  /** The records and revocations when events were last fired. */
  private seen: readonly ServerRecord[];
  private seenRevocations: AnswerSet['revocations'];

  /** Fires with the kind of the records that changed. Changes in other windows come seconds late. */
  readonly onDidChange = this.didChange.event;

  /**
   * Fires with a server's id, or {@link everyServer}, when permissions were withdrawn, even if
   * there were none. The events about changed records come before.
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

  /** The records of a kind, of one server or of all servers, in the order they were stored. */
  of<K extends RecordKind>(kind: K, serverId?: string): readonly ServerRecord<K>[] {
    return this.all.filter(
      (record): record is ServerRecord<K> =>
        record.kind === kind && (serverId === undefined || record.serverId === serverId),
    );
  }

  /** Answers on a server's present identity, and refusals of a client or path on any identity. */
  answers(
    kind: AnswerKind,
    { definition, identity }: RecordedServer,
  ): readonly ServerRecord<AnswerKind>[] {
    return this.of(kind, definition.id).filter(
      one => one.identity === identity || (kind !== 'offer' && !one.value),
    );
  }

  /** The answer on a server's present identity; `undefined` without an answer. */
  answer(kind: AnswerKind, server: RecordedServer, about = ''): boolean | undefined {
    const own = this.answers(kind, server).filter(record => record.about === about);
    return own.length === 0 ? undefined : own.every(({ value }) => value);
  }

  /** Stores an answer on a server. It replaces earlier answers. `undefined` removes the answer. */
  async setAnswer(
    kind: AnswerKind,
    { definition, identity }: RecordedServer,
    isAllowed: boolean | undefined,
    about = '',
    scope: RecordScope = 'workspace',
  ): Promise<void> {
    await this.set({ kind, serverId: definition.id, identity, about, value: isAllowed }, scope);
  }

  /** Replaces the records on the same subject with this one. Without a value, only removes them. */
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

  /** The tools that the user turned off for each client. An empty name stands for all clients. */
  hiddenTools({
    definition,
  }: Pick<RecordedServer, 'definition'>): ReadonlyMap<string, Set<string>> {
    const hidden = new Map<string, Set<string>>();
    for (const { about } of this.of('tool', definition.id)) {
      const [tool, client] = toolAndClient(about);
      hidden.set(client, (hidden.get(client) ?? new Set()).add(tool));
    }
    return hidden;
  }

  /**
   * Turns tools on or off, for a client or with an empty name for all clients. If two tools have like
   * names, both are off. The choice holds in this workspace, for every identity of the server.
   */
  async chooseTools(
    { definition: { id: serverId } }: Pick<RecordedServer, 'definition'>,
    { on = [], off = [] }: ToolChoice,
    client = '',
  ): Promise<void> {
    const subjects = (names: readonly string[]) =>
      names.map(name => aboutTool(foldedName(name), client));
    const [shown, hidden] = [new Set(subjects(on)), new Set(subjects(off))];
    const before = this.of('tool', serverId);
    const known = new Set(before.map(({ about }) => about));
    const like = {
      kind: 'tool',
      serverId,
      identity: '',
      value: false,
      scope: 'workspace',
    } as const;
    await this.keep(
      before.filter(({ about }) => shown.has(about) && !hidden.has(about)),
      [...hidden]
        .filter(about => !known.has(about))
        .map(about => ({ ...like, about, at: Date.now(), ...uncounted })),
    );
  }

  /** Stores new answers. Each replaces every earlier answer on the same server and folder. */
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

  /** The ids of the servers with any permission, on their present or an earlier identity. */
  get allowedServers(): readonly string[] {
    return this.all.filter(one => isYes(one)).map(({ serverId }) => serverId);
  }

  /**
   * Withdraws all permissions of a server, or of all servers, in every scope, workspace, window and
   * profile. Other windows notice within seconds. Refusals stay.
   */
  async revoke(serverId = everyServer): Promise<void> {
    this.hear([...this.mementos, this.profiles]);
    this.known = revoked(this.known, serverId);
    await this.share();
  }

  /**
   * Copies the answers on a server to its new identity, to which the user agreed. The answers keep
   * their dates, because a device number counts only until the machine restarts.
   */
  async carryOver(server: RecordedServer, { identity, fields }: RecordedServer): Promise<void> {
    const own = this.all.filter(
      one => isOn(server, one) && one.identity === server.identity && isConsent(one),
    );
    const next = own.map(one => ({ ...one, identity, ...(one.kind === 'grant' && { fields }) }));
    await this.keep([], next);
  }

  /**
   * Copies the records of a server to another server, whose own records are removed first.
   * Revocations of the other server do not affect the copies.
   */
  async copy(server: RecordedServer, to: RecordedServer): Promise<void> {
    const copies = this.on(server).map(one => ({ ...one, serverId: to.definition.id }));
    await this.keep(this.on(to), copies);
  }

  /**
   * Removes the records of a server in this workspace.
   *
   * @param isEverywhere also withdraws the server's permissions in other workspaces.
   */
  async forget(server: RecordedServer, isEverywhere: boolean): Promise<void> {
    const kept = this.keep(this.on(server), []);
    // The revocation does not wait for the other write, which may fail.
    await Promise.all([kept, isEverywhere && this.revoke(server.definition.id)]);
  }

  dispose(): void {
    clearInterval(this.looking);
    this.didChange.dispose();
    this.didRevoke.dispose();
  }

  private on(server: RecordedServer): readonly ServerRecord[] {
    return this.all.filter(one => isOn(server, one));
  }

  /** The records that hold in this window, the latest last. */
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

  /** Reads the stores that have changed, and adds their records to the known records. */
  private hear(stores: readonly Store[]): void {
    for (const store of stores) {
      const stored = store.memento.get<unknown>(store.key);
      if (stored !== store.stored) {
        store.stored = stored;
        store.read = readAnswers(stored, store.isOwn);
        if (!store.read) {
          this.logger.error(
            'The saved answers could not be read. Everything that you allowed is revoked.',
          );
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

  /** Writes new records. Events fire before the write ends, so that a refusal acts at once. */
  private async share(): Promise<void> {
    const written = this.write();
    this.look();
    await written;
  }

  /** Writes to each store the known records that the store lacks. */
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

/** The `version` and `under` of a new record. Storing the record sets both. */
const uncounted = { version: 0, under: 0 };

/** Whether a record is about this server. Workspace and user settings may share a server name. */
function isOn({ definition, fields }: RecordedServer, one: ServerRecord): boolean {
  const isOfOrigin = (answered: IdentityFields) =>
    definition.from === 'user' ? !isOfWorkspace(answered) : answered['origin'] === fields['origin'];
  return one.serverId === definition.id && (one.kind !== 'grant' || isOfOrigin(one.fields));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
