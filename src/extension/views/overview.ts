import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Servers } from '../servers/servers.ts';

/** The servers of a window in numbers. */
export interface Summary {
  /** Servers that run. */
  readonly running: number;
  /** Folders that are visible to one of those, each counted once. */
  readonly visible: number;
  /** Questions (server, folder) that wait for the user's answer. Only running servers have any. */
  readonly waiting: number;
  /** Whether no server runs or is about to. */
  readonly isIdle: boolean;
}

const burst = { quiet: 20, longest: 100 };

/** Counts the servers once for all views that show it, and fires when a number has changed. */
export class Overview implements IDisposable {
  private readonly servers: Servers;
  private readonly store = new DisposableStore();
  private readonly didChange = new Emitter<Summary>();
  private readonly sumUpSoon = this.store.add(new Debounce(() => this.sumUp(), burst));
  private current: Summary;

  readonly onDidChange: Event<Summary> = this.didChange.event;

  constructor(servers: Servers) {
    this.servers = servers;
    this.current = summaryOf(servers);
    this.store.add(servers.onDidChange(() => this.sumUpSoon.request()));
  }

  get value(): Summary {
    return this.current;
  }

  dispose(): void {
    this.store.dispose();
  }

  private sumUp(): void {
    const next = summaryOf(this.servers);
    if (JSON.stringify(next) !== JSON.stringify(this.current)) {
      this.current = next;
      this.didChange.fire(next);
    }
  }
}

function summaryOf({ all }: Servers): Summary {
  const running = all.filter(({ state }) => state.kind === 'running');
  const live = all.filter(({ isLive }) => isLive);
  const visible = running.flatMap(({ access }) => access.roots.map(({ uri }) => uri));
  return {
    running: running.length,
    visible: new Set(visible).size,
    waiting: live.reduce((sum, { access }) => sum + access.waiting.length, 0),
    isIdle: live.length === 0,
  };
}
