import { LineReader, longestMessage } from '../base/lineReader.ts';

export type Json = Readonly<Record<string, unknown>>;
export type MessageId = string | number;

/** A JSON-RPC message, or a line of a gateway about itself. Nothing in it has been checked. */
export type Message = Json & {
  readonly id?: MessageId;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: Json;
};

/** Returns the message in a line; empty if the line is not a JSON object. */
export function messageIn(line: Buffer): Message {
  try {
    return Object(JSON.parse(line.toString()));
  } catch {
    return {};
  }
}

export function lineOf(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

/** The longest line in bytes. The gateway's limit is slightly lower, and its refusal says why. */
const longest = longestMessage + 1024 * 1024;

/** Reads a stream line by line. Of a longer line, `take` gets only the end, which is no message. */
export function lineReader(take: (line: Buffer) => void): LineReader {
  return new LineReader(longest, take, ({ tail }) => take(tail));
}
