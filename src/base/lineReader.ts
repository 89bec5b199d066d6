/** The most bytes of one message, whoever sends it, in a line or over HTTP. Longer ones go unread. */
export const longestMessage = 8 * 1024 * 1024;

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

  /** The number of bytes of a line that has not ended. */
  get pending(): number {
    return this.gathered.length;
  }

  /** Takes a chunk, and answers how many lines ended in it. */
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

  /** The stream is over: the rest after the last line end is a line, too. */
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

/** The bytes of a line with its end, which are no longer those that were given. */
export function withLineEnd(line: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafe(line.length + 1);
  whole.set(line);
  whole[line.length] = 10;
  return whole;
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === 13 ? line.subarray(0, -1) : line;
}

/** Room for the rest of most chunks; it is kept for the next. */
const smallRoom = 64 * 1024;
/** The number of bytes that are kept of either end of dropped ones. */
const edge = 512;

/** The remains of dropped bytes: their number, and those at either end. */
export interface DroppedBytes {
  readonly length: number;
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** Bytes that come in parts, and are put together as they come. Of too many, only the ends are kept. */
export class GatheredBytes {
  private readonly limit: number;
  private room = Buffer.alloc(0);
  private count = 0;
  private ends: Ends | undefined;

  /** @param limit how many are kept: no more room is made than for them. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** The number of bytes that have come. */
  get length(): number {
    return this.count;
  }

  /** All bytes that have come, unless they were dropped. They are the caller's only until more come. */
  get bytes(): Buffer {
    return this.ends ? Buffer.alloc(0) : this.room.subarray(0, this.count);
  }

  /** The remains of the bytes, when they were dropped. */
  get dropped(): DroppedBytes | undefined {
    return this.ends && { ...this.ends, length: this.count };
  }

  /** The same bytes, which are the caller's from now on; they are forgotten here. */
  take(): Buffer {
    const bytes = this.room.length > smallRoom ? this.bytes : Buffer.from(this.bytes);
    this.clear();
    return bytes;
  }

  add(part: Uint8Array): void {
    if (this.count + part.length > this.limit) {
      this.drop();
    }
    if (this.ends) {
      this.ends.add(part);
    } else {
      this.makeRoom(this.count + part.length);
      this.room.set(part, this.count);
    }
    this.count += part.length;
  }

  /** Keeps no more than the ends of the bytes, those that still come included. */
  drop(): void {
    if (!this.ends) {
      this.ends = new Ends(this.bytes);
      this.giveBackRoom();
    }
  }

  /** Forgets all bytes until now. */
  clear(): void {
    this.count = 0;
    this.ends = undefined;
    this.giveBackRoom();
  }

  private giveBackRoom(): void {
    if (this.room.length > smallRoom) {
      this.room = Buffer.alloc(0);
    }
  }

  /** Doubles the room, so that bytes that come one by one cost no more than those in few parts. */
  private makeRoom(needed: number): void {
    if (needed > this.room.length) {
      const wanted = Math.max(smallRoom, needed, this.room.length * 2);
      const room = Buffer.allocUnsafe(Math.max(needed, Math.min(wanted, this.limit)));
      this.room.copy(room);
      this.room = room;
    }
  }
}

/** The remains of these bytes. */
export function droppedBytes(bytes: Buffer): DroppedBytes {
  return { ...new Ends(bytes), length: bytes.length };
}

/** The two ends of bytes whose middle is forgotten. They share no memory with what was added. */
class Ends {
  head: Buffer = Buffer.alloc(0);
  tail: Buffer = Buffer.alloc(0);

  constructor(start: Uint8Array) {
    this.add(start);
  }

  add(part: Uint8Array): void {
    this.head = Buffer.concat([this.head, part.subarray(0, edge)]).subarray(0, edge);
    this.tail = Buffer.concat([this.tail, part.subarray(-edge)]).subarray(-edge);
  }
}
