import { FileReader } from './fileReader.ts';
import type { MatchCollector } from './matchCollector.ts';
import type { Matched, Matcher } from './matcher.ts';
import type { FileBatch } from './openBatch.ts';
import type { Search } from './search.ts';
import type { FolderFiles } from './walk.ts';

/** Why no more files were searched: that was all, or all that fits, or the matcher gave up. */
export type MatchEnd = 'all' | 'full' | 'slow' | 'failed';

/** Reads files and collects what matches in them. While some are searched, the next are read. */
export async function matchFiles(
  { territory, pace, tally }: Search,
  files: AsyncIterable<FolderFiles>,
  matcher: Matcher,
  collector: MatchCollector,
): Promise<MatchEnd> {
  const buffers = new Buffers();
  const takeBuffer = (size: number) => buffers.take(size);
  const reader = new FileReader({ tree: territory.tree, pace, tally, takeBuffer });
  const collect = async (batch: FileBatch, matched: Matched): Promise<MatchEnd> => {
    if (!matched.ok) {
      return matched.reason;
    }
    collector.add(batch, matched.found);
    buffers.giveBack(matched.bytes);
    return collector.hasMore ? 'full' : 'all';
  };
  let previous: Promise<MatchEnd> = Promise.resolve('all');
  for await (const batch of reader.read(files)) {
    const matched = matcher.match(batch);
    const end = await previous;
    if (end !== 'all') {
      return end;
    }
    previous = matched.then(found => collect(batch, found));
  }
  return previous;
}

/** The buffers of batches, used again and again: to make new ones takes time and memory. */
class Buffers {
  private readonly free: Buffer[] = [];

  take(size: number): Buffer {
    return size > batchSize ? Buffer.alloc(size) : (this.free.pop() ?? Buffer.alloc(batchSize));
  }

  giveBack({ buffer }: Buffer): void {
    if (buffer.byteLength === batchSize) {
      this.free.push(Buffer.from(buffer));
    }
  }
}

/** In bytes. */
const batchSize = 256 * 1024;
