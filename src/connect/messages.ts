import { longestMessage } from '../base/lineReader.ts';

export type Json = Readonly<Record<string, unknown>>;
export type MessageId = string | number;

/** A JSON-RPC message, or a line of a gateway, unchecked. */
export type Message = Json & {
  readonly id?: MessageId;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: Json;
};

/** The message in a line; empty when that is no object. */
export function messageIn(line: Buffer): Message {
  try {
    return Object(JSON.parse(line.toString()));
  } catch {
    return {};
  }
}

/** A message as a line. */
export function lineOf(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

/** More bytes than a gateway takes or sends in a line: it says itself what is wrong with those. */
const longest = longestMessage + 1024 * 1024;

/** Puts a byte stream together to whole lines, so that whoever writes them on writes nothing in between. */
export class WholeLines {
  private rest = Buffer.alloc(0);
  private size = 0;

  /**
   * The lines that ended in this chunk, each with its end, in a piece of their own; `undefined`: none did.
   * Of a line that is too long only the end is kept, which is no message.
   */
  push(chunk: Buffer): Buffer | undefined {
    const end = chunk.lastIndexOf(lineEnd) + 1;
    let lines: Buffer | undefined;
    if (end > 0) {
      this.add(chunk.subarray(0, end));
      lines = this.rest.subarray(0, this.size);
      this.rest = Buffer.alloc(0);
      this.size = 0;
    }
    this.add(chunk.subarray(end));
    return lines;
  }

  /** Into room that doubles: pieces, put together at the end, would take twice as much. */
  private add(part: Buffer): void {
    if (this.size + part.length > longest) {
      this.size = 0;
    }
    const size = this.size + part.length;
    if (size > this.rest.length) {
      const room = Buffer.allocUnsafe(Math.max(size, this.size * 2));
      this.rest.copy(room, 0, 0, this.size);
      this.rest = room;
    }
    part.copy(this.rest, this.size);
    this.size = size;
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
