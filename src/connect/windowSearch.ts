import type { After } from '../base/clock.ts';
import { type IDisposable, MutableDisposable } from '../base/disposable.ts';
import type { GatewayLink, NotReached, Reached } from './gatewayLink.ts';
import type { KnownSnapshot } from './snapshot.ts';

/** What a client says about itself that helps to choose its window. */
export interface ClientWords {
  readonly client?: string | undefined;
  /** The client's roots as URIs. Empty: the client named none. */
  readonly roots: readonly string[];
}

/** Finds the window that a client means, the window's gateway, and the server's last answers. */
export interface SearchHost {
  /**
   * Tries once to reach the gateway of the window that the client means.
   *
   * @param isUsed whether the client needs a process at once. `undefined`: not yet.
   */
  readonly reach: (words: ClientWords, isUsed: boolean | undefined) => Promise<Reached>;
  /** Returns the id of the window that the client means. `undefined`: there is none. */
  readonly meant: (words: ClientWords) => Promise<string | undefined>;
  /** Returns the server's last answers in that window. `undefined`: there are none to rely on. */
  readonly known: (words: ClientWords) => Promise<KnownSnapshot | undefined>;
  readonly after: After;
}

/** How long a request waits for a missing gateway, in milliseconds. A window reloads in less. */
const patienceTime = 15_000;
/** Milliseconds between two tries to reach a gateway: during {@link patienceTime}, and after it. */
const [soon, later] = [100, 1_000];

/** Tries to reach the gateway of a client's window, until that gateway admits or refuses. */
export class WindowSearch implements IDisposable {
  private readonly host: SearchHost;
  private readonly onChange: (link: GatewayLink | undefined) => void;
  private readonly patience = new MutableDisposable();
  private readonly retry = new MutableDisposable();
  private isDisposed = false;
  private isLooking = false;
  /** Whether {@link patienceTime} is over. */
  private isLate = false;
  /** Whether a window with the server was open before. Such a window may come back. */
  private isExpected = false;
  /** Why the last try failed. `undefined`: no try has ended since the search began. */
  private problem: NotReached | undefined;
  /** What the client has said about itself until now. */
  words: ClientWords = { roots: [] };
  /** Whether the last gateway ended the session because the client used the server. */
  isUsed: boolean | undefined;

  /** @param onChange gets a link, or `undefined` after a failed try or {@link patienceTime}. */
  constructor(host: SearchHost, onChange: (link: GatewayLink | undefined) => void) {
    this.host = host;
    this.onChange = onChange;
  }

  /** Why the search found no gateway. */
  get why(): string | undefined {
    const { problem } = this;
    return problem && ('away' in problem ? problem.away : problem.refused);
  }

  /** Whether the last try found no gateway, but a gateway may come. */
  get isAway(): boolean {
    return 'away' in (this.problem ?? {});
  }

  /** Whether no request waits for a gateway now. Each further request then makes one more try. */
  get isOver(): boolean {
    return !this.isLooking && (this.isRefused || this.isLate || !this.isExpected);
  }

  /** Begins to wait for a gateway. @param refusal why further tries are useless. */
  begin(refusal?: string): void {
    this.isLate = false;
    this.patience.value = this.host.after(patienceTime, () => {
      this.isLate = true;
      this.onChange(undefined);
    });
    this.note(refusal === undefined ? undefined : { refused: refusal });
  }

  /** Tries now to reach the gateway. Never rejects. */
  async look(): Promise<void> {
    const { host, words } = this;
    this.isLooking = true;
    this.retry.dispose();
    const reached = await host.reach(words, this.isUsed);
    const link = 'link' in reached ? reached.link : undefined;
    if (this.isDisposed) {
      link?.close();
    } else if (words.roots !== this.words.roots) {
      // The client has named other roots meanwhile, which may lead to another window.
      link?.close();
      await this.look();
    } else {
      this.isExpected ||=
        link !== undefined ||
        ('away' in reached && reached.isExpected) ||
        (await host.known(words))?.isOfWindow === true;
      this.isLooking = false;
      if (!('link' in reached)) {
        this.note(reached);
      }
      this.onChange(link);
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.patience.dispose();
    this.retry.dispose();
  }

  private get isRefused(): boolean {
    return 'refused' in (this.problem ?? {});
  }

  private note(problem: NotReached | undefined): void {
    this.problem = problem;
    if (!this.isRefused) {
      this.retry.value = this.host.after(this.isLate ? later : soon, () => void this.look());
    }
  }
}
