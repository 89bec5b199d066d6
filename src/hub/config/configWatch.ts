import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { After } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';

/** How a {@link ConfigWatch} looks at its file. */
interface WatchParts {
  readonly after: After;
  /** From one look to the next, in milliseconds. */
  readonly interval: number;
  /** The text that was read before the watch began. */
  readonly known: ConfigText;
  readonly onChange: (read: ConfigText) => void;
}

/**
 * Tells of a file's new text, also when the file is replaced, removed, or comes back.
 *
 * It polls, which works for files on a network, too. A text counts once it was read twice, one
 * interval apart: before that it may be half written.
 *
 * From the text to servers, the next files are `config/parseConfig`, `hubConfig/hubConfig` and
 * `config/configFile`.
 */
export class ConfigWatch implements IDisposable {
  private readonly path: string;
  private readonly parts: WatchParts;
  private stamp: string | undefined;
  private told: string;
  private seen: string;
  private next: IDisposable;
  private isDisposed = false;

  constructor(path: string, parts: WatchParts) {
    this.path = path;
    this.parts = parts;
    this.told = contentOf(parts.known);
    this.seen = this.told;
    this.next = this.lookLater();
  }

  dispose(): void {
    this.isDisposed = true;
    this.next.dispose();
  }

  private lookLater(): IDisposable {
    return this.parts.after(this.parts.interval, () => void this.look());
  }

  private async look(): Promise<void> {
    const read = (await this.mayHaveChanged()) ? await readConfigText(this.path) : undefined;
    if (this.isDisposed) {
      return;
    }
    // Before `take`, so that the file is watched on if a listener throws.
    this.next = this.lookLater();
    if (read) {
      this.take(read);
    }
  }

  private async mayHaveChanged(): Promise<boolean> {
    const stamp = await stampOf(this.path);
    const isOther = stamp !== this.stamp;
    this.stamp = stamp;
    return isOther || this.seen !== this.told;
  }

  private take(read: ConfigText): void {
    const content = contentOf(read);
    const isQuiet = content === this.seen;
    this.seen = content;
    if (isQuiet && content !== this.told) {
      this.told = content;
      this.parts.onChange(read);
    }
  }
}

function contentOf(read: ConfigText): string {
  return read.ok ? `+${read.text}` : `-${read.reason}`;
}

/** The text of a configuration file without its byte order mark, or why there is none. */
export type ConfigText = { readonly ok: true; readonly text: string } | NoConfigText;

/** Why a configuration file has no text. */
export interface NoConfigText {
  readonly ok: false;
  readonly isMissing: boolean;
  /** A clause that follows the name of the file. */
  readonly reason: string;
}

const maxBytes = 1024 * 1024;

/** Reads the file, of at most 1 MB. Never throws. */
export async function readConfigText(path: string): Promise<ConfigText> {
  try {
    // Without waiting: if the file is a pipe, nobody may ever write to it.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return await textOf(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    return unread(error);
  }
}

async function textOf(file: FileHandle): Promise<ConfigText> {
  const stats = await file.stat();
  if (!stats.isFile()) {
    return refused('is no file.');
  }
  const bytes = await firstBytes(file, maxBytes + 1);
  if (bytes.length > maxBytes) {
    return refused('is larger than 1 MB.');
  }
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return refused('is not UTF-8.'); // The decoder throws for nothing else.
  }
}

/** Regardless of the size that the system tells: the file may be growing. */
async function firstBytes(file: FileHandle, most: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(most);
  let length = 0;
  while (length < most) {
    const { bytesRead } = await file.read(bytes, length, most - length, length);
    if (bytesRead === 0) {
      break;
    }
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

function unread(error: unknown): ConfigText {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? { ok: false, isMissing: true, reason: 'is not there.' }
    : refused(`cannot be read (${code}).`);
}

function refused(reason: string): ConfigText {
  return { ok: false, isMissing: false, reason };
}

/**
 * A text that differs when the file may have changed: its inode, size and times, or the reason why it
 * can't be looked at. Follows links, and never throws.
 */
async function stampOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  }
}
