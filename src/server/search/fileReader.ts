import { closeSync } from 'node:fs';
import { attempt } from '../paths/openInside.ts';
import type { PinnedFolder } from '../paths/pins.ts';
import type { FolderTree, SearchedFile } from './folderTree.ts';
import { type FileBatch, type FileName, OpenBatch } from './openBatch.ts';
import type { Pace } from './pace.ts';
import type { FolderFiles, Tally } from './walk.ts';

/** Files larger than this, in bytes, are not searched: to read one must not hold up other calls. */
export const maxFileSize = 10 * 1024 * 1024;

/** What reading takes, apart from the files. */
export interface FileReaderParts {
  readonly tree: FolderTree;
  readonly pace: Pace;
  readonly tally: Tally;
  /** A buffer of at least that size which nobody uses. */
  readonly takeBuffer: (size: number) => Buffer;
}

/** Up to which file a visit to a folder has come, and the size of that one when it did not fit. */
interface Step {
  readonly next: number;
  readonly lacking?: number;
}

/**
 * Reads files in batches, in their order. Each is opened in its folder while that is pinned, so
 * that nothing outside of it is read.
 */
export class FileReader {
  private readonly parts: FileReaderParts;
  private batch: OpenBatch;

  constructor(parts: FileReaderParts) {
    this.parts = parts;
    this.batch = new OpenBatch(parts.takeBuffer(0));
  }

  /** Ends early when the time is over. The last batch may be empty. */
  async *read(source: AsyncIterable<FolderFiles>): AsyncGenerator<FileBatch> {
    const { pace, takeBuffer } = this.parts;
    for await (const from of source) {
      for (let next = 0; next < from.files.length && !pace.isOver; ) {
        const step = this.visit(from, next);
        if (step.lacking !== undefined) {
          yield this.batch.close();
          this.batch = new OpenBatch(takeBuffer(step.lacking));
        }
        if (pace.isSpent) {
          await pace.pause();
        }
        next = step.next;
      }
    }
    yield this.batch.close();
  }

  private visit(from: FolderFiles, next: number): Step {
    const { tree, tally } = this.parts;
    const step = tree.visit(from.folder, opened => this.fill(opened, from, next));
    tally.unreadable += step ? 0 : from.files.length - next;
    return step ?? { next: from.files.length };
  }

  /** Reads until the batch is full or it is time to pause, and at least one file. */
  private fill(opened: PinnedFolder, { folder, files }: FolderFiles, first: number): Step {
    for (let next = first; next < files.length; next++) {
      const lacking = this.take(opened, { folder, name: files[next] ?? '' });
      if (lacking > 0) {
        return { next, lacking };
      }
      if (this.parts.pace.isSpent) {
        return { next: next + 1 };
      }
    }
    return { next: files.length };
  }

  /** Adds a file to the batch, if it is to be searched; answers for how many bytes there is no place. */
  private take(opened: PinnedFolder, name: FileName): number {
    const file = this.parts.tree.open(opened, name.name);
    if (!file) {
      this.parts.tally.unreadable += 1;
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
    this.parts.tally.unreadable += read === undefined ? 1 : 0;
    return 0;
  }
}
