/** Puts a byte stream together to whole lines, so that whoever writes them on writes nothing in between. */
export class WholeLines {
  private rest: Buffer[] = [];

  /** The lines that ended in this chunk, each with its end, in one piece; `undefined`: none did. */
  push(chunk: Buffer): Buffer | undefined {
    const end = chunk.lastIndexOf(lineEnd) + 1;
    if (end === 0) {
      this.rest.push(chunk);
      return undefined;
    }
    const whole = chunk.subarray(0, end);
    const lines = this.rest.length === 0 ? whole : Buffer.concat([...this.rest, whole]);
    this.rest = end === chunk.length ? [] : [chunk.subarray(end)];
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
