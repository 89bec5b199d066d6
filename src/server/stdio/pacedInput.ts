import type { Readable } from 'node:stream';

/** So small that it holds few lines, and so large that a long line costs little more by it. */
const pieceSize = 512;
/** After about how many lines what they caused has its turn. */
const linesAtOnce = 4;

/**
 * Reads a stream a few lines at a time. A chunk may hold hundreds of requests: taken in one go, all
 * of them would be in memory together, in every stage of being answered.
 */
export class PacedInput {
  private readonly input: Readable;
  private readonly take: (piece: Buffer) => number;
  private rest: Buffer = Buffer.alloc(0);
  private isPaused = false;
  private isWaiting = false;
  private isStopped = false;

  /** `take` tells how many lines ended in the piece that it is given. */
  constructor(input: Readable, take: (piece: Buffer) => number) {
    this.input = input;
    this.take = take;
  }

  start(): void {
    this.input.on('data', this.add);
  }

  /** For good. What was read and not taken is dropped. */
  stop(): void {
    this.isStopped = true;
    this.input.off('data', this.add);
    this.input.pause();
  }

  pause(): void {
    this.isPaused = true;
    this.input.pause();
  }

  resume(): void {
    this.isPaused = false;
    this.goOnSoon();
  }

  private readonly add = (chunk: Buffer): void => {
    this.rest = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    if (!this.isWaiting) {
      this.goOn();
    }
  };

  private goOn(): void {
    for (let lines = 0; lines < linesAtOnce && this.rest.length > 0 && this.mayTake(); ) {
      const piece = this.rest.subarray(0, pieceSize);
      this.rest = this.rest.subarray(pieceSize);
      lines += this.take(piece);
    }
    if (this.rest.length > 0) {
      this.input.pause();
      this.goOnSoon();
    } else if (this.mayTake() && this.input.isPaused()) {
      this.input.resume();
    }
  }

  private goOnSoon(): void {
    if (!this.isWaiting && this.mayTake()) {
      this.isWaiting = true;
      setImmediate(() => {
        this.isWaiting = false;
        this.goOn();
      });
    }
  }

  private mayTake(): boolean {
    return !this.isPaused && !this.isStopped;
  }
}
