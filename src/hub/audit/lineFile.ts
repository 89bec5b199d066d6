import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { whileBusy } from '../../base/busyFile.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { isSame } from '../../base/fileIdentity.ts';
import { HumanError } from '../../domain/sentence.ts';
import { lookAt } from '../../server/writing/identity.ts';
import { codeOf } from '../../server/writing/reasons.ts';

export interface LineFileOptions {
  /** In bytes. A file that would grow beyond it is set aside first. */
  readonly capacity: number;
  /** How many files that were set aside are kept. */
  readonly kept: number;
  /** Writes from the offset on, and tells how many bytes that were. */
  readonly write: (fd: number, bytes: Uint8Array, offset: number) => number;
  /** Is told, once for each file, that it has twice its capacity because it can't be set aside. */
  readonly onStuck: () => void;
}

/**
 * A file that lines are appended to, by several processes too: each line is one write, in order,
 * and in the file before the next thing happens. A full one is set aside as FILE.1.
 */
export class LineFile implements IDisposable {
  private readonly path: string;
  private readonly options: LineFileOptions;
  private fd: number | undefined;
  private isMidLine: boolean;
  /** The size at which it is set aside: more than its capacity after that did not go. */
  private most: number;
  private isStuck = false;

  /** @throws the system's error, or a {@link HumanError} when it is no regular file. */
  constructor(path: string, options: LineFileOptions) {
    this.path = path;
    this.options = options;
    this.most = options.capacity;
    this.fd = openRegular(path);
    this.isMidLine = endsMidLine(this.fd);
  }

  /** @throws when the line is not there, or not as a whole; the next one begins a line anyway. */
  append(line: string): void {
    if (this.fd === undefined) {
      throw new HumanError('It was closed.');
    }
    const fd = this.fdFor(this.fd, Buffer.byteLength(line));
    this.writeAll(fd, Buffer.from(this.isMidLine ? `\n${line}` : line));
  }

  /** Whether this is the file that another path leads to. */
  isAt(path: string): boolean {
    const there = statSync(path, { bigint: true, throwIfNoEntry: false });
    return this.fd !== undefined && isSame(fstatSync(this.fd, { bigint: true }), there);
  }

  dispose(): void {
    if (this.fd !== undefined) {
      closeSync(this.fd);
      this.fd = undefined;
    }
  }

  /** The descriptor of what the path leads to now, with room for so many bytes. */
  private fdFor(held: number, length: number): number {
    let fd = held;
    let stats = fstatSync(fd, { bigint: true });
    if (!isSame(stats, lookAt(this.path))) {
      fd = this.reopen(fd);
      stats = fstatSync(fd, { bigint: true });
    }
    const size = Number(stats.size);
    if (size === 0 || size + length <= this.most) {
      return fd;
    }
    if (setAside(this.path, this.options.kept, () => isSame(stats, lookAt(this.path)))) {
      return this.reopen(fd);
    }
    this.postpone(size);
    return fd;
  }

  private postpone(size: number): void {
    const { capacity, onStuck } = this.options;
    this.most = size + capacity / 10;
    if (size >= 2 * capacity && !this.isStuck) {
      this.isStuck = true;
      onStuck();
    }
  }

  private reopen(held: number): number {
    const fd = openRegular(this.path);
    closeSync(held);
    this.fd = fd;
    this.isMidLine = false;
    this.isStuck = false;
    this.most = this.options.capacity;
    return fd;
  }

  private writeAll(fd: number, bytes: Buffer): void {
    let written = 0;
    while (written < bytes.length) {
      written += this.options.write(fd, bytes, written);
      this.isMidLine = bytes[written - 1] !== lineEnd;
    }
  }
}

// Never through a link, which could be laid there to have another file written; and never waiting
// for somebody to read from a pipe.
const flags =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOCTTY ?? 0);

function openRegular(path: string): number {
  const fd = openSync(path, flags, 0o600);
  if (!fstatSync(fd).isFile()) {
    closeSync(fd);
    throw new HumanError('It is no regular file.');
  }
  return fd;
}

/** Whether a line in it was never ended, as a crash of the machine or a full disk may leave one. */
function endsMidLine(fd: number): boolean {
  const last = Buffer.of(lineEnd);
  readSync(fd, last, 0, 1, Math.max(0, fstatSync(fd).size - 1));
  return last[0] !== lineEnd;
}

/** The byte of a line feed. */
const lineEnd = 0x0a;

/** In milliseconds. Moving a few files takes far less: who holds a lock for longer has died. */
const longestLock = 60_000;

/**
 * Moves a full file out of the way: FILE becomes FILE.1, which becomes FILE.2 and so on, and the
 * oldest of `kept` is dropped. One process at a time does so, and only if `isDue` holds then.
 *
 * `false`: not now, because another process is doing it or the system refuses, as some do while a
 * file is open. Then everything is where it was, or leaves one number free.
 */
export function setAside(file: string, kept: number, isDue: () => boolean): boolean {
  try {
    return whileLocked(`${file}.lock`, () => {
      if (isDue()) {
        moveUp(file, kept);
      }
    });
  } catch (error) {
    if (codeOf(error) === undefined) {
      throw error;
    }
    return false;
  }
}

/** Only as far as the first free number, such as the one that a crash in the middle leaves. */
function moveUp(file: string, kept: number): void {
  const names = [file, ...Array.from({ length: kept }, (_, index) => `${file}.${index + 1}`)];
  const free = names.findIndex((name, index) => index > 0 && !existsSync(name));
  const moving = names.slice(0, free === -1 ? kept : free);
  for (const [index, name] of [...moving.entries()].reverse()) {
    whileBusy(() => renameSync(name, names[index + 1] ?? name));
  }
}

function whileLocked(lock: string, run: () => void): boolean {
  if (!isFree(lock)) {
    return false;
  }
  try {
    run();
  } finally {
    rmSync(lock, { force: true });
  }
  return true;
}

/**
 * Takes the lock unless another process has it. Anything that a process left behind in its place is
 * taken away for the next time, unless it is a folder with something in it.
 */
function isFree(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch {
    const found = lstatSync(lock, { throwIfNoEntry: false });
    if (found && isLeftBehind(found)) {
      if (found.isDirectory()) {
        rmdirSync(lock);
      } else {
        rmSync(lock, { force: true });
      }
    }
    return false;
  }
}

function isLeftBehind({ mtimeMs }: Stats): boolean {
  return Math.abs(Date.now() - mtimeMs) > longestLock;
}
