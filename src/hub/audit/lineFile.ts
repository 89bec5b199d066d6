import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { IDisposable } from '../../base/disposable.ts';
import { isSame } from '../../base/fileIdentity.ts';
import { HumanError } from '../../domain/sentence.ts';
import { lookAt } from '../../server/writing/identity.ts';

/** Writes from the offset on, and tells how many bytes that were. */
export type WriteBytes = (fd: number, bytes: Uint8Array, offset: number) => number;

/**
 * A file that lines are appended to, by several processes too: each line is one write, in order,
 * and in the file before the next thing happens. One that was moved or removed is begun anew.
 */
export class LineFile implements IDisposable {
  private readonly path: string;
  private readonly write: WriteBytes;
  private fd: number | undefined;
  private isMidLine: boolean;

  /** @throws the system's error, or a {@link HumanError} when it is no regular file. */
  constructor(path: string, write: WriteBytes) {
    this.path = path;
    this.write = write;
    this.fd = openRegular(path);
    this.isMidLine = endsMidLine(this.fd);
  }

  /** @throws when the line is not there, or not as a whole; the next one begins a line anyway. */
  append(line: string): void {
    if (this.fd === undefined) {
      throw new HumanError('It was closed.');
    }
    const fd = this.fdFor(this.fd);
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

  /** The descriptor of what the path leads to now. */
  private fdFor(held: number): number {
    if (isSame(fstatSync(held, { bigint: true }), lookAt(this.path))) {
      return held;
    }
    const fd = openRegular(this.path);
    closeSync(held);
    this.fd = fd;
    this.isMidLine = false;
    return fd;
  }

  private writeAll(fd: number, bytes: Buffer): void {
    let written = 0;
    while (written < bytes.length) {
      written += this.write(fd, bytes, written);
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
