import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { isLate } from '../../base/timeLimit.ts';
import type { DiskLook } from '../../domain/folders/folders.ts';

/** The pause between looks, and the time a disk has to answer, in milliseconds. */
export interface WatchTimes {
  readonly interval: number;
  /** A disk that takes longer counts as unreadable, until it answers. */
  readonly longest: number;
  /** The same for the first look at a path. Before that look ends, nothing is known of the path. */
  readonly first: number;
}

/** The most time that a slow disk gets. */
const slowest = 10_000;

interface Watched {
  readonly path: string;
  found: DiskLook | undefined;
  /** The last result that says where the path leads, or that it is missing. */
  known: DiskLook | undefined;
  /**
   * The look under way: resolves when the disk answers or takes too long. There is never more than one,
   * because looks would pile up on a disk that hangs.
   */
  look: Promise<void> | undefined;
  /** The time the disk has for its next answer. */
  patience: number;
}

const unanswered: DiskLook = { disk: 'unreadable', realPath: undefined, place: undefined };

/** Polls the disk at some paths. A disk that hangs delays only the results of its own paths. */
export class DiskWatch implements IDisposable {
  private readonly look: (path: string) => Promise<DiskLook>;
  private readonly times: WatchTimes;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<void>());
  private watched: ReadonlyMap<string, Watched> = new Map();
  private timer: NodeJS.Timeout | undefined;

  /** A result of {@link get} has changed. */
  readonly onDidChange = this.didChange.event;

  /** @param look must not reject. */
  constructor(look: (path: string) => Promise<DiskLook>, times: WatchTimes) {
    this.look = look;
    this.times = times;
  }

  /** The last result at a path; `undefined` before the first look, and for an unwatched path. */
  get(path: string): DiskLook | undefined {
    return this.watched.get(path)?.found;
  }

  /** Like {@link get}, but a path that can't be read now leads where it led before. */
  getLasting(path: string): DiskLook | undefined {
    const { found, known } = this.watched.get(path) ?? {};
    return found && { ...found, ...known, disk: found.disk };
  }

  /** Whether the disk of a path takes too long, and has not answered yet. */
  isUnanswered(path: string): boolean {
    return this.watched.get(path)?.found === unanswered;
  }

  /** Watches these paths and no others. New ones are looked at now, the rest only while polling. */
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
   * Looks at all paths now; never rejects. Resolves when each result is at least as new as this call. A
   * path counts as unreadable if its disk takes too long. Concurrent calls share the looks.
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

  /** Begins a look, unless one is under way. */
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

  /** A disk that answered late gets more time, or its paths would come and go with each look. */
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
