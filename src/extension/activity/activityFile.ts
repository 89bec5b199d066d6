import { appendFile, chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Activity, addActivity, fittingActivity } from '../../domain/activity.ts';
import { jsonLine } from '../../domain/printable.ts';
import { removeFile, replacePrivate, unless } from '../privateFolder.ts';

const capacity = 1024 * 1024;

/**
 * The activity as JSON Lines on disk, at most one megabyte in a file. `activityLog.jsonl` has the
 * newest entries. When it is full, the entries of both files move to `activityLog.1.jsonl`, as far
 * as they fit. Nothing checks entries that are read, so another format needs other file names.
 */
export class ActivityFile {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Adds the entries in order, and moves entries to the older file when needed.
   *
   * @throws when an entry is longer than a file may be. The other entries are written. The long
   *   entry is not cut, because part of an exposure would hide which folders were shared.
   */
  async append(entries: readonly Activity[]): Promise<void> {
    const lines = entries.map(toJsonLine);
    const fitting = lines.filter(line => Buffer.byteLength(line) <= capacity);
    await this.makePrivate();
    await this.appendLines(fitting);
    if (fitting.length < lines.length) {
      const count = lines.length - fitting.length;
      throw new Error(
        `Entries left out of the activity file, because they are too long: ${count}.`,
      );
    }
  }

  /** Returns all entries, the oldest first. Skips a line that is incomplete after a crash. */
  async read(): Promise<Activity[]> {
    const texts = await Promise.all(
      [this.older, this.newest].map(path => readFile(path, 'utf8').catch(unless('ENOENT'))),
    );
    return texts.flatMap(text => (text ?? '').split('\n')).flatMap(fromJsonLine);
  }

  /** Makes the files private. Failures are ignored, because some disks have no file modes. */
  private async makePrivate(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const files = [this.older, this.newest].map(path => chmod(path, 0o600));
    await Promise.allSettled([chmod(this.folder, 0o700), ...files]);
  }

  private async appendLines(lines: readonly string[]): Promise<void> {
    let size = (await stat(this.newest).catch(unless('ENOENT')))?.size ?? 0;
    let chunk = '';
    for (const line of lines) {
      const length = Buffer.byteLength(line);
      if (size + length > capacity) {
        await appendFile(this.newest, chunk, { mode: 0o600 });
        replacePrivate(this.older, condensed(await this.read()));
        removeFile(this.newest);
        chunk = '';
        size = 0;
      }
      chunk += line;
      size += length;
    }
    await appendFile(this.newest, chunk, { mode: 0o600 });
  }

  private get newest(): string {
    return join(this.folder, 'activityLog.jsonl');
  }

  private get older(): string {
    return join(this.folder, 'activityLog.1.jsonl');
  }
}

/** One line of JSON for each entry, with the time in ISO 8601. */
export function toJsonLines(entries: readonly Activity[]): string {
  return entries.map(toJsonLine).join('');
}

function condensed(entries: readonly Activity[]): string {
  const all: Activity[] = [];
  addActivity(all, ...entries);
  return toJsonLines(fittingActivity(all, capacity, entry => Buffer.byteLength(toJsonLine(entry))));
}

function toJsonLine({ at, ...rest }: Activity): string {
  return `${jsonLine({ time: new Date(at).toISOString(), ...rest })}\n`;
}

function fromJsonLine(line: string): Activity[] {
  try {
    const { time, ...rest } = JSON.parse(line);
    const at = Date.parse(time);
    return Number.isFinite(at) ? [{ at, ...rest }] : [];
  } catch {
    return [];
  }
}
