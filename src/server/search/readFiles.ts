import { closeSync } from 'node:fs';
import { attempt } from '../paths/openInside.ts';
import type { PinnedFolder } from '../paths/pins.ts';
import { readInto, type SearchedFile } from './folderTree.ts';
import type { FileBytes } from './lineSearch.ts';
import type { FolderFiles, Walk } from './search.ts';

/** The largest file that is searched, in bytes: reading a file must not delay other calls. */
const maxFileSize = 10 * 1024 * 1024;

/**
 * Reads files in batches, in their order. Opens each file in its pinned folder, so that nothing
 * outside is read. Ends early when the search's time is over. The last batch may be empty.
 */
export async function* readFiles(
  { filter: { tree }, slice, counts }: Walk,
  source: AsyncIterable<FolderFiles>,
): AsyncGenerator<FileBatch> {
  let batch = new OpenBatch();
  for await (const { folder, files } of source) {
    for (let next = 0; next < files.length && !slice.isOver; ) {
      // Takes at least one file, and goes on until the batch is full or a pause is due.
      const lacking = tree.visit(folder, opened => {
        do {
          const needed = take(opened, files[next] ?? '', folder);
          if (needed > 0) {
            return needed;
          }
          next += 1;
        } while (next < files.length && !slice.isSpent);
        return 0;
      });
      if (lacking === undefined) {
        counts.unreadable += files.length - next;
        break;
      }
      if (lacking > 0) {
        yield batch.close();
        batch = new OpenBatch(lacking);
      }
      await slice.next();
    }
  }
  yield batch.close();

  /** Adds a searchable file to the batch. Returns the size that a new batch needs for it, or 0. */
  function take(opened: PinnedFolder, name: string, folder: readonly string[]): number {
    const file = tree.open(opened, name);
    if (!file) {
      counts.unreadable += 1;
      return 0;
    }
    try {
      if (file.size === 0 || file.size > maxFileSize) {
        counts.unsearched += file.size === 0 ? 0 : 1;
        return 0;
      }
      if (!batch.hasPlaceFor(file.size)) {
        return file.size + 1;
      }
      const isAdded = attempt(() => batch.add(file, { folder, name }));
      counts.unreadable += isAdded === undefined ? 1 : 0;
      counts.unsearched += isAdded === false ? 1 : 0;
      return 0;
    } finally {
      closeSync(file.fd);
    }
  }
}

/** Files that were read together for one search. */
export interface FileBatch extends FileBytes {
  readonly files: readonly FileName[];
}

/** A file: the names from the root to its folder, and its own name. */
interface FileName {
  readonly folder: readonly string[];
  readonly name: string;
}

/** A batch that grows while its buffer has room. */
class OpenBatch {
  private readonly buffer: Buffer;
  private readonly ends: number[] = [];
  private readonly files: FileName[] = [];
  private length = 0;

  /** @param needed the least size of the buffer, in bytes. */
  constructor(needed = 0) {
    this.buffer = Buffer.allocUnsafeSlow(Math.max(needed, batchSize));
  }

  hasPlaceFor(size: number): boolean {
    return this.length + size < this.buffer.length && this.ends.length < maxFiles;
  }

  /** Reads a file that fits into the batch. `false`: not added, because it begins like UTF-16. */
  add({ fd, size }: SearchedFile, file: FileName): boolean {
    const bytes = this.buffer.subarray(this.length, this.length + size);
    const read = readInto(fd, bytes);
    if (read > 1 && [0xfeff, 0xfffe].includes(bytes.readUInt16BE())) {
      return false;
    }
    this.ends.push(this.length + read);
    this.files.push(file);
    this.buffer[this.length + read] = lineFeed;
    this.length += read + 1;
    return true;
  }

  /** The files that were read. */
  close(): FileBatch {
    const { ends, files } = this;
    return { bytes: this.buffer.subarray(0, this.length), ends, files };
  }
}

/** The size of a batch in bytes. */
const batchSize = 256 * 1024;
/** The most files in a batch. Reading this many tiny files takes as long as a full buffer. */
const maxFiles = 2000;
const lineFeed = 10;
