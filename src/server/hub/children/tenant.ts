import { DisposableStore, type IDisposable } from '../../../base/disposable.ts';
import { Emitter, type Event } from '../../../base/emitter.ts';
import { HumanError } from '../../../domain/errors.ts';
import type { LogLevel } from '../../../domain/logLevels.ts';
import type { RootFolder } from '../../roots/rootFolders.ts';
import type { Caller, CallerRelay } from './callsInFlight.ts';
import type { ChildChange, ChildLog, ChildSet } from './childSet.ts';
import type { Holder } from './seat.ts';

/** Who a tenant is. */
export interface TenantClient {
  /**
   * `session`: its roots are a state of it, and its children are told when they change.
   * `connection`: one client, whose roots are those of each call.
   * `request`: one request of nobody knows which client.
   */
  readonly kind: 'session' | 'connection' | 'request';
  /** Tells it from all others. */
  readonly id: string;
}

/** What gives tenants their children. */
export interface Landlord {
  /** The set for these roots, which the tenant holds from now on and no other. */
  seat(tenant: Tenant, roots: readonly RootFolder[], server?: string): ChildSet;
  leave(tenant: Tenant): void;
  setLogLevel(tenant: Tenant): void;
}

/** One client of the hub: holds the set of children for its roots. */
export class Tenant implements Caller, Holder, IDisposable {
  readonly relay: CallerRelay;
  readonly client: TenantClient;
  private readonly landlord: Landlord;
  private readonly didChange = new Emitter<ChildChange>();
  private readonly didLog = new Emitter<ChildLog>();
  private listening = new DisposableStore();
  private held: { readonly set: ChildSet; readonly roots: readonly RootFolder[] } | undefined;
  private level: LogLevel | undefined;
  private isOver = false;

  /** A child of the set that is held has changed. */
  readonly onDidChange: Event<ChildChange> = this.didChange.event;
  readonly onDidLog: Event<ChildLog> = this.didLog.event;

  constructor(relay: CallerRelay, client: TenantClient, landlord: Landlord) {
    this.relay = relay;
    this.client = client;
    this.landlord = landlord;
  }

  /** The set that is held; `undefined` before the first roots, and after the last. */
  get current(): ChildSet | undefined {
    return this.held?.set;
  }

  get isDisposed(): boolean {
    return this.isOver;
  }

  /** The least level of the log messages it wants; `undefined`: none at all. */
  get logLevel(): LogLevel | undefined {
    return this.level;
  }

  /**
   * The children for these roots: those of a session are the same ones, told of the change, where
   * nobody else needs them as they are.
   *
   * @param server the one that is going to be called. What a child asks late is about a call that is
   *   over, so a server that is known to ask is another child for each request of nobody knows whom.
   * @throws {HumanError} when the hub has too many sets of children already: then none is held; or
   *   when the tenant is disposed of.
   */
  use(roots: readonly RootFolder[], server?: string): ChildSet {
    if (this.held?.roots === roots && this.client.kind !== 'request') {
      return this.held.set;
    }
    if (this.isOver) {
      throw new HumanError('The session has ended.');
    }
    const before = this.held?.set;
    this.held = undefined;
    try {
      const set = this.landlord.seat(this, roots, server);
      this.held = { set, roots };
      return set;
    } finally {
      this.listen(before);
    }
  }

  /** Sets the least level of the log messages it wants. Children heed the lowest of their tenants'. */
  setLogLevel(level: LogLevel | undefined): void {
    this.level = level;
    this.landlord.setLogLevel(this);
  }

  /** Lets go of the children, which end some time later if nobody takes them. */
  dispose(): void {
    this.isOver = true;
    this.held = undefined;
    this.listening.dispose();
    this.didChange.dispose();
    this.didLog.dispose();
    this.landlord.leave(this);
  }

  /** What is held now is listened to, and what was held `before` no more. */
  private listen(before: ChildSet | undefined): void {
    const set = this.current;
    if (set === before) {
      return;
    }
    this.listening.dispose();
    this.listening = new DisposableStore();
    if (set) {
      this.listening.add(set.onDidChange(change => this.didChange.fire(change)));
      this.listening.add(set.onDidLog(log => this.didLog.fire(log)));
    }
  }
}
