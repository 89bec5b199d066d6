import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import type { LogLevel } from '../../domain/logLevels.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { ServerLogEntry } from '../../mcp/serverMessages.ts';
import type { RootFolder } from '../../server/roots/rootFolders.ts';
import {
  Upstream,
  type UpstreamAspect,
  type UpstreamParts,
  type UpstreamRelay,
} from './upstream.ts';

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

/**
 * The upstreams of one session: an instance of each server in the configuration, started when it is
 * needed, with the roots of the session. There are none before the session names its first roots.
 */
export class Upstreams {
  private readonly parts: UpstreamParts;
  private readonly answer: UpstreamRelay['answer'];
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<UpstreamChange>());
  private readonly didLog = this.store.add(new Emitter<UpstreamLog>());
  private servers: readonly HubServer[];
  private level: LogLevel = 'info';
  /** What all of them are for; `undefined` before the first roots. */
  private begun:
    | {
        readonly roots: readonly RootFolder[];
        readonly capabilities: UpstreamRelay['capabilities'];
      }
    | undefined;
  private upstreams: ReadonlyMap<string, Upstream> = new Map();
  /** By server names, the ends of upstreams that were replaced or taken out. */
  private readonly leaving = new Map<string, Promise<unknown>>();
  private isClosed = false;

  /** An upstream is in another state, offers something else, was added or was taken away. */
  readonly onDidChange: Event<UpstreamChange> = this.didChange.event;
  readonly onDidLog: Event<UpstreamLog> = this.didLog.event;

  /** @param answer answers what the servers ask of the client. */
  constructor(
    servers: readonly HubServer[],
    answer: UpstreamRelay['answer'],
    parts: UpstreamParts,
  ) {
    this.servers = servers;
    this.answer = answer;
    this.parts = parts;
  }

  /** By the names of their servers, in the order of the configuration. */
  get byName(): ReadonlyMap<string, Upstream> {
    return this.upstreams;
  }

  /** `undefined` before the first. */
  get roots(): readonly RootFolder[] | undefined {
    return this.begun?.roots;
  }

  /** Whether these are the roots of all upstreams already. */
  has(roots: readonly RootFolder[]): boolean {
    return this.roots !== undefined && isSame(this.roots, roots);
  }

  /**
   * Brings these roots to all upstreams, and starts those with `autoStart`.
   *
   * @param capabilities what the client offers servers besides roots, when they are the first roots.
   * @throws {HumanError} when the session has ended.
   */
  setRoots(roots: readonly RootFolder[], capabilities: UpstreamRelay['capabilities']): void {
    if (this.isClosed) {
      throw new HumanError('The session has ended.');
    }
    if (this.has(roots)) {
      return;
    }
    const { begun } = this;
    this.begun = { roots, capabilities: begun?.capabilities ?? capabilities };
    if (!begun) {
      this.setServers(this.servers);
      return;
    }
    for (const upstream of this.upstreams.values()) {
      upstream.setRoots(roots);
    }
    this.startThoseByThemselves();
  }

  /** Asks the servers for the log messages of this level and above. */
  setLogLevel(level: LogLevel): void {
    this.level = level;
    for (const upstream of this.upstreams.values()) {
      upstream.setLogLevel(level);
    }
  }

  /** Takes on another configuration: servers that are the same in it go on running. */
  setServers(servers: readonly HubServer[]): void {
    this.servers = servers;
    const { begun, upstreams: before } = this;
    if (!begun || this.isClosed) {
      return;
    }
    this.upstreams = new Map(
      servers.map(server => [server.name, this.upstreamFor(server, before.get(server.name))]),
    );
    for (const [name, upstream] of before) {
      if (!this.upstreams.has(name)) {
        this.retire(upstream, removed);
      }
    }
    for (const upstream of [...before.values(), ...this.upstreams.values()]) {
      const { name } = upstream.server;
      if (before.get(name) !== this.upstreams.get(name)) {
        this.didChange.fire({ upstream, what: 'state' });
      }
    }
    this.startThoseByThemselves();
  }

  /**
   * Ends all upstreams for good. Settles when their processes are gone.
   *
   * @param cause why, to be read after the name of each server.
   */
  async close(cause: string): Promise<void> {
    this.isClosed = true;
    const ends = [...this.upstreams.values()].map(upstream => upstream.retire(cause));
    await Promise.all([...ends, ...this.leaving.values()]);
    this.store.dispose();
  }

  private startThoseByThemselves(): void {
    for (const upstream of this.upstreams.values()) {
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
    const { roots = [], capabilities = {} } = this.begun ?? {};
    const predecessor = this.leaving.get(server.name);
    const relay = { capabilities, answer: this.answer };
    const upstream = new Upstream({ server, roots, relay, predecessor }, this.parts);
    upstream.setLogLevel(this.level);
    upstream.onDidChange(what => this.didChange.fire({ upstream, what }));
    upstream.onDidLog(entry => this.didLog.fire({ upstream, entry }));
    return upstream;
  }
}

const removed = 'was taken out of the configuration of the hub';
const changed = 'was ended, because its configuration has changed';

/** Whether two lists tell a server the same; nearly always it is the same list. */
function isSame(before: readonly RootFolder[], now: readonly RootFolder[]): boolean {
  const told = (roots: readonly RootFolder[]) =>
    JSON.stringify(
      roots.map(({ real, uri, name, folder }) => [real, uri, name ?? null, folder ?? null]),
    );
  return before === now || told(before) === told(now);
}
