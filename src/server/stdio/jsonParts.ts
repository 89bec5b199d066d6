import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** A text of at least so many characters is a separate part, because copying it takes long. */
const longText = 32 * 1024;

/**
 * The JSON of a message, in parts to be written one after the other. An answer has a file's text
 * twice, for programs and for people. A long text is escaped once and never copied.
 */
export function jsonParts(message: JSONRPCMessage): readonly string[] {
  const { text } = Object(Object(message).result?.structuredContent);
  if (typeof text !== 'string' || text.length < longText) {
    return [JSON.stringify(message)];
  }
  const escaped = JSON.stringify(text);
  // The message can't contain this mark, because the mark is random and newer than the message.
  const mark = randomUUID();
  const frame = JSON.stringify(message, (_name, part) => (part === text ? mark : part));
  return frame.split(`"${mark}"`).flatMap((part, at) => (at === 0 ? part : [escaped, part]));
}
