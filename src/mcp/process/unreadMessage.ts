import { type DroppedBytes, longestMessage } from '../../base/lineReader.ts';
import { visibleId } from '../../base/visibleId.ts';

/** Why a message is dropped unread: too long, too complex, or not JSON-RPC 2.0 in UTF-8. */
export type Defect = 'long' | 'complex' | 'malformed';

/**
 * A server's message that was dropped, because nobody can read it or it could exhaust this process.
 * The readers of stdio and of HTTP report it to `MessageFlow`.
 */
export interface UnreadMessage {
  readonly defect: Defect;
  readonly bytes: DroppedBytes;
}

const internalError = -32603;
const advice = 'Ask for less data in one call.';

/**
 * Returns an error response in place of a dropped response, for which a caller would wait forever.
 * `undefined`: the bytes are not of a response, or show no id.
 */
export function errorInstead({ defect, bytes }: UnreadMessage) {
  const { id, isResponse } = visibleId(bytes) ?? {};
  if (id === undefined || !isResponse) {
    return undefined;
  }
  const message = unreadSentence(defect, `${bytes.length}`);
  return { jsonrpc: '2.0', id, error: { code: internalError, message } } as const;
}

/** Says why an answer was dropped. Used in error responses, and for HTTP answers in one piece. */
export function unreadSentence(defect: Defect, length = 'too many'): string {
  const sentences = {
    long: `The answer has ${length} bytes and was dropped. The limit is ${longestMessage} bytes. ${advice}`,
    complex: `The answer was dropped, because it has too many levels or too many parts. ${advice}`,
    malformed: 'The answer was dropped, because it is not a JSON-RPC message in UTF-8.',
  };
  return sentences[defect];
}
