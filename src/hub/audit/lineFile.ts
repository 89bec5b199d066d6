import { closeSync, constants, fstatSync, openSync, readSync, writeFileSync } from 'node:fs';
import type { IDisposable } from '../../base/disposable.ts';
import { isSame } from '../../base/fileIdentity.ts';
import { HumanError } from '../../domain/sentence.ts';
import { lookAt } from '../../server/writing/identity.ts';

/** Writes all of it, or throws when a part may be written. */
export type WriteText = (fd: number, text: string) => void;

/**
 * A file that lines are appended to, by several processes too: each line is one write, in order,
 * and in the file before the next thing happens. One that was moved or removed is begun anew.
 */
export class LineFile implements IDisposable {
  private readonly path: string;
  private readonly write: WriteText;
  private fd: number | undefined;
  /** Whether the last line in it may lack its end, as a crash of the machine or a full disk leaves one. */
  private isUnsure = true;

  /** @throws the system's error, or a {@link HumanError} when it is no regular file. */
  constructor(path: string, write: WriteText = writeFileSync) {
    this.path = path;
    this.write = write;
    this.fd = openRegular(path);
  }

  /** @throws when the line is not there, or not as a whole; the next one begins a line anyway. */
  append(line: string): void {
    if (this.fd === undefined) {
      throw new HumanError('It was closed.');
    }
    const fd = this.fdFor(this.fd);
    const start = this.isUnsure && endsMidLine(fd) ? '\n' : '';
    this.isUnsure = true;
    this.write(fd, `${start}${line}`);
    this.isUnsure = false;
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
    return fd;
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

function endsMidLine(fd: number): boolean {
  const lineEnd = Buffer.from('\n');
  const last = Buffer.from(lineEnd);
  readSync(fd, last, 0, 1, Math.max(0, fstatSync(fd).size - 1));
  return !last.equals(lineEnd);
}
