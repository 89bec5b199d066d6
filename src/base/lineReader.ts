import { GatheredBytes } from './gatheredBytes.ts';

/** A line that was too long to be kept: how many bytes it had, and those it began and ended with. */
export interface LongLine {
  readonly length: number;
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** How much is kept of either end of a line that is too long. */
const edge = 512;

/**
 * Cuts a byte stream into lines. A line over the limit is dropped while it comes in, told of once,
 * and the lines after it arrive as if it had not been there.
 */
export class LineReader {
  private readonly limit: number;
  private readonly onLine: (line: Buffer) => void;
  private readonly onLong: (line: LongLine) => void;
  private readonly gathered: GatheredBytes;
  private length = 0;
  private ends: Ends | undefined;

  /** The bytes of a line are without its end, and are its own only until `onLine` returns. */
  constructor(
    limit: number,
    onLine: (line: Buffer) => void,
    onLong: (line: LongLine) => void = () => {},
  ) {
    this.limit = limit;
    this.gathered = new GatheredBytes(limit);
    this.onLine = onLine;
    this.onLong = onLong;
  }

  /** How many bytes have come of a line that has not ended. */
  get pending(): number {
    return this.length;
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
    this.keep(chunk.subarray(start));
    return lines;
  }

  /** The stream is over: what came after the last line end is a line, too. */
  end(): void {
    if (this.length > 0) {
      this.finish(Buffer.alloc(0));
    }
  }

  private finish(rest: Buffer): void {
    // Most lines come in one piece, and need no copy.
    if (this.length === 0 && rest.length <= this.limit) {
      this.onLine(withoutReturn(rest));
      return;
    }
    this.keep(rest);
    const { length, ends } = this;
    const { bytes } = this.gathered;
    this.gathered.clear();
    this.length = 0;
    this.ends = undefined;
    if (ends) {
      this.onLong({ length, head: ends.head, tail: ends.tail });
    } else {
      this.onLine(withoutReturn(bytes));
    }
  }

  private keep(part: Buffer): void {
    this.length += part.length;
    if (this.length <= this.limit) {
      this.gathered.add(part);
      return;
    }
    if (!this.ends) {
      this.ends = new Ends(this.gathered.bytes);
      this.gathered.clear();
    }
    this.ends.add(part);
  }
}

/** The two ends of a line whose middle is forgotten. They share no memory with what was added. */
class Ends {
  head: Buffer = Buffer.alloc(0);
  tail: Buffer = Buffer.alloc(0);

  constructor(start: Buffer) {
    this.add(start);
  }

  add(part: Buffer): void {
    if (this.head.length < edge) {
      this.head = Buffer.concat([this.head, part.subarray(0, edge - this.head.length)]);
    }
    this.tail = Buffer.concat([this.tail, part.subarray(-edge)]).subarray(-edge);
  }
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === 13 ? line.subarray(0, -1) : line;
}
