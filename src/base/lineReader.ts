/** A line that could not be delivered, and why. */
export type LostLine = 'too-long';

/**
 * Cuts a byte stream into lines. A line over the limit is dropped whole and reported once,
 * and the lines after it arrive as if it had not been there.
 */
export class LineReader {
  private readonly limit: number;
  private readonly onLine: (line: string) => void;
  private readonly onLost: (lost: LostLine) => void;
  private parts: Buffer[] = [];
  private length = 0;

  constructor(limit: number, onLine: (line: string) => void, onLost: (lost: LostLine) => void) {
    this.limit = limit;
    this.onLine = onLine;
    this.onLost = onLost;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.keep(chunk.subarray(start, end));
      this.finishLine();
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
  }

  /** The stream is over: what came after the last line end is a line, too. */
  end(): void {
    if (this.length > 0) {
      this.finishLine();
    }
  }

  /** The parts stay apart until the line ends: joining at each chunk would cost the square of its length. */
  private keep(part: Buffer): void {
    this.length += part.length;
    if (this.length > this.limit) {
      this.parts = [];
    } else if (part.length > 0) {
      this.parts.push(part);
    }
  }

  private finishLine(): void {
    const { length, parts } = this;
    this.parts = [];
    this.length = 0;
    if (length > this.limit) {
      this.onLost('too-long');
    } else {
      this.onLine(Buffer.concat(parts).toString('utf8').replace(/\r$/, ''));
    }
  }
}
