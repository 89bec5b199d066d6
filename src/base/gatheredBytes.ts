/** Room for what most chunks leave behind; it is kept for what comes after it. */
const smallRoom = 64 * 1024;
/** How much is kept of either end of what is dropped. */
const edge = 512;

/** Of bytes that were dropped: how many there were, and those they began and ended with. */
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

  /** How many have come. */
  get length(): number {
    return this.count;
  }

  /** What has come, and was not dropped. It is the caller's only until more comes. */
  get bytes(): Buffer {
    return this.ends ? Buffer.alloc(0) : this.room.subarray(0, this.count);
  }

  /** What is left of what has come, when it was dropped. */
  get dropped(): DroppedBytes | undefined {
    return this.ends && { length: this.count, head: this.ends.head, tail: this.ends.tail };
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

  /** Keeps no more than the ends of what has come, and of what still comes. */
  drop(): void {
    if (!this.ends) {
      this.ends = new Ends(this.bytes);
      this.giveBackRoom();
    }
  }

  /** Forgets what has come. */
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

  /** Doubles the room, so that what comes byte by byte costs no more than in few parts. */
  private makeRoom(needed: number): void {
    if (needed > this.room.length) {
      const wanted = Math.max(smallRoom, needed, this.room.length * 2);
      const room = Buffer.allocUnsafe(Math.max(needed, Math.min(wanted, this.limit)));
      this.room.copy(room);
      this.room = room;
    }
  }
}

/** What dropping these bytes leaves of them. */
export function droppedBytes(bytes: Buffer): DroppedBytes {
  const { head, tail } = new Ends(bytes);
  return { length: bytes.length, head, tail };
}

/** The two ends of bytes whose middle is forgotten. They share no memory with what was added. */
class Ends {
  head: Buffer = Buffer.alloc(0);
  tail: Buffer = Buffer.alloc(0);

  constructor(start: Uint8Array) {
    this.add(start);
  }

  add(part: Uint8Array): void {
    if (this.head.length < edge) {
      this.head = Buffer.concat([this.head, part.subarray(0, edge - this.head.length)]);
    }
    this.tail = Buffer.concat([this.tail, part.subarray(-edge)]).subarray(-edge);
  }
}
