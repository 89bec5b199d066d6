import type { RequestId } from '@modelcontextprotocol/client';
import type { DroppedBytes } from '../base/gatheredBytes.ts';
import { visibleMembers } from '../base/visibleMembers.ts';

/** How many bytes a message may have that is read. */
export const longestMessage = 8 * 1024 * 1024;

/** Why a message is not read: it is too long, too intricate, or none in JSON-RPC and UTF-8. */
export type Defect = 'long' | 'intricate' | 'malformed';

/** What came instead of a message, and was dropped. */
export interface UnreadMessage {
  readonly defect: Defect;
  readonly bytes: DroppedBytes;
}

const internalError = -32603;
const advice = 'Ask for less at a time.';

/**
 * The error that stands for an answer that was not read, so that nobody waits for it for ever.
 * `undefined`: its ends do not show that it answers a request, and which.
 */
export function errorInstead({ defect, bytes }: UnreadMessage) {
  const id = answeredBy(bytes);
  if (id === undefined || (defect === 'malformed' && !isWhole(bytes))) {
    return undefined;
  }
  const message = unreadSentence(defect, `${bytes.length}`);
  return { jsonrpc: '2.0', id, error: { code: internalError, message } } as const;
}

/** What is told to who waits for an answer that is not read, and what to do. */
export function unreadSentence(defect: Defect, length = 'too many'): string {
  switch (defect) {
    case 'long':
      return `The answer has ${length} bytes and was dropped: ${longestMessage} is the most. ${advice}`;
    case 'intricate':
      return `The answer is nested too deep, or has too many parts, and was dropped. ${advice}`;
    case 'malformed':
      return 'The answer is no JSON-RPC message in UTF-8 and was dropped.';
  }
}

/** Whether it was meant for an answer: servers print shortened copies of theirs for a person to read. */
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
