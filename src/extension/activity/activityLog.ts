import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { Exposure } from '../../domain/exposure.ts';
import type { ActivityFile } from './activityFile.ts';

/** How many exposures are kept in memory. */
const capacity = 5000;

/** The newest exposures of this workspace, in this session and before. */
export class ActivityLog implements IDisposable {
  private readonly file: Pick<ActivityFile, 'append' | 'read'> | undefined;
  private readonly logger: Logger;
  private readonly didChange = new Emitter<void>();
  private exposures: Exposure[] = [];
  private unwritten: Exposure[] = [];
  private loading: Promise<void> | undefined;
  private writing: Promise<void> | undefined;

  readonly onDidChange: Event<void> = this.didChange.event;

  /** @param file `undefined` without a workspace: then nothing outlives the window. */
  constructor(file: Pick<ActivityFile, 'append' | 'read'> | undefined, logger: Logger) {
    this.file = file;
    this.logger = logger;
  }

  /** Oldest first. Of more than 5000, the newest. */
  get all(): readonly Exposure[] {
    return this.exposures;
  }

  /** Reads what earlier sessions wrote, once. Never rejects. */
  load(): Promise<void> {
    this.loading ??= this.read();
    return this.loading;
  }

  add(exposure: Exposure): void {
    this.exposures.push(exposure);
    this.unwritten.push(exposure);
    this.trim();
    this.didChange.fire();
    void this.flush();
  }

  /** Resolves when everything added so far is on disk, or was reported as lost. */
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
      this.exposures = [...earlier, ...this.exposures];
      this.trim();
      this.didChange.fire();
    } catch (error) {
      this.logger.error(error as Error);
    }
  }

  private async write(): Promise<void> {
    // An exposure written before the file was read would be read back, and be here twice.
    await this.load();
    while (this.unwritten.length > 0) {
      const next = this.unwritten;
      this.unwritten = [];
      await this.file?.append(next).catch(error => this.logger.error(error));
    }
    this.writing = undefined;
  }

  private trim(): void {
    this.exposures.splice(0, this.exposures.length - capacity);
  }
}
