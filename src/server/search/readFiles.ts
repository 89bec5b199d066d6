import { closeSync } from 'node:fs';
import { attempt } from '../paths/openInside.ts';
import type { PinnedFolder } from '../paths/pins.ts';
import { readInto, type SearchedFile } from './folderTree.ts';
import type { FileBytes } from './lineSearch.ts';
import type { FolderFiles, Walk } from './search.ts';

/** Files larger than this, in bytes, are not searched: to read one must not hold up other calls. */
const maxFileSize = 10 * 1024 * 1024;

/**
 * Reads files in batches, in their order. Each is opened in its folder while that is pinned, so
 * that nothing outside of it is read. Ends early when the time is over. The last batch may be empty.
 */
export async function* readFiles(
  { filter: { tree }, slice, counts }: Walk,
  source: AsyncIterable<FolderFiles>,
): AsyncGenerator<FileBatch> {
  let batch = new OpenBatch();
  for await (const { folder, files } of source) {
    for (let next = 0; next < files.length && !slice.isOver; ) {
      // Until the batch is full or it is time to pause, and at least one file.
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
      if (slice.isSpent) {
        await slice.pause();
      }
    }
  }
  yield batch.close();

  /** Adds a file to the batch, if it is to be searched; answers for how many bytes there is no place. */
  function take(opened: PinnedFolder, name: string, folder: readonly string[]): number {
    const file = tree.open(opened, name);
    if (!file) {
      counts.unreadable += 1;
      return 0;
    }
    try {
      if (file.size === 0 || file.size > maxFileSize) {
        return 0;
      }
      if (!batch.hasPlaceFor(file.size)) {
        return file.size + 1;
      }
      const read = attempt(() => batch.add(file, { folder, name }));
      counts.unreadable += read === undefined ? 1 : 0;
      return 0;
    } finally {
      closeSync(file.fd);
    }
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
