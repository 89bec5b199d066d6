import type { SearchedFile } from './folderTree.ts';
import type { FileBytes } from './lineQuery.ts';
import { readInto } from './readInto.ts';

/** Files that were read to be searched together. */
export interface FileBatch extends FileBytes {
  readonly files: readonly FileName[];
}

/** A file, by the names that lead from the root to its folder, and its own. */
export interface FileName {
  readonly folder: readonly string[];
  readonly name: string;
}

/** A batch to which files are added, as long as its buffer has place for them. */
export class OpenBatch {
  private readonly buffer: Buffer;
  private readonly ends: number[] = [];
  private readonly files: FileName[] = [];
  private length = 0;

  constructor(buffer: Buffer) {
    this.buffer = buffer;
  }

  hasPlaceFor(size: number): boolean {
    return this.length + size < this.buffer.length && this.ends.length < maxFiles;
  }

  /** Reads a file for which there is place; answers how long it is. */
  add({ fd, size }: SearchedFile, file: FileName): number {
    const read = readInto(fd, this.buffer.subarray(this.length, this.length + size));
    this.ends.push(this.length + read);
    this.files.push(file);
    this.buffer[this.length + read] = lineFeed;
    this.length += read + 1;
    return read;
  }

  /** What was read. The buffer belongs to it from now on. */
  close(): FileBatch {
    const { ends, files } = this;
    return { bytes: this.buffer.subarray(0, this.length), ends, files };
  }
}

/** So many small ones that searching them takes no longer than a full buffer does. */
const maxFiles = 2000;
const lineFeed = 10;
