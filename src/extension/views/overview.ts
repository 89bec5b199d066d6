import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Clients } from '../gateway/clients.ts';
import type { Servers } from '../servers/servers.ts';

/** The servers of a window in numbers. */
export interface Summary {
  /** Servers that run. */
  readonly running: number;
  /** Folders that are visible to one of those, each counted once. */
  readonly visible: number;
  /** Questions on folders of servers that run, and on clients, that wait for the user's answer. */
  readonly waiting: number;
  /** Whether no server runs or is about to, for this window or a client. */
  readonly isIdle: boolean;
}

const burst = { quiet: 20, longest: 100 };

/** Counts the servers once for all views that show it, and fires when a number has changed. */
export class Overview implements IDisposable {
  private readonly servers: Servers;
  private readonly clients: Pick<Clients, 'of' | 'onDidChange'>;
  private readonly store = new DisposableStore();
  private readonly didChange = new Emitter<Summary>();
  private readonly sumUpSoon = this.store.add(new Debounce(() => this.sumUp(), burst));
  private current: Summary;

  readonly onDidChange: Event<Summary> = this.didChange.event;

  constructor(servers: Servers, clients: Pick<Clients, 'of' | 'onDidChange'>) {
    this.servers = servers;
    this.clients = clients;
    this.current = this.summary();
    this.store.add(servers.onDidChange(() => this.sumUpSoon.request()));
    this.store.add(clients.onDidChange(() => this.sumUpSoon.request()));
  }

  get value(): Summary {
    return this.current;
  }

  dispose(): void {
    this.store.dispose();
  }

  private sumUp(): void {
    const next = this.summary();
    if (JSON.stringify(next) !== JSON.stringify(this.current)) {
      this.current = next;
      this.didChange.fire(next);
    }
  }

  private summary(): Summary {
    const { all } = this.servers;
    const running = all.filter(({ state }) => state.kind === 'running');
    const live = all.filter(({ isLive }) => isLive);
    const visible = running.flatMap(({ access }) => access.roots.map(({ uri }) => uri));
    const clients = all.flatMap(server => this.clients.of(server));
    // The sessions of one client with one server have one question.
    const asking = clients.flatMap(({ server, name, session }) =>
      session?.isWaiting ? [JSON.stringify([server.definition.id, name])] : [],
    );
    const folders = live.reduce((sum, { access }) => sum + access.waiting.length, 0);
    return {
      running: running.length,
      visible: new Set(visible).size,
      waiting: folders + new Set(asking).size,
      isIdle: live.length === 0 && clients.every(({ session }) => !session),
    };
  }
}
