import { GatheredBytes, longestMessage } from '../base/lineReader.ts';

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

const lineEnd = 10;

/** Puts a byte stream together to whole lines, so that whoever writes them on writes nothing in between. */
export class WholeLines {
  private readonly gathered = new GatheredBytes(longest);

  /**
   * The lines that ended in this chunk, each with its end, in a piece of their own; `undefined`: none did.
   * Of a line that is too long only the end is kept, which is no message.
   */
  push(chunk: Buffer): Buffer | undefined {
    const { gathered } = this;
    const end = chunk.lastIndexOf(lineEnd) + 1;
    let lines: Buffer | undefined;
    if (end > 0) {
      const ended = chunk.subarray(0, end);
      gathered.add(ended);
      const whole = gathered.take();
      lines = whole.length > 0 ? whole : Buffer.from(ended);
    }
    gathered.add(chunk.subarray(end));
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
