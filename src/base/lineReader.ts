import { type DroppedBytes, GatheredBytes } from './gatheredBytes.ts';

/**
 * Cuts a byte stream into lines. A line over the limit is dropped while it comes in, told of once,
 * and the lines after it arrive as if it had not been there.
 */
export class LineReader {
  private readonly limit: number;
  private readonly onLine: (line: Buffer) => void;
  private readonly onLong: (line: DroppedBytes) => void;
  private readonly gathered: GatheredBytes;

  /** The bytes of a line are without its end, and are its own only until `onLine` returns. */
  constructor(
    limit: number,
    onLine: (line: Buffer) => void,
    onLong: (line: DroppedBytes) => void = () => {},
  ) {
    this.limit = limit;
    this.gathered = new GatheredBytes(limit);
    this.onLine = onLine;
    this.onLong = onLong;
  }

  /** How many bytes have come of a line that has not ended. */
  get pending(): number {
    return this.gathered.length;
  }

  /** How many lines ended in this chunk. */
  push(chunk: Buffer): number {
    let lines = 0;
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.finish(chunk.subarray(start, end));
      start = end + 1;
      lines += 1;
    }
    this.gathered.add(chunk.subarray(start));
    return lines;
  }

  /** The stream is over: what came after the last line end is a line, too. */
  end(): void {
    if (this.pending > 0) {
      this.finish(Buffer.alloc(0));
    }
  }

  private finish(rest: Buffer): void {
    // Most lines come in one piece, and need no copy.
    if (this.pending === 0 && rest.length <= this.limit) {
      this.onLine(withoutReturn(rest));
      return;
    }
    this.gathered.add(rest);
    const { bytes, dropped } = this.gathered;
    this.gathered.clear();
    if (dropped) {
      this.onLong(dropped);
    } else {
      this.onLine(withoutReturn(bytes));
    }
  }
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === 13 ? line.subarray(0, -1) : line;
}
