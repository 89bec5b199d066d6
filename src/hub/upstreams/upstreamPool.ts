import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import { HumanError } from '../../domain/sentence.ts';
import { ProcessOwner } from '../../mcp/stdio/processOwner.ts';
import type { RootFolder } from '../../server/roots/rootFolders.ts';
import { sandboxHere } from './hubSandbox.ts';
import { PoolEntry, type Reference, type UpstreamChange } from './poolEntry.ts';
import { ProcessLimit } from './processLimit.ts';
import type { UpstreamHost, UpstreamParts } from './upstream.ts';
import type { RelayedCapabilities } from './upstreamCalls.ts';
import { EmptyFolder } from './upstreamTarget.ts';

/**
 * `session`: a legacy session with one list of roots at a time; its servers are told of changes.
 * `connection`: a modern client over stdio, whose roots come with each call.
 * `request`: one modern request over HTTP, of an unknown client.
 */
export type ClientKind = 'session' | 'connection' | 'request';

/** What a client wants of the pool. */
export interface Wanted {
  readonly kind: ClientKind;
  /** The id of the client; no other client has the same. */
  readonly id: string;
  readonly roots: readonly RootFolder[];
  /** What the client offers servers besides roots. */
  readonly capabilities: RelayedCapabilities;
  /** The name of the server that is going to be called. */
  readonly server?: string | undefined;
}

/** In milliseconds: how long an entry without a reference is kept for the next client. */
const longestIdle = 5 * 60_000;
/** How many entries without a reference are kept. */
const mostIdle = 32;

/**
 * All upstreams of a hub. An upstream is one instance of a server for one list of roots, since no
 * server can keep two lists apart; an entry holds an upstream of each server for one list of roots
 * and for clients of the same capabilities. References to entries are counted. An entry without a
 * reference is kept for a while, and ended sooner when there are too many of these, or of
 * processes.
 */
export class UpstreamPool {
  private readonly parts: UpstreamParts;
  private readonly entries = new Set<PoolEntry>();
  /** The entries without a reference with their timers, the longest idle first. */
  private readonly idle = new Map<PoolEntry, IDisposable>();
  private readonly didChange = new Emitter<UpstreamChange>();
  private servers: readonly HubServer[] = [];
  private lastId = 0;
  private isClosed = false;

  /** An upstream of any client has changed. */
  readonly onDidChange: Event<UpstreamChange> = this.didChange.event;

  /** @param mostProcesses how many servers may have a process at a time. */
  constructor(host: UpstreamHost, mostProcesses = 256) {
    const owner = new ProcessOwner('hub', host.logger);
    this.parts = {
      ...host,
      owner,
      processes: new ProcessLimit(mostProcesses, () => this.endLongestWithProcess()),
      emptyFolder: new EmptyFolder(),
      sandbox: sandboxHere(owner),
      live: new Set(),
      askers: new Set(),
      newId: () => {
        this.lastId += 1;
        return String(this.lastId);
      },
    };
  }

  /** Takes on another configuration: servers that are the same in it go on running. */
  setServers(servers: readonly HubServer[]): void {
    this.servers = servers;
    for (const entry of this.entries) {
      entry.setServers(servers);
    }
  }

  /**
   * The entry for what is wanted. The reference moves to this entry from the `current` one. The
   * entry of a session gets other roots itself when nobody else refers to it.
   *
   * @throws {HumanError} when the hub is ending: then the reference is to no entry.
   */
  acquire(wanted: Wanted, reference: Reference, current: PoolEntry | undefined): PoolEntry {
    const key = keyOf(wanted);
    const fits = (entry: PoolEntry) => entry.key === key && !mayAskForOthers(entry, wanted);
    if (current && fits(current)) {
      return current;
    }
    const other = [...this.entries].find(fits);
    if (!other && wanted.kind === 'session' && current?.isOnlyUsedBy(reference)) {
      current.moveTo(key, wanted.roots);
      return current;
    }
    if (current) {
      this.release(current, reference);
    }
    const entry = other ?? this.newEntry(key, wanted);
    this.refer(entry, reference);
    return entry;
  }

  /** Adds a reference; an entry is not ended while it has one. */
  refer(entry: PoolEntry, reference: Reference): void {
    this.idle.get(entry)?.dispose();
    this.idle.delete(entry);
    entry.add(reference);
  }

  /**
   * Removes a reference. An entry without one is ended some time later, or at once when only one
   * session could use it.
   */
  release(entry: PoolEntry, reference: Reference): void {
    entry.remove(reference);
    if (!entry.isIdle || !this.entries.has(entry) || this.idle.has(entry)) {
      return;
    }
    if (entry.isOfOneSession) {
      void this.end(entry);
      return;
    }
    this.idle.set(
      entry,
      this.parts.after(longestIdle, () => void this.end(entry)),
    );
    const [longest] = this.idle.keys();
    if (longest && this.idle.size > mostIdle) {
      void this.end(longest);
    }
  }

  /** Ends all upstreams in parallel. Settles when their processes are gone. */
  async close(): Promise<void> {
    const { live, emptyFolder, owner } = this.parts;
    this.isClosed = true;
    const entries = [...this.entries].map(entry => this.end(entry));
    await Promise.all([...entries, ...[...live].map(upstream => upstream.retire(ending))]);
    await emptyFolder.remove();
    owner.dispose();
  }

  private newEntry(key: string, wanted: Wanted): PoolEntry {
    if (this.isClosed) {
      throw new HumanError('The hub is ending.');
    }
    const isOfOneSession = isOnlyClient(wanted) && wanted.kind === 'session';
    const entry = new PoolEntry({ ...wanted, key, isOfOneSession }, this.parts);
    entry.setServers(this.servers);
    entry.onDidChange(change => this.didChange.fire(change));
    this.entries.add(entry);
    return entry;
  }

  /**
   * Ends the entry with a process that has been idle longest. Settles when its processes are gone;
   * `undefined`: there is no such entry.
   */
  private endLongestWithProcess(): Promise<void> | undefined {
    const longest = [...this.idle.keys()].find(({ hasProcess }) => hasProcess);
    // The limit hears of the end of a process some promises later, and counts it until then.
    return longest && this.end(longest).then(() => nextTurn());
  }

  private end(entry: PoolEntry): Promise<void> {
    this.idle.get(entry)?.dispose();
    this.idle.delete(entry);
    this.entries.delete(entry);
    return entry.close(this.isClosed ? ending : unused);
  }
}

const ending = 'was ended, because the hub is ending';
const unused = 'was ended, because nobody used it';

/**
 * Whether this client gets an entry that no other client is given, because a server may ask it
 * something after its call is over.
 */
function isOnlyClient({ kind, capabilities }: Wanted): boolean {
  return canBeAsked(capabilities) && kind !== 'request';
}

/** Equal for clients that can share an entry. */
function keyOf(wanted: Wanted): string {
  return JSON.stringify([
    wanted.roots.map(({ real, uri, name, folder }) => [real, uri, name ?? null, folder ?? null]),
    wanted.capabilities,
    isOnlyClient(wanted) ? wanted.id : null,
  ]);
}

/** Whether servers may ask anything of the client. */
function canBeAsked(capabilities: RelayedCapabilities): boolean {
  return Object.keys(capabilities).length > 0;
}

/**
 * Whether a question from this server could concern another client's call. For an unknown client's
 * request, an instance that has worked and whose server is known to ask is therefore not reused.
 */
function mayAskForOthers({ upstreams }: PoolEntry, { kind, capabilities, server }: Wanted) {
  const isAnybody = kind === 'request' && canBeAsked(capabilities);
  return isAnybody && server !== undefined && upstreams.get(server)?.mayAskLate === true;
}
