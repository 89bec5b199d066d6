import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { RateWatch } from '../../base/rateWatch.ts';
import { noFaults, type ServerFaults } from '../../domain/servers/serverFaults.ts';
import type { ServerConnection } from '../../mcp/connection.ts';
import type { Answer } from '../../mcp/rootsAnswerer.ts';
import type { Traffic } from '../../mcp/wire.ts';
import { OpenCalls } from './openCalls.ts';

/** A server that floods must not make every view draw itself each time. */
const flood = { quiet: 200, longest: 1000 };
/** How long a call may take before somebody may wonder, in milliseconds. */
const patience = 10_000;
/** More than the progress of a busy server, and few for one that floods. */
const mostNotifications = 500;

/** Counts what the process of one server does that a well-behaved one does not. */
export class FaultCounter implements IDisposable {
  private readonly store = new DisposableStore();
  private readonly news: Debounce;
  private readonly calls: OpenCalls;
  private readonly notifications = new RateWatch(mostNotifications);
  private counts: Omit<ServerFaults, 'overdueCalls'> = noFaults;

  /** @param onDidChange is called when there are other faults than before, of a flood now and then. */
  constructor(onDidChange: () => void) {
    this.news = this.store.add(new Debounce(onDidChange, flood));
    this.calls = this.store.add(new OpenCalls(onDidChange, patience));
  }

  /** What was counted since the last {@link begin}. */
  get faults(): ServerFaults {
    return { ...this.counts, overdueCalls: this.calls.overdue };
  }

  /** There is a new process, which has done nothing wrong yet. */
  begin(): void {
    this.counts = noFaults;
    this.calls.dispose();
  }

  /** Counts what comes over a connection until the answer is disposed. */
  follow(
    connection: Pick<ServerConnection, 'onDidPass' | 'onDidServeRoots' | 'onDidLog'>,
  ): IDisposable {
    const store = new DisposableStore();
    store.add(connection.onDidPass(traffic => this.countTraffic(traffic)));
    store.add(connection.onDidServeRoots(answer => this.noteFlood(answer)));
    store.add(connection.onDidLog(({ leftOut }) => this.countLeftOut(leftOut ?? 0)));
    return store;
  }

  /** Notes a call until it settles, and settles as it does. */
  during<T>(tool: string, answer: Promise<T>): Promise<T> {
    return this.calls.during(tool, answer);
  }

  dispose(): void {
    this.store.dispose();
  }

  private countTraffic(traffic: Traffic): void {
    const { rubbishLines, longestRubbish, strayAnswers } = this.counts;
    if (traffic.kind === 'rubbish') {
      const longest = Math.max(longestRubbish, traffic.length);
      this.change({ rubbishLines: rubbishLines + 1, longestRubbish: longest });
    } else if (traffic.kind === 'stray') {
      this.change({ strayAnswers: strayAnswers + 1 });
    } else if (isNotification(traffic) && this.notifications.note()) {
      this.noteNotificationFlood();
    }
  }

  private noteNotificationFlood(): void {
    if (!this.counts.floodsNotifications) {
      this.change({ floodsNotifications: true });
    }
  }

  private noteFlood({ trigger, count }: Answer): void {
    // Only those that come faster than the pace are answered together.
    if (trigger.kind === 'roots/list' && count > 1 && !this.counts.floodsRequests) {
      this.change({ floodsRequests: true });
    }
  }

  private countLeftOut(count: number): void {
    if (count > 0) {
      this.change({ messagesLeftOut: this.counts.messagesLeftOut + count });
    }
  }

  private change(change: Partial<ServerFaults>): void {
    this.counts = { ...this.counts, ...change };
    this.news.request();
  }
}

/** Whether it is a notification of the server. Its log messages are counted where they are left out. */
function isNotification({ direction, message }: Exclude<Traffic, { kind: 'rubbish' }>): boolean {
  return (
    direction === 'from-server' &&
    'method' in message &&
    !('id' in message) &&
    message.method !== 'notifications/message'
  );
}
