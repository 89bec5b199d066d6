/** Room for what most chunks leave behind; it is kept for what comes after it. */
const smallRoom = 64 * 1024;

/** Bytes that come in parts, and are put together as they come. */
export class GatheredBytes {
  private readonly limit: number;
  private room = Buffer.alloc(0);
  private count = 0;

  /** @param limit how many may come: no more room is made than for them. */
  constructor(limit: number) {
    this.limit = limit;
  }

  get length(): number {
    return this.count;
  }

  /** What has come. It is the caller's only until more comes. */
  get bytes(): Buffer {
    return this.room.subarray(0, this.count);
  }

  add(part: Uint8Array): void {
    this.makeRoom(this.count + part.length);
    this.room.set(part, this.count);
    this.count += part.length;
  }

  /** Forgets what has come. */
  clear(): void {
    this.count = 0;
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
