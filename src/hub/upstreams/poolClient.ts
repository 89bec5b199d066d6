import { DisposableStore, type IDisposable, toDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { LogLevel } from '../../domain/logLevels.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { PoolEntry, Reference, UpstreamChange, UpstreamLog } from './poolEntry.ts';
import type { UpstreamPool, Wanted } from './upstreamPool.ts';

/**
 * A client of the hub. It refers to one entry of the pool at a time, which is what the pool keeps
 * for one list of roots, and hears of the upstreams in it: one instance of each server behind the
 * hub.
 */
export class PoolClient implements Reference, IDisposable {
  private readonly pool: UpstreamPool;
  private readonly id: string;
  private readonly didChange = new Emitter<UpstreamChange>();
  private readonly didLog = new Emitter<UpstreamLog>();
  private entry: PoolEntry | undefined;
  private wanted: Omit<Wanted, 'id'> | undefined;
  private listening = new DisposableStore();
  private level: LogLevel | undefined;
  private isDisposed = false;

  /** An upstream of the current entry has changed. */
  readonly onDidChange: Event<UpstreamChange> = this.didChange.event;
  readonly onDidLog: Event<UpstreamLog> = this.didLog.event;

  /** @param id no other client has the same. */
  constructor(pool: UpstreamPool, id: string) {
    this.pool = pool;
    this.id = id;
  }

  /**
   * The entry in use; `undefined` before the first {@link use}, after a failed one, and at the end.
   */
  get current(): PoolEntry | undefined {
    return this.entry;
  }

  get logLevel(): LogLevel | undefined {
    return this.level;
  }

  /**
   * The entry for what the client wants; from now on it is the current one.
   *
   * @throws {HumanError} when the hub is ending, or the client was disposed of.
   */
  use(wanted: Omit<Wanted, 'id'>): PoolEntry {
    if (this.isDisposed) {
      throw new HumanError('The session has ended.');
    }
    if (this.entry && this.wanted && isSame(this.wanted, wanted)) {
      return this.entry;
    }
    const before = this.entry;
    this.entry = undefined;
    try {
      this.entry = this.pool.acquire({ ...wanted, id: this.id }, this, before);
      this.wanted = wanted;
      return this.entry;
    } finally {
      this.listen(before);
    }
  }

  /** Keeps an entry with its roots, whoever releases it, until the returned item is disposed of. */
  keep(entry: PoolEntry): IDisposable {
    const reference: Reference = { logLevel: undefined };
    this.pool.refer(entry, reference);
    return toDisposable(() => this.pool.release(entry, reference));
  }

  /** @param level the least level of the log messages that the client wants; `undefined`: none. */
  setLogLevel(level: LogLevel | undefined): void {
    this.level = level;
    this.entry?.setLogLevel();
  }

  /** Releases the entry; its upstreams end later, unless another client takes the entry. */
  dispose(): void {
    const { entry } = this;
    this.isDisposed = true;
    this.entry = undefined;
    this.listening.dispose();
    this.didChange.dispose();
    this.didLog.dispose();
    if (entry) {
      this.pool.release(entry, this);
    }
  }

  /** Listens to the current entry, and no longer to the one `before`. */
  private listen(before: PoolEntry | undefined): void {
    const { entry } = this;
    if (entry === before) {
      return;
    }
    this.listening.dispose();
    this.listening = new DisposableStore();
    if (entry) {
      this.listening.add(entry.onDidChange(change => this.didChange.fire(change)));
      this.listening.add(entry.onDidLog(log => this.didLog.fire(log)));
    }
  }
}

/** Spares the pool a search: nearly every call of a client wants the same as the call before. */
function isSame(before: Omit<Wanted, 'id'>, now: Omit<Wanted, 'id'>): boolean {
  return (
    before.roots === now.roots &&
    now.kind !== 'request' &&
    JSON.stringify(before.capabilities) === JSON.stringify(now.capabilities)
  );
}
