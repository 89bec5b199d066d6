import { Debounce } from '../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../base/disposable.ts';
import { RateWatch } from '../base/rateLimiter.ts';
import { Watchdog } from '../base/watchdog.ts';
import { noFaults, type OpenCall, type ServerFaults } from '../domain/servers/serverFaults.ts';
import type { Answer } from './rootsAnswerer.ts';
import type { SessionEvents } from './session.ts';
import type { Traffic } from './wire.ts';

/** A server that floods must not make every view draw itself each time. */
const flood = { quiet: 200, longest: 1000 };
/** How long a call may take before it counts as a fault, in milliseconds. */
const patience = 10_000;
/** More than the progress of a busy server, and few for one that floods. */
const mostNotifications = 500;

/** Counts the faults of one server's process. */
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

  /** The faults since the last {@link begin}. */
  get faults(): ServerFaults {
    return { ...this.counts, overdueCalls: this.calls.overdue };
  }

  /** There is a new process, which has done nothing wrong yet. */
  begin(): void {
    this.counts = noFaults;
    this.calls.dispose();
  }

  /** Counts what is heard of a session until the answer is disposed. */
  follow(session: Pick<SessionEvents, 'onDidPass' | 'onDidServeRoots' | 'onDidLog'>): IDisposable {
    const store = new DisposableStore();
    store.add(session.onDidPass(traffic => this.countTraffic(traffic)));
    store.add(session.onDidServeRoots(answer => this.noteFlood(answer)));
    store.add(session.onDidLog(({ leftOut }) => this.countLeftOut(leftOut ?? 0)));
    return store;
  }

  /** Notes a call until it settles, and settles as it does. */
  during<T>(tool: string, answer: Promise<T>): Promise<T> {
    return this.calls.during(tool, answer);
  }

  /** Counts no time of the open calls until it settles, and settles as it does. */
  whileAsked<T>(answer: Promise<T>): Promise<T> {
    return this.calls.whileAsked(answer);
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
    // Only requests that come faster than the limit are answered together.
    if (trigger.kind !== 'tools/call' && count > 1 && !this.counts.floodsRequests) {
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

/** The calls of one server that have no answer yet. */
class OpenCalls implements IDisposable {
  private readonly onDidChange: () => void;
  private readonly patience: number;
  private readonly open = new Map<OpenCall, Watchdog>();
  /** How many questions a person has not answered yet. */
  private asked = 0;

  /** @param patience how many milliseconds a call may take before it counts as overdue. */
  constructor(onDidChange: () => void, patience: number) {
    this.onDidChange = onDidChange;
    this.patience = patience;
  }

  /** The calls that are open for too long, the oldest first. */
  get overdue(): readonly OpenCall[] {
    return [...this.open].flatMap(([call, { isLate }]) => (isLate ? [call] : []));
  }

  /** Counts a call as open until it settles, and settles as it does. */
  async during<T>(tool: string, answer: Promise<T>): Promise<T> {
    const call: OpenCall = { tool, since: Date.now() };
    const watch = new Watchdog(this.patience);
    watch.onDidChange(this.onDidChange);
    this.open.set(call, watch);
    if (this.asked === 0) {
      watch.expect();
    }
    try {
      return await answer;
    } finally {
      // Before it is told that it is settled, so that it is not found open then.
      this.open.delete(call);
      watch.dispose();
    }
  }

  /** Stops the time of all calls until it settles: a person is asked, and takes any time for it. */
  async whileAsked<T>(answer: Promise<T>): Promise<T> {
    this.asked += 1;
    for (const watch of this.open.values()) {
      watch.settle();
    }
    try {
      return await answer;
    } finally {
      this.asked -= 1;
      for (const watch of this.asked === 0 ? this.open.values() : []) {
        watch.expect();
      }
    }
  }

  /** Forgets all calls until now. */
  dispose(): void {
    const watches = [...this.open.values()];
    this.open.clear();
    for (const watch of watches) {
      watch.dispose();
    }
  }
}
