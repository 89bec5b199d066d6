import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import type { LogLevel } from '../../domain/logLevels.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { Listed } from '../../mcp/connection.ts';
import type { ServerLogEntry } from '../../mcp/serverMessages.ts';
import type { RootFolder } from '../../server/roots/rootFolders.ts';
import { allLists, Upstream, type UpstreamParts, type UpstreamRelay } from './upstream.ts';

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
  private readonly didChangeLists = this.store.add(new Emitter<readonly Listed[]>());
  private readonly didLog = this.store.add(new Emitter<UpstreamLog>());
  private servers: readonly HubServer[];
  private level: LogLevel = 'info';
  /** `undefined` before the first. */
  private present: readonly RootFolder[] | undefined;
  private capabilities: UpstreamRelay['capabilities'] = {};
  private upstreams: ReadonlyMap<string, Upstream> = new Map();
  /** By server names, the ends of upstreams that were replaced or taken out. */
  private readonly ends = new Map<string, Promise<unknown>>();
  private isClosed = false;

  /** These lists may be others now: of an upstream, or because there are other servers. */
  readonly onDidChangeLists: Event<readonly Listed[]> = this.didChangeLists.event;
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
    return this.present;
  }

  /** Whether these are the roots of all upstreams already. */
  has(roots: readonly RootFolder[]): boolean {
    return this.present !== undefined && isSame(this.present, roots);
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
    const isFirst = this.present === undefined;
    this.present = roots;
    if (isFirst) {
      this.capabilities = capabilities;
      this.takeServers();
    } else {
      for (const upstream of this.upstreams.values()) {
        upstream.setRoots(roots);
        upstream.startByItself();
      }
    }
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
    if (this.present && !this.isClosed) {
      this.takeServers();
      this.didChangeLists.fire(allLists);
    }
  }

  /**
   * Ends all upstreams for good. Settles when their processes are gone.
   *
   * @param cause why, to be read after the name of each server.
   */
  async close(cause: string): Promise<void> {
    this.isClosed = true;
    for (const upstream of this.upstreams.values()) {
      this.retire(upstream, cause);
    }
    await Promise.all(this.ends.values());
    this.store.dispose();
  }

  private takeServers(): void {
    const before = this.upstreams;
    this.upstreams = new Map(
      this.servers.map(server => [server.name, this.upstreamFor(server, before.get(server.name))]),
    );
    for (const [name, upstream] of before) {
      if (!this.upstreams.has(name)) {
        this.retire(upstream, removed);
      }
    }
    for (const upstream of this.upstreams.values()) {
      upstream.startByItself();
    }
  }

  private upstreamFor(server: HubServer, before: Upstream | undefined): Upstream {
    if (before?.server.fingerprint === server.fingerprint) {
      before.redefine(server);
      return before;
    }
    const wasLive = before?.isLive;
    if (before) {
      this.retire(before, changed);
    }
    const upstream = this.newUpstream(server);
    if (wasLive) {
      upstream.begin();
    }
    return upstream;
  }

  /** Ends an upstream; the next one of its server starts only when its processes are gone. */
  private retire(upstream: Upstream, cause: string): void {
    const { name } = upstream.server;
    this.ends.set(name, Promise.all([this.ends.get(name), upstream.retire(cause)]));
  }

  private newUpstream(server: HubServer): Upstream {
    const { present: roots = [], capabilities, answer } = this;
    const predecessor = this.ends.get(server.name);
    const relay = { capabilities, answer };
    const upstream = new Upstream({ server, roots, relay, predecessor }, this.parts);
    upstream.setLogLevel(this.level);
    upstream.onDidChangeLists(lists => this.didChangeLists.fire(lists));
    upstream.managed.link.onDidBegin(({ onDidLog }) => {
      onDidLog(entry => this.didLog.fire({ upstream, entry }));
    });
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
