import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { Clients } from '../gateway/clients.ts';
import type { Servers } from '../servers/servers.ts';
import { wordOf } from './serverItem.ts';

/** The servers of a window in numbers. `failed` and `waiting` never count the same server. */
export interface Summary {
  readonly running: number;
  /** The folders that a running server may see, each counted once. */
  readonly visible: number;
  /** Servers that failed and are not restarted automatically. */
  readonly failed: number;
  /** Servers and clients that wait for the user's answer. */
  readonly waiting: number;
  /** Whether no server runs or starts, neither for this window nor for a client. */
  readonly isIdle: boolean;
  /** Whether running servers may see folders, but no process has got roots yet. */
  readonly isUntold: boolean;
}

const burst = { quiet: 20, longest: 100 };

/** Counts the servers for all views, and fires when a number has changed. */
export class Overview implements IDisposable {
  private readonly servers: Servers;
  private readonly clients: Pick<Clients, 'of'>;
  private readonly questions: Pick<OpenQuestions, 'of' | 'all' | 'onDidChange'>;
  private readonly store = new DisposableStore();
  private readonly didChange = new Emitter<Summary>();
  private readonly sumUpSoon = this.store.add(new Debounce(() => this.sumUp(), burst));
  private current: Summary;

  readonly onDidChange: Event<Summary> = this.didChange.event;

  /** @param questions also fire with every change of a server or a client. */
  constructor(
    servers: Servers,
    clients: Pick<Clients, 'of'>,
    questions: Pick<OpenQuestions, 'of' | 'all' | 'onDidChange'>,
  ) {
    this.servers = servers;
    this.clients = clients;
    this.questions = questions;
    this.current = this.summary();
    this.store.add(questions.onDidChange(() => this.sumUpSoon.request()));
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
    const visible = running.flatMap(({ access }) => access.roots.map(({ uri }) => uri));
    const clients = all.flatMap(server => this.clients.of(server));
    const failed = all.filter(server => wordOf(server, this.questions) === 'failed');
    const asking = new Set(this.questions.all.map(({ subject }) => subject));
    const isTold = [...running, ...clients.map(({ session }) => session)].some(
      one => one?.lastExposure !== undefined,
    );
    return {
      running: running.length,
      visible: new Set(visible).size,
      failed: failed.length,
      waiting: asking.size,
      isIdle: !all.some(({ isLive }) => isLive) && clients.every(({ session }) => !session),
      isUntold: visible.length > 0 && !isTold,
    };
  }
}
