import { closeSync } from 'node:fs';
import { attempt } from '../paths/openInside.ts';
import type { PinnedFolder } from '../paths/pins.ts';
import { readInto, type SearchedFile } from './folderTree.ts';
import type { FileBytes } from './lineSearch.ts';
import type { FolderFiles, Walk } from './search.ts';

/** Files larger than this, in bytes, are not searched: to read one must not hold up other calls. */
const maxFileSize = 10 * 1024 * 1024;

/** Up to which file a visit to a folder has come, and the size of that one when it did not fit. */
interface ReadStep {
  readonly next: number;
  readonly lacking?: number;
}

/**
 * Reads files in batches, in their order. Each is opened in its folder while that is pinned, so
 * that nothing outside of it is read.
 */
export class FileReader {
  private readonly search: Walk;
  private batch = new OpenBatch();

  constructor(search: Walk) {
    this.search = search;
  }

  /** Ends early when the time is over. The last batch may be empty. */
  async *read(source: AsyncIterable<FolderFiles>): AsyncGenerator<FileBatch> {
    const { slice } = this.search;
    for await (const from of source) {
      for (let next = 0; next < from.files.length && !slice.isOver; ) {
        const step = this.visit(from, next);
        if (step.lacking !== undefined) {
          yield this.batch.close();
          this.batch = new OpenBatch(step.lacking);
        }
        if (slice.isSpent) {
          await slice.pause();
        }
        next = step.next;
      }
    }
    yield this.batch.close();
  }

  private visit(from: FolderFiles, next: number): ReadStep {
    const { filter, counts } = this.search;
    const step = filter.tree.visit(from.folder, opened => this.fill(opened, from, next));
    counts.unreadable += step ? 0 : from.files.length - next;
    return step ?? { next: from.files.length };
  }

  /** Reads until the batch is full or it is time to pause, and at least one file. */
  private fill(opened: PinnedFolder, { folder, files }: FolderFiles, first: number): ReadStep {
    for (let next = first; next < files.length; next++) {
      const lacking = this.take(opened, { folder, name: files[next] ?? '' });
      if (lacking > 0) {
        return { next, lacking };
      }
      if (this.search.slice.isSpent) {
        return { next: next + 1 };
      }
    }
    return { next: files.length };
  }

  /** Adds a file to the batch, if it is to be searched; answers for how many bytes there is no place. */
  private take(opened: PinnedFolder, name: FileName): number {
    const file = this.search.filter.tree.open(opened, name.name);
    if (!file) {
      this.search.counts.unreadable += 1;
      return 0;
    }
    try {
      return this.add(file, name);
    } finally {
      closeSync(file.fd);
    }
  }

  private add(file: SearchedFile, name: FileName): number {
    if (file.size === 0 || file.size > maxFileSize) {
      return 0;
    }
    if (!this.batch.hasPlaceFor(file.size)) {
      return file.size + 1;
    }
    const read = attempt(() => this.batch.add(file, name));
    this.search.counts.unreadable += read === undefined ? 1 : 0;
    return 0;
  }
}

/** Files that were read to be searched together. */
export interface FileBatch extends FileBytes {
  readonly files: readonly FileName[];
}

/** A file, by the names that lead from the root to its folder, and its own. */
interface FileName {
  readonly folder: readonly string[];
  readonly name: string;
}

/** A batch to which files are added, as long as its buffer has place for them. */
class OpenBatch {
  private readonly buffer: Buffer;
  private readonly ends: number[] = [];
  private readonly files: FileName[] = [];
  private length = 0;

  /** @param needed has place for so many bytes at least. */
  constructor(needed = 0) {
    this.buffer = Buffer.allocUnsafeSlow(Math.max(needed, batchSize));
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

  /** The files that were read. */
  close(): FileBatch {
    const { ends, files } = this;
    return { bytes: this.buffer.subarray(0, this.length), ends, files };
  }
}

/** In bytes. */
const batchSize = 256 * 1024;
/** So many small ones that searching them takes no longer than a full buffer does. */
const maxFiles = 2000;
const lineFeed = 10;
