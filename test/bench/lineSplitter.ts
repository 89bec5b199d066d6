const lineFeed = 10;

/** Cuts a stream of bytes into lines. No byte of a long line is looked at twice. */
export class LineSplitter {
  private readonly onLine: (line: Buffer, at: number) => void;
  private pieces: Buffer[] = [];

  /** `onLine` is told when the line was complete. */
  constructor(onLine: (line: Buffer, at: number) => void) {
    this.onLine = onLine;
  }

  add(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const at = performance.now();
      const last = chunk.subarray(from, end);
      const line = this.pieces.length === 0 ? last : Buffer.concat([...this.pieces, last]);
      this.pieces = [];
      from = end + 1;
      this.onLine(line, at);
    }
    if (from < chunk.length) {
      this.pieces.push(chunk.subarray(from));
    }
  }
}
