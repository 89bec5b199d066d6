import { isUtf8 } from 'node:buffer';
import { deserializeMessage, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { isPlainResult } from '../../domain/plainMessage.ts';
import { isHarmless, JsonGauge } from '../jsonGauge.ts';

/** What a line holds: messages, and how many characters that are none, in the order they stand. */
export type LinePart =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'rubbish'; readonly length: number };

const start = '{"jsonrpc"';
/** In a line that is all starts of messages and no message, this bounds the work. */
const mostStarts = 16;

/**
 * The messages in a line of output, which may not be the only thing there: a print without a line
 * end glues itself to the message after it, and two threads that print at once do worse. A message
 * is taken as it was sent or not at all: bytes that are no UTF-8 make it rubbish.
 */
export function partsOf(line: Buffer): readonly LinePart[] {
  const whole = tryParse(line);
  if (whole) {
    return [{ kind: 'message', message: whole }];
  }
  const starts = startsIn(line);
  const parts = starts.flatMap((at, index) => partsFrom(line.subarray(at, starts[index + 1])));
  return [...rubbish(line.subarray(0, starts[0])), ...parts];
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
  const message = tryParse(piece.subarray(0, end));
  return message ? [{ kind: 'message', message }, ...rubbish(piece.subarray(end))] : rubbish(piece);
}

function rubbish(bytes: Buffer): LinePart[] {
  const text = bytes.toString();
  return text.trim() === '' ? [] : [{ kind: 'rubbish', length: text.length }];
}

function tryParse(bytes: Buffer): JSONRPCMessage | undefined {
  // What is no object is no message, and an exception would cost more than this look.
  if (bytes.indexOf('{') === -1 || !isUtf8(bytes)) {
    return undefined;
  }
  const text = bytes.toString();
  if (!isHarmless(text) && new JsonGauge().add(bytes)) {
    return undefined;
  }
  try {
    const value = JSON.parse(text);
    return isPlainResult(value) ? value : deserializeMessage(text);
  } catch {
    return undefined; // Not an error of ours: the caller counts it as rubbish.
  }
}
