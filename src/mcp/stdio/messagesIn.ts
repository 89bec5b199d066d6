import { isUtf8 } from 'node:buffer';
import { deserializeMessage, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { droppedBytes } from '../../base/gatheredBytes.ts';
import { isPlainResult } from '../../domain/plainMessage.ts';
import { isHarmless, JsonGauge } from '../jsonGauge.ts';
import type { Defect, UnreadMessage } from '../unreadMessage.ts';

/** What a line holds: messages, and what is none, in the order they stand. */
export type LinePart =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | ({ readonly kind: 'unread' } & UnreadMessage);

const start = '{"jsonrpc"';
/** In a line that is all starts of messages and no message, this bounds the work. */
const mostStarts = 16;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const tab = 9;

/**
 * The messages in a line of output, which may not be the only thing there: a print without a line
 * end glues itself to the message after it, and two threads that print at once do worse. A message
 * is taken as it was sent or not at all: bytes that are no UTF-8 make it rubbish.
 */
export function partsOf(line: Buffer): readonly LinePart[] {
  const whole = parsed(line);
  if (typeof whole === 'object') {
    return [{ kind: 'message', message: whole }];
  }
  const starts = startsIn(line);
  if (starts.length === 0) {
    return unread(line, whole);
  }
  const parts = starts.flatMap((at, index) => partsFrom(line.subarray(at, starts[index + 1])));
  return [...unread(line.subarray(0, starts[0]), 'malformed'), ...parts];
}

/** Where messages may begin, the last ones. */
function startsIn(line: Buffer): number[] {
  const found: number[] = [];
  let at = line.lastIndexOf(start);
  while (at !== -1 && found.length < mostStarts) {
    found.unshift(at);
    at = at === 0 ? -1 : line.lastIndexOf(start, at - 1);
  }
  return found;
}

/** A message at the start of the piece, and what follows it. */
function partsFrom(piece: Buffer): LinePart[] {
  const end = piece.lastIndexOf('}') + 1;
  const message = parsed(piece.subarray(0, end));
  return typeof message === 'object'
    ? [{ kind: 'message', message }, ...unread(piece.subarray(end), 'malformed')]
    : unread(piece, message);
}

/** No part at all where nothing is to be seen. */
function unread(bytes: Buffer, defect: Defect): LinePart[] {
  return bytes.every(isBlank) ? [] : [{ kind: 'unread', defect, bytes: droppedBytes(bytes) }];
}

function isBlank(byte: number): boolean {
  return byte === space || byte === tab || byte === carriageReturn || byte === lineFeed;
}

/** The message, or why these bytes are none. */
function parsed(bytes: Buffer): JSONRPCMessage | Defect {
  // What is no object is no message, and an exception would cost more than this look.
  if (bytes.indexOf('{') === -1 || !isUtf8(bytes)) {
    return 'malformed';
  }
  const text = bytes.toString();
  if (!isHarmless(text) && new JsonGauge().add(bytes)) {
    return 'intricate';
  }
  try {
    const value = JSON.parse(text);
    return isPlainResult(value) ? value : deserializeMessage(text);
  } catch {
    return 'malformed'; // Not an error of ours: the caller tells of it.
  }
}
