import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** The length in characters from which a text is better written apart than copied into one string. */
const longText = 32 * 1024;

/**
 * The JSON of a message, in parts to be written one after the other. The text of a file is in its
 * answer twice, for programs and for people. If it is long, it is escaped once and never copied.
 */
export function jsonParts(message: JSONRPCMessage): readonly string[] {
  const { text } = Object(Object(message).result?.structuredContent);
  if (typeof text !== 'string' || text.length < longText) {
    return [JSON.stringify(message)];
  }
  const escaped = JSON.stringify(text);
  // Drawn only now, it cannot stand in the message.
  const mark = randomUUID();
  const frame = JSON.stringify(message, (_name, part) => (part === text ? mark : part));
  return frame.split(`"${mark}"`).flatMap((part, at) => (at === 0 ? part : [escaped, part]));
}
