/** The longest message in bytes, in a line or over HTTP. Longer messages are not read. */
export const longestMessage = 8 * 1024 * 1024;

/**
 * Cuts a byte stream into lines. Does not keep a line longer than `limit` bytes: once the line
 * ends, `onLong` gets facts about it. The lines after it arrive as usual.
 */
export class LineReader {
  private readonly limit: number;
  private readonly onLine: (line: Buffer) => void;
  private readonly onLong: (line: DroppedBytes) => void;
  private readonly gathered: GatheredBytes;

  /** `onLine` gets each line without its end. The bytes are valid only until `onLine` returns. */
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

  /** The number of bytes of the unfinished line. */
  get pending(): number {
    return this.gathered.length;
  }

  /** Takes a chunk, and returns how many lines ended in it. */
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

  /** Ends the stream. The bytes after the last line end count as a line. */
  end(): void {
    if (this.pending > 0) {
      this.finish(Buffer.alloc(0));
    }
  }

  private finish(rest: Buffer): void {
    // Most lines come in one piece and need no copy.
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

/** A copy of the line's bytes with a line end. */
export function withLineEnd(line: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafe(line.length + 1);
  whole.set(line);
  whole[line.length] = 10;
  return whole;
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === 13 ? line.subarray(0, -1) : line;
}

/** The memory that stays reserved for further bytes, in bytes. Most chunks fit into it. */
const smallRoom = 64 * 1024;
/** How many bytes of a dropped line are kept from its start, and how many from its end. */
const edge = 512;

/** The facts about dropped bytes: how many there were, and the first and last of them. */
export interface DroppedBytes {
  readonly length: number;
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** Gathers bytes that come in parts. Above the limit, keeps only the first and the last bytes. */
export class GatheredBytes {
  private readonly limit: number;
  private room = Buffer.alloc(0);
  private count = 0;
  private ends: Ends | undefined;

  /** @param limit the most bytes that are kept. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** The number of bytes that have come. */
  get length(): number {
    return this.count;
  }

  /** All bytes so far, valid only until more bytes come. Empty if the bytes were dropped. */
  get bytes(): Buffer {
    return this.ends ? Buffer.alloc(0) : this.room.subarray(0, this.count);
  }

  /** The facts about dropped bytes; `undefined` while all bytes are kept. */
  get dropped(): DroppedBytes | undefined {
    return this.ends && { ...this.ends, length: this.count };
  }

  add(part: Uint8Array): void {
    if (!this.ends && this.count + part.length > this.limit) {
      this.ends = new Ends(this.bytes);
      this.giveBackRoom();
    }
    if (this.ends) {
      this.ends.add(part);
    } else {
      this.makeRoom(this.count + part.length);
      this.room.set(part, this.count);
    }
    this.count += part.length;
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

  /** Doubles the memory, so that many small parts take no more time than few large parts. */
  private makeRoom(needed: number): void {
    if (needed > this.room.length) {
      const wanted = Math.max(smallRoom, needed, this.room.length * 2);
      const room = Buffer.allocUnsafe(Math.max(needed, Math.min(wanted, this.limit)));
      this.room.copy(room);
      this.room = room;
    }
  }
}

/** Returns the facts that the reader would keep of these bytes if it dropped them. */
export function droppedBytes(bytes: Buffer): DroppedBytes {
  return { ...new Ends(bytes), length: bytes.length };
}

/** The first and the last bytes of dropped bytes, as copies. */
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
