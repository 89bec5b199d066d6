import { LineReader, longestMessage } from '../base/lineReader.ts';

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

/** The message in a line. Empty if the line is not a JSON object. */
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

/** More than the gateway's own limit of a line, so that the gateway itself explains a longer one. */
const longest = longestMessage + 1024 * 1024;

/** Reads a stream line by line. Of a line that is too long, only the end is taken: it holds no message. */
export function lineReader(take: (line: Buffer) => void): LineReader {
  return new LineReader(longest, take, ({ tail }) => take(tail));
}
