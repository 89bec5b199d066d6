import { DisposableStore } from '../../../base/disposable.ts';
import { Emitter, type Event } from '../../../base/emitter.ts';
import type { HubServer } from '../../../domain/hub/hubServer.ts';
import type { LogLevel } from '../../../domain/logLevels.ts';
import type { ServerLogEntry } from '../../../mcp/serverMessages.ts';
import type { RootFolder } from '../../roots/rootFolders.ts';
import type { Caller } from './callsInFlight.ts';
import { Child, type ChildAspect, type ChildParts } from './child.ts';

/** A change of one child. */
export interface ChildChange {
  readonly child: Child;
  readonly what: ChildAspect;
}

/** What a child said about its work. */
export interface ChildLog {
  readonly child: Child;
  readonly entry: ServerLogEntry;
}

/** For whom a set is. */
export interface ChildSetSubject {
  readonly roots: readonly RootFolder[];
  /** What the clients of the set offer its servers besides roots. */
  readonly capabilities: Caller['relay']['capabilities'];
  /** Settles when that is gone which has to be gone before the first start. */
  readonly predecessor: Promise<unknown>;
}

/** The servers of the configuration for one list of roots: one child each, started when needed. */
export class ChildSet {
  private readonly parts: ChildParts;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<ChildChange>());
  private readonly didLog = this.store.add(new Emitter<ChildLog>());
  private subject: ChildSetSubject;
  private level: LogLevel = 'info';
  private byName: ReadonlyMap<string, Child> = new Map();
  /** By their names, servers that were replaced or taken out, and are not gone yet. */
  private readonly leaving = new Map<string, Promise<unknown>>();

  /** A child is in another state, offers something else, was added or was taken away. */
  readonly onDidChange: Event<ChildChange> = this.didChange.event;
  readonly onDidLog: Event<ChildLog> = this.didLog.event;

  constructor(subject: ChildSetSubject, servers: readonly HubServer[], parts: ChildParts) {
    this.subject = subject;
    this.parts = parts;
    this.byName = new Map(servers.map(server => [server.name, this.newChild(server)]));
  }

  /** By the names of the servers, in the order of the configuration. */
  get children(): ReadonlyMap<string, Child> {
    return this.byName;
  }

  get roots(): readonly RootFolder[] {
    return this.subject.roots;
  }

  /** Brings other roots to the same children. */
  moveTo(roots: readonly RootFolder[]): void {
    this.subject = { ...this.subject, roots };
    for (const child of this.byName.values()) {
      child.setRoots(roots);
    }
  }

  /** Starts the servers that want to be started without being asked for. */
  startThoseByThemselves(): void {
    for (const child of this.byName.values()) {
      child.startByItself();
    }
  }

  setLogLevel(level: LogLevel): void {
    this.level = level;
    for (const child of this.byName.values()) {
      child.setLogLevel(level);
    }
  }

  /** Takes on another configuration: what is as it was goes on, whatever changed around it. */
  setServers(servers: readonly HubServer[]): void {
    const before = this.byName;
    this.byName = new Map(
      servers.map(server => [server.name, this.childFor(server, before.get(server.name))]),
    );
    for (const [name, child] of before) {
      if (!this.byName.has(name)) {
        this.retire(child, removed);
      }
    }
    const [old, now] = [new Set(before.values()), new Set(this.byName.values())];
    const gone = [...old].filter(child => !now.has(child));
    const added = [...now].filter(child => !old.has(child));
    for (const child of [...gone, ...added]) {
      this.didChange.fire({ child, what: 'state' });
    }
  }

  /** Ends all of them for good. Settles when nothing is left. */
  async close(cause: string): Promise<void> {
    await Promise.all([...this.byName.values()].map(child => child.retire(cause)));
    this.store.dispose();
  }

  private childFor(server: HubServer, before: Child | undefined): Child {
    if (before?.server.fingerprint === server.fingerprint) {
      before.redefine(server);
      return before;
    }
    if (!before) {
      return this.newChild(server);
    }
    const wasLive = before.isLive;
    this.retire(before, changed);
    const child = this.newChild(server);
    if (wasLive) {
      child.begin();
    }
    return child;
  }

  /** Whatever comes in its place, and however soon, starts when it is gone. */
  private retire(child: Child, cause: string): void {
    const { name } = child.server;
    const gone = Promise.all([this.leaving.get(name), child.retire(cause)]).then(() => {
      if (this.leaving.get(name) === gone) {
        this.leaving.delete(name);
      }
    });
    this.leaving.set(name, gone);
  }

  private newChild(server: HubServer): Child {
    const predecessor = Promise.all([this.subject.predecessor, this.leaving.get(server.name)]);
    const child = new Child({ server, ...this.subject, predecessor }, this.parts);
    child.setLogLevel(this.level);
    child.onDidChange(what => this.didChange.fire({ child, what }));
    child.onDidLog(entry => this.didLog.fire({ child, entry }));
    return child;
  }
}

const removed = 'was taken out of the configuration of the hub';
const changed = 'was ended, because its configuration has changed';
