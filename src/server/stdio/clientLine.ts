import { isUtf8 } from 'node:buffer';
import {
  INVALID_REQUEST,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  PARSE_ERROR,
  type RequestId,
} from '@modelcontextprotocol/server';
import { type DroppedBytes, longestMessage } from '../../base/lineReader.ts';
import { visibleMembers } from '../../base/visibleMembers.ts';
import { isPlainRequest, isPlainResult } from '../../domain/plainMessage.ts';
import { isTooDeep, tooDeep } from '../messageDepth.ts';

/** The reason that a line was not taken, and whom to tell. */
interface RefusedLine {
  readonly code: number;
  /** Finished sentences: what is wrong, and what to do. */
  readonly message: string;
  /** The request it would have been; `null` when that can't be told. */
  readonly id: RequestId | null;
  /** Whether it would have been a response: those are never answered. */
  readonly isResponse: boolean;
}

/** A message, what is wrong with it, or nothing in a blank line. */
export type ClientLine = { readonly message: JSONRPCMessage } | { readonly refused: RefusedLine };

/** Reads one line of a client. */
export function clientLine(bytes: Buffer): ClientLine | undefined {
  if (!isUtf8(bytes)) {
    return refuse(PARSE_ERROR, 'This line is not valid UTF-8. Send JSON-RPC messages as UTF-8.');
  }
  const text = bytes.toString().trim(); // A byte order mark is trimmed, too.
  if (text === '') {
    return undefined;
  }
  const parsed = tryParse(text);
  if (!parsed) {
    return refuse(PARSE_ERROR, 'This line is not JSON. Send each JSON-RPC message as one line.');
  }
  const { value } = parsed;
  if (Array.isArray(value)) {
    return refuse(
      INVALID_REQUEST,
      'JSON-RPC batches are not supported. Send each message on a line of its own.',
    );
  }
  if (isTooDeep(text, value)) {
    return refuse(INVALID_REQUEST, tooDeep, value);
  }
  return isMessage(value) ? { message: value } : refuse(INVALID_REQUEST, invalid, value);
}

/** The refusal of a line that was too long. Most requests still show their id. */
export function longLine(line: DroppedBytes): ClientLine {
  const members = visibleMembers(line);
  const message =
    `This message has ${line.length} bytes and was dropped: ${longestMessage} is the most. ` +
    'Send less at a time.';
  // The hidden middle may hold anything, so an id counts only beside a method, result or error.
  const isCertain = 'method' in members || 'result' in members || 'error' in members;
  return refuse(INVALID_REQUEST, message, isCertain ? members : undefined);
}

const invalid =
  'This is no JSON-RPC 2.0 message as MCP has them: a request has "jsonrpc": "2.0", an "id" that ' +
  'is a string or an integer, a "method", "params" that are an object if any (and so is their ' +
  '"_meta"), and nothing else.';

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
    return undefined; // The caller says so to whoever sent it.
  }
}

/** One check instead of the SDK's four in a row: the members say which it would have to be. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  if ('method' in value) {
    return 'id' in value
      ? isPlainRequest(value) || isJSONRPCRequest(value)
      : isJSONRPCNotification(value);
  }
  return 'result' in value
    ? isPlainResult(value) || isJSONRPCResultResponse(value)
    : isJSONRPCErrorResponse(value);
}
