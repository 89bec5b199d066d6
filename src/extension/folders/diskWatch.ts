import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { isLate } from '../../base/timeLimit.ts';
import type { DiskLook } from '../../domain/folders/folders.ts';

/** Milliseconds between looks, and milliseconds that a disk has to answer. */
export interface WatchTimes {
  readonly interval: number;
  /** If a disk takes longer, its paths count as unreadable until it answers. */
  readonly longest: number;
  /** Like `longest`, but for the first look at a path, when no earlier result exists. */
  readonly first: number;
}

/** The most milliseconds that a slow disk gets. */
const slowest = 10_000;

interface Watched {
  readonly path: string;
  found: DiskLook | undefined;
  /** The last result with a real path, or with the state `missing`. */
  known: DiskLook | undefined;
  /**
   * The present look. It resolves when the disk answers or takes too long. Each path has at most
   * one look, because looks at a disk that hangs would pile up.
   */
  look: Promise<void> | undefined;
  /** How many milliseconds the disk has for its next answer. */
  patience: number;
}

const unanswered: DiskLook = { disk: 'unreadable', realPath: undefined, place: undefined };

/** Looks regularly at some paths. A disk that hangs delays only the results of its own paths. */
export class DiskWatch implements IDisposable {
  private readonly look: (path: string) => Promise<DiskLook>;
  private readonly times: WatchTimes;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<void>());
  private watched: ReadonlyMap<string, Watched> = new Map();
  private timer: NodeJS.Timeout | undefined;

  /** Fires when a result of {@link get} has changed. */
  readonly onDidChange = this.didChange.event;

  /** @param look must not reject. */
  constructor(look: (path: string) => Promise<DiskLook>, times: WatchTimes) {
    this.look = look;
    this.times = times;
  }

  /** The last result at a path; `undefined` before the first look, and for other paths. */
  get(path: string): DiskLook | undefined {
    return this.watched.get(path)?.found;
  }

  /** Like {@link get}, but a path that can't be read now has its last known target. */
  getLasting(path: string): DiskLook | undefined {
    const { found, known } = this.watched.get(path) ?? {};
    return found && { ...found, ...known, disk: found.disk };
  }

  /** Whether the disk of a path has not answered in time and is still silent. */
  isUnanswered(path: string): boolean {
    return this.watched.get(path)?.found === unanswered;
  }

  /** Watches only these paths. Looks at new paths now. If `isPolling`, looks at all regularly. */
  watch(paths: readonly string[], isPolling: boolean): void {
    const before = this.watched;
    this.watched = new Map(paths.map(path => [path, before.get(path) ?? this.unknown(path)]));
    for (const watched of this.watched.values()) {
      if (!watched.found) {
        void this.lookAt(watched);
      }
    }
    this.poll(isPolling && paths.length > 0);
  }

  /**
   * Looks at all paths now; never rejects. Resolves when each result is as new as this call or
   * newer. If a disk takes too long, its paths count as unreadable. Concurrent calls share looks.
   */
  async refresh(): Promise<void> {
    await Promise.all(
      [...this.watched.values()].map(async watched => {
        await watched.look;
        await this.lookAt(watched);
      }),
    );
  }

  dispose(): void {
    this.poll(false);
    this.store.dispose();
    this.watched = new Map();
  }

  private poll(isPolling: boolean): void {
    if (!isPolling) {
      clearInterval(this.timer);
      this.timer = undefined;
    } else if (!this.timer) {
      this.timer = setInterval(() => this.lookAtAll(), this.times.interval).unref();
    }
  }

  private lookAtAll(): void {
    for (const watched of this.watched.values()) {
      void this.lookAt(watched);
    }
  }

  /** Begins a look at a path, unless it has a look already. */
  private lookAt(watched: Watched): Promise<void> {
    watched.look ??= this.begin(watched);
    return watched.look;
  }

  private async begin(watched: Watched): Promise<void> {
    const start = Date.now();
    let isAnswered = false;
    const answer = this.look(watched.path).then(found => {
      isAnswered = true;
      watched.look = undefined;
      watched.patience = this.patienceAfter(Date.now() - start);
      this.note(watched, found);
    });
    if ((await isLate(answer, watched.patience)) && !isAnswered) {
      this.note(watched, unanswered);
    }
  }

  private unknown(path: string): Watched {
    return {
      path,
      found: undefined,
      known: undefined,
      look: undefined,
      patience: this.times.first,
    };
  }

  /** A disk that answered late gets more time, so that its paths do not come and go. */
  private patienceAfter(took: number): number {
    return Math.max(this.times.longest, Math.min(2 * took, slowest));
  }

  private note(watched: Watched, found: DiskLook): void {
    const before = watched.found;
    watched.found = found;
    if (found.disk !== 'unreadable' || found.realPath !== undefined) {
      watched.known = found;
    }
    const isNew =
      before?.disk !== found.disk ||
      before.realPath !== found.realPath ||
      before.place !== found.place;
    if (isNew && this.watched.get(watched.path) === watched) {
      this.didChange.fire();
    }
  }
}
