import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import { type LogLevel, logLevels } from '../../domain/logLevels.ts';
import type { ServerLogEntry } from '../../mcp/serverMessages.ts';
import type { RootFolder } from '../../server/roots/rootFolders.ts';
import { Upstream, type UpstreamAspect, type UpstreamParts } from './upstream.ts';
import type { RelayedCapabilities } from './upstreamCalls.ts';

/** A change of one upstream. */
export interface UpstreamChange {
  readonly upstream: Upstream;
  readonly what: UpstreamAspect;
}

/** A log message of an upstream. */
export interface UpstreamLog {
  readonly upstream: Upstream;
  readonly entry: ServerLogEntry;
}

/** A counted reference to an entry: as long as there is one, the entry is not ended. */
export interface Reference {
  /** The least level of the log messages that its owner wants; `undefined`: no messages. */
  readonly logLevel: LogLevel | undefined;
}

/** What all clients of an entry have in common. */
interface Sharing {
  readonly key: string;
  readonly roots: readonly RootFolder[];
  /** What the clients of the entry offer its servers besides roots. */
  readonly capabilities: RelayedCapabilities;
  readonly isOfOneSession: boolean;
}

/**
 * What the pool keeps for one list of roots: for each server of the configuration an upstream,
 * which is an instance of that server for these roots, started when needed.
 */
export class PoolEntry {
  /** Equal for all clients that can share this entry. */
  key: string;
  /** Whether the entry is only ever given to one session. */
  readonly isOfOneSession: boolean;
  private readonly capabilities: RelayedCapabilities;
  private readonly parts: UpstreamParts;
  private readonly references = new Set<Reference>();
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<UpstreamChange>());
  private readonly didLog = this.store.add(new Emitter<UpstreamLog>());
  private folders: readonly RootFolder[];
  private byName: ReadonlyMap<string, Upstream> = new Map();
  /** By server names, the ends of upstreams that were replaced or taken out. */
  private readonly leaving = new Map<string, Promise<unknown>>();

  /** An upstream is in another state, offers something else, was added or was taken away. */
  readonly onDidChange: Event<UpstreamChange> = this.didChange.event;
  readonly onDidLog: Event<UpstreamLog> = this.didLog.event;

  /** The entry has no upstreams until {@link setServers} is called. */
  constructor({ key, roots, capabilities, isOfOneSession }: Sharing, parts: UpstreamParts) {
    this.key = key;
    this.folders = roots;
    this.capabilities = capabilities;
    this.isOfOneSession = isOfOneSession;
    this.parts = parts;
  }

  /** By the names of their servers, in the order of the configuration. */
  get upstreams(): ReadonlyMap<string, Upstream> {
    return this.byName;
  }

  get roots(): readonly RootFolder[] {
    return this.folders;
  }

  get isIdle(): boolean {
    return this.references.size === 0;
  }

  get hasProcess(): boolean {
    return [...this.byName.values()].some(
      ({ isLive, server }) => isLive && server.launch.type === 'stdio',
    );
  }

  isOnlyUsedBy(reference: Reference): boolean {
    return this.references.size === 1 && this.references.has(reference);
  }

  /** Counts the reference, and starts the servers with `autoStart`. */
  add(reference: Reference): void {
    const wasIdle = this.isIdle;
    this.references.add(reference);
    if (wasIdle || reference.logLevel !== undefined) {
      this.setLogLevel();
    }
    this.startThoseByThemselves();
  }

  remove(reference: Reference): void {
    this.references.delete(reference);
    if (!this.isIdle && reference.logLevel !== undefined) {
      this.setLogLevel();
    }
  }

  /** Asks the servers for the log messages that are wanted by any of the references. */
  setLogLevel(): void {
    for (const upstream of this.byName.values()) {
      upstream.setLogLevel(this.logLevel);
    }
  }

  /** Brings other roots to the same processes. */
  moveTo(key: string, roots: readonly RootFolder[]): void {
    this.key = key;
    this.folders = roots;
    for (const upstream of this.byName.values()) {
      upstream.setRoots(roots);
    }
    this.startThoseByThemselves();
  }

  /** Takes on another configuration: servers that are the same in it go on running. */
  setServers(servers: readonly HubServer[]): void {
    const before = this.byName;
    this.byName = new Map(
      servers.map(server => [server.name, this.upstreamFor(server, before.get(server.name))]),
    );
    for (const [name, upstream] of before) {
      if (!this.byName.has(name)) {
        this.retire(upstream, removed);
      }
    }
    for (const upstream of [...before.values(), ...this.byName.values()]) {
      const { name } = upstream.server;
      if (before.get(name) !== this.byName.get(name)) {
        this.didChange.fire({ upstream, what: 'state' });
      }
    }
    if (!this.isIdle) {
      this.startThoseByThemselves();
    }
  }

  /**
   * Ends all upstreams for good. Settles when their processes are gone.
   *
   * @param cause why, to be read after the name of each server.
   */
  async close(cause: string): Promise<void> {
    await Promise.all([...this.byName.values()].map(upstream => upstream.retire(cause)));
    this.store.dispose();
  }

  private get logLevel(): LogLevel {
    return leastLogLevel([...this.references].map(({ logLevel }) => logLevel));
  }

  private startThoseByThemselves(): void {
    for (const upstream of this.byName.values()) {
      upstream.startByItself();
    }
  }

  private upstreamFor(server: HubServer, before: Upstream | undefined): Upstream {
    if (before?.server.fingerprint === server.fingerprint) {
      before.redefine(server);
      return before;
    }
    if (!before) {
      return this.newUpstream(server);
    }
    const wasLive = before.isLive;
    this.retire(before, changed);
    const upstream = this.newUpstream(server);
    if (wasLive) {
      upstream.begin();
    }
    return upstream;
  }

  /**
   * Ends an upstream; the next one of its server starts only when this one's processes are gone.
   */
  private retire(upstream: Upstream, cause: string): void {
    const { name } = upstream.server;
    const gone = Promise.all([this.leaving.get(name), upstream.retire(cause)]).then(() => {
      if (this.leaving.get(name) === gone) {
        this.leaving.delete(name);
      }
    });
    this.leaving.set(name, gone);
  }

  private newUpstream(server: HubServer): Upstream {
    const { folders: roots, capabilities } = this;
    const predecessor = this.leaving.get(server.name);
    const upstream = new Upstream({ server, roots, capabilities, predecessor }, this.parts);
    upstream.setLogLevel(this.logLevel);
    upstream.onDidChange(what => this.didChange.fire({ upstream, what }));
    upstream.onDidLog(entry => this.didLog.fire({ upstream, entry }));
    return upstream;
  }
}

const removed = 'was taken out of the configuration of the hub';
const changed = 'was ended, because its configuration has changed';

/**
 * The least level that a server is asked for on behalf of several references; `undefined` stands
 * for a reference that wants no messages. Where none wants any, the level is that with which an
 * upstream begins.
 */
export function leastLogLevel(wanted: Iterable<LogLevel | undefined>): LogLevel {
  const levels = new Set(wanted);
  return logLevels.find(level => levels.has(level)) ?? 'info';
}
