/** Twice as many bytes as a gateway takes in a line, and more than it sends. */
const longest = 16 * 1024 * 1024;

/** Puts a byte stream together to whole lines, so that whoever writes them on writes nothing in between. */
export class WholeLines {
  private rest: Buffer[] = [];
  private size = 0;

  /**
   * The lines that ended in this chunk, each with its end, in one piece; `undefined`: none did. Of a line
   * that is too long only the last piece is kept, which is no message.
   */
  push(chunk: Buffer): Buffer | undefined {
    const end = chunk.lastIndexOf(lineEnd) + 1;
    if (end === 0) {
      this.size += chunk.length;
      if (this.size > longest) {
        this.rest = [];
      }
      this.rest.push(chunk);
      return undefined;
    }
    const whole = chunk.subarray(0, end);
    const lines = this.size > 0 ? Buffer.concat([...this.rest, whole]) : whole;
    this.rest = [chunk.subarray(end)];
    this.size = chunk.length - end;
    return lines;
  }
}

/** Each of these lines, with its end. */
export function* eachLine(lines: Buffer): Iterable<Buffer> {
  let start = 0;
  for (let end = lines.indexOf(lineEnd); end !== -1; end = lines.indexOf(lineEnd, start)) {
    yield lines.subarray(start, end + 1);
    start = end + 1;
  }
}

const lineEnd = 10;
