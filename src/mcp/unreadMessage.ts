import type { RequestId } from '@modelcontextprotocol/client';
import type { DroppedBytes } from '../base/lineReader.ts';
import { visibleMembers } from '../base/visibleMembers.ts';

/** How many bytes a message may have that is read. */
export const longestMessage = 8 * 1024 * 1024;

/** The reason why a message is not read: too long, too complex, or not JSON-RPC in UTF-8. */
export type Defect = 'long' | 'complex' | 'malformed';

/** Bytes that came instead of a readable message, and were dropped. */
export interface UnreadMessage {
  readonly defect: Defect;
  readonly bytes: DroppedBytes;
}

const internalError = -32603;
const advice = 'Ask for less at a time.';

/**
 * The error that takes the place of an answer that was not read, so that its request does not wait
 * for ever. `undefined` when the first and last bytes do not show which request the answer is for.
 */
export function errorInstead({ defect, bytes }: UnreadMessage) {
  const id = answeredBy(bytes);
  if (id === undefined || (defect === 'malformed' && !isWhole(bytes))) {
    return undefined;
  }
  const message = unreadSentence(defect, `${bytes.length}`);
  return { jsonrpc: '2.0', id, error: { code: internalError, message } } as const;
}

/** The message for a caller whose answer was not read, with advice. */
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

/** Whether the bytes are a whole answer: servers also print shortened copies for a person to read. */
function isWhole(bytes: DroppedBytes): boolean {
  const { jsonrpc }: { readonly jsonrpc?: unknown } = visibleMembers(bytes);
  const isClosed = bytes.tail.toString().trimEnd().endsWith('}');
  return jsonrpc === '2.0' && bytes.head[0] === openingBrace && isClosed;
}

const openingBrace = 0x7b;

function answeredBy(bytes: DroppedBytes): RequestId | undefined {
  const members: { readonly id?: unknown } = visibleMembers(bytes);
  const isResponse = !('method' in members) && ('result' in members || 'error' in members);
  const { id } = members;
  return isResponse && (typeof id === 'string' || typeof id === 'number') ? id : undefined;
}
