import type { RequestId } from '@modelcontextprotocol/client';
import { type DroppedBytes, longestMessage } from '../base/lineReader.ts';
import { visibleMembers } from '../base/visibleMembers.ts';

/** Why a message is dropped unread: too long, too complex, or not JSON-RPC 2.0 in UTF-8. */
export type Defect = 'long' | 'complex' | 'malformed';

/**
 * A message of a server that was dropped because it can't be read, or only at the risk of exhausting
 * this process. The readers of stdio and of HTTP report it to `MessageFlow`.
 */
export interface UnreadMessage {
  readonly defect: Defect;
  readonly bytes: DroppedBytes;
}

const internalError = -32603;
const advice = 'Ask for less at a time.';

/**
 * The error response that a caller gets in the place of a response that was dropped, instead of
 * waiting for ever. `undefined` when what is left of it, its first and last bytes, does not show
 * for certain that it is a response, and to which request.
 */
export function errorInstead({ defect, bytes }: UnreadMessage) {
  const id = answeredBy(bytes);
  if (id === undefined || (defect === 'malformed' && !isWhole(bytes))) {
    return undefined;
  }
  const isUnmarked = defect === 'malformed' && markOf(bytes) !== '2.0';
  const message = isUnmarked ? unmarked : unreadSentence(defect, `${bytes.length}`);
  return { jsonrpc: '2.0', id, error: { code: internalError, message } } as const;
}

const unmarked = 'The answer lacks "jsonrpc": "2.0", which each message has, and was dropped.';

/** The message of that error, and of the one that ends an HTTP body which is no stream of events. */
export function unreadSentence(defect: Defect, length = 'too many'): string {
  switch (defect) {
    case 'long':
      return `The answer has ${length} bytes and was dropped: ${longestMessage} is the most. ${advice}`;
    case 'complex':
      return `The answer is nested too deep, or has too many parts, and was dropped. ${advice}`;
    case 'malformed':
      return 'The answer is no JSON-RPC message in UTF-8 and was dropped.';
  }
}

/**
 * Whether the bytes are a whole answer: servers also print copies for a person to read, shortened, or without
 * the mark and with a result in words.
 */
function isWhole(bytes: DroppedBytes): boolean {
  const { result, error }: { readonly result?: unknown; readonly error?: unknown } =
    visibleMembers(bytes);
  const isMeant = markOf(bytes) === '2.0' || result === null || error === null;
  const isClosed = bytes.tail.toString().trimEnd().endsWith('}');
  return isMeant && bytes.head[0] === openingBrace && isClosed;
}

function markOf(bytes: DroppedBytes): unknown {
  return (visibleMembers(bytes) as { readonly jsonrpc?: unknown }).jsonrpc;
}

const openingBrace = 0x7b;

function answeredBy(bytes: DroppedBytes): RequestId | undefined {
  const members: { readonly id?: unknown } = visibleMembers(bytes);
  const isResponse = !('method' in members) && ('result' in members || 'error' in members);
  const { id } = members;
  return isResponse && (typeof id === 'string' || typeof id === 'number') ? id : undefined;
}
