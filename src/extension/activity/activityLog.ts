import * as vscode from 'vscode';
import type { IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Exposure } from '../../domain/exposure.ts';
import type { ActivityFile } from './activityFile.ts';

/** Every exposure of this workspace, in this session and before. */
export class ActivityLog implements IDisposable {
  private readonly file: ActivityFile | undefined;
  private readonly logger: Logger;
  private readonly didChange = new vscode.EventEmitter<void>();
  private readonly exposures: Exposure[] = [];
  private unwritten: Exposure[] = [];
  private writing: Promise<void> | undefined;

  readonly onDidChange = this.didChange.event;

  /** @param file `undefined` without a workspace: then nothing outlives the window. */
  constructor(file: ActivityFile | undefined, logger: Logger) {
    this.file = file;
    this.logger = logger;
  }

  /** Oldest first. */
  get all(): readonly Exposure[] {
    return this.exposures;
  }

  /** Reads what earlier sessions wrote. */
  async load(): Promise<void> {
    try {
      this.exposures.unshift(...((await this.file?.read()) ?? []));
      this.didChange.fire();
    } catch (error) {
      this.logger.error(error as Error);
    }
  }

  add(exposure: Exposure): void {
    this.exposures.push(exposure);
    this.unwritten.push(exposure);
    this.didChange.fire();
    void this.flush();
  }

  /** Settles when everything added so far is on disk, or was reported as lost. */
  flush(): Promise<void> {
    this.writing ??= this.write().finally(() => {
      this.writing = undefined;
    });
    return this.writing;
  }

  dispose(): void {
    this.didChange.dispose();
  }

  private async write(): Promise<void> {
    while (this.file && this.unwritten.length > 0) {
      const next = this.unwritten;
      this.unwritten = [];
      await this.file.append(next).catch(error => this.logger.error(error));
    }
  }
}
