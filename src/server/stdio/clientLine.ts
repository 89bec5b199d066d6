import { isUtf8 } from 'node:buffer';
import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import { isTooComplex, tooComplex } from '../../base/complexityLimit.ts';
import { type DroppedBytes, longestMessage } from '../../base/lineReader.ts';
import { visibleId } from '../../base/visibleId.ts';
import { isPlainResult, mendedMessage } from '../../domain/plainMessage.ts';

/** Why a line was refused, and which request to answer. */
interface RefusedLine {
  readonly code: number;
  /** Finished sentences: what is wrong, and what to do. */
  readonly message: string;
  /** The id of the refused request; `null` if it is unknown. */
  readonly id: RequestId | null;
  /** Whether the line is a response. Responses are never answered. */
  readonly isResponse: boolean;
}

/** A message, or a refusal. */
export type ClientLine = { readonly message: JSONRPCMessage } | { readonly refused: RefusedLine };

/** Reads one line from a client; `undefined` for a blank line. */
export function clientLine(bytes: Buffer): ClientLine | undefined {
  if (!isUtf8(bytes)) {
    return refuse(PARSE_ERROR, 'This line is not valid UTF-8. Send JSON-RPC messages as UTF-8.');
  }
  const text = bytes.toString().trim(); // `trim` also removes a byte order mark.
  if (text === '') {
    return undefined;
  }
  const parsed = tryParse(text);
  if (!parsed) {
    return refuse(PARSE_ERROR, notJson);
  }
  const { value } = parsed;
  if (Array.isArray(value)) {
    return refuse(
      INVALID_REQUEST,
      'JSON-RPC batches are not supported. Send one message per line.',
    );
  }
  if (isTooComplex(text)) {
    return refuse(INVALID_REQUEST, tooComplex, value);
  }
  if (isPlainResult(value)) {
    return { message: value as JSONRPCMessage };
  }
  try {
    return { message: parseJSONRPCMessage(mendedMessage(value)) };
  } catch {
    return refuse(INVALID_REQUEST, invalid, value);
  }
}

/** The refusal of a line that was too long. In most cases, the request's id is still readable. */
export function longLine(line: DroppedBytes): ClientLine {
  const message = `This message has ${line.length} bytes and was dropped. The limit is ${longestMessage} bytes. Send less data in one message.`;
  const { id = null, isResponse = false } = visibleId(line) ?? {};
  return { refused: { code: INVALID_REQUEST, message, id: isResponse ? null : id, isResponse } };
}

const notJson = 'This line is not JSON. Send each JSON-RPC message as one line.';

const invalid =
  'Invalid JSON-RPC 2.0 message. A request has "jsonrpc": "2.0", an "id" (a string or an integer), a "method", and perhaps "params" (an object, in which "_meta" is an object). No other key is allowed.';

function refuse(code: number, message: string, value?: unknown) {
  const members: { readonly id?: unknown } =
    typeof value === 'object' && value !== null ? value : {};
  const isResponse = !('method' in members) && ('result' in members || 'error' in members);
  const { id } = members;
  const isId = typeof id === 'string' || typeof id === 'number';
  return { refused: { code, message, id: isId && !isResponse ? id : null, isResponse } };
}

function tryParse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // The caller then refuses the line.
  }
}
