import type { Readable } from 'node:stream';
import type { LineReader } from '../../base/lineReader.ts';
import { ReadingTurn } from '../readingTurn.ts';

const lineEnd = 10;

/**
 * Reads the output of a process line by line, in turns: one that floods has its next turn only after
 * everything else that waits, and meanwhile has to wait itself, because its pipe is full.
 */
export class OutputReader {
  private readonly output: Readable;
  private readonly lines: LineReader;
  private readonly turn = new ReadingTurn();
  private readonly onIdle = new Set<() => void>();
  private rest: Buffer[] = [];
  private isWaiting = false;
  private isHeld = false;
  private hasEnded = false;

  constructor(output: Readable, lines: LineReader) {
    this.output = output;
    this.lines = lines;
    output.on('data', (chunk: Buffer) => this.add(chunk));
    output.on('end', () => {
      this.hasEnded = true;
      this.goOn();
    });
  }

  /** Reads no further, until it is released. */
  hold(): void {
    this.isHeld = true;
    this.output.pause();
  }

  release(): void {
    if (this.isHeld) {
      this.isHeld = false;
      this.goOnSoon();
    }
  }

  /** Settles when every line that has come was taken. */
  idle(): Promise<void> {
    return new Promise(resolve => {
      this.onIdle.add(resolve);
      this.goOnSoon();
    });
  }

  private add(chunk: Buffer): void {
    this.rest.push(chunk);
    if (!this.isWaiting) {
      this.goOn();
    }
  }

  private goOn(): void {
    while (this.rest.length > 0 && !this.isHeld) {
      if (this.turn.isOver()) {
        this.output.pause();
        this.goOnSoon();
        return;
      }
      this.takeLine();
    }
    if (!this.isHeld) {
      this.becomeIdle();
    }
  }

  private takeLine(): void {
    const [chunk = Buffer.alloc(0), ...more] = this.rest;
    const end = chunk.indexOf(lineEnd) + 1 || chunk.length;
    // Before the line is taken, which may hold what follows it.
    this.rest = end < chunk.length ? [chunk.subarray(end), ...more] : more;
    this.lines.push(chunk.subarray(0, end));
  }

  private becomeIdle(): void {
    if (this.output.isPaused()) {
      this.output.resume();
    }
    if (this.hasEnded) {
      this.lines.end();
    }
    const settled = [...this.onIdle];
    this.onIdle.clear();
    for (const resolve of settled) {
      resolve();
    }
  }

  private goOnSoon(): void {
    if (!this.isWaiting) {
      this.isWaiting = true;
      setImmediate(() => {
        this.isWaiting = false;
        this.turn.renew();
        this.goOn();
      });
    }
  }
}
