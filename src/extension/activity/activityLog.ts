import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import { type Activity, addActivity, fittingActivity } from '../../domain/activity.ts';
import type { ActivityFile } from './activityFile.ts';

/** The most entries in memory. */
const capacity = 5000;

/** The latest events of this workspace, from this session and earlier ones. */
export class ActivityLog implements IDisposable {
  private readonly file: Pick<ActivityFile, 'append' | 'read'> | undefined;
  private readonly logger: Logger;
  private readonly didChange = new Emitter<void>();
  private entries: Activity[] = [];
  private unwritten: Activity[] = [];
  private loading: Promise<void> | undefined;
  private writing: Promise<void> | undefined;

  readonly onDidChange: Event<void> = this.didChange.event;

  /** @param file `undefined` without a workspace: then the log ends with the window. */
  constructor(file: Pick<ActivityFile, 'append' | 'read'> | undefined, logger: Logger) {
    this.file = file;
    this.logger = logger;
  }

  /** At most 5000 entries, the oldest first. Servers with many entries lose their oldest ones. */
  get all(): readonly Activity[] {
    return this.entries;
  }

  /** Reads once what earlier sessions wrote. Never rejects. */
  load(): Promise<void> {
    this.loading ??= this.read();
    return this.loading;
  }

  add(entry: Activity): void {
    addActivity(this.entries, entry);
    this.unwritten.push(entry);
    this.trim();
    this.didChange.fire();
    void this.flush();
  }

  /** Resolves when all entries added so far are on disk, or their loss was reported. */
  flush(): Promise<void> {
    this.writing ??= this.write();
    return this.writing;
  }

  dispose(): void {
    this.didChange.dispose();
  }

  private async read(): Promise<void> {
    try {
      const earlier = (await this.file?.read()) ?? [];
      const added = this.entries;
      this.entries = [];
      addActivity(this.entries, ...earlier, ...added);
      this.trim();
      this.didChange.fire();
    } catch (error) {
      this.logger.error(error as Error);
    }
  }

  private async write(): Promise<void> {
    // Load first. Otherwise an entry written before the file is read would be in the log twice.
    await this.load();
    while (this.unwritten.length > 0) {
      const next = this.unwritten;
      this.unwritten = [];
      await this.file?.append(next).catch(error => this.logger.error(error));
    }
    this.writing = undefined;
  }

  private trim(): void {
    if (this.entries.length > capacity) {
      this.entries = fittingActivity(this.entries, capacity, () => 1);
    }
  }
}
