import { JsonGauge } from '../jsonGauge.ts';
import { longestMessage, unreadSentence } from '../unreadMessage.ts';

/** The SDK takes all messages of a list in one turn. None of the revisions we speak needs lists. */
const longestList = 64 * 1024;
const openingList = 0x5b;
const openingObject = 0x7b;

/** Looks at the next part of an answer. @throws when the answer is not to be read any further. */
type Check = (part: Uint8Array) => void;

/** Fails an answer that is longer than that. */
export function lengthFilter(longest: number): TransformStream<Uint8Array, Uint8Array> {
  return filterOf(lengthCheck(longest));
}

/** Fails an answer that is too long, or too intricate, to be read as a message, or no UTF-8. */
export function messageFilter(): TransformStream<Uint8Array, Uint8Array> {
  const gauge = new JsonGauge();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const checkLength = lengthCheck(longestMessage, unreadSentence('long'));
  const checkList = lengthCheck(longestList);
  let opening: number | undefined;
  return filterOf(part => {
    checkLength(part);
    decoder.decode(part, { stream: true });
    opening ??= part.find(byte => byte === openingList || byte === openingObject);
    if (opening === openingList) {
      checkList(part);
    }
    if (gauge.add(part)) {
      throw new Error(unreadSentence('intricate'));
    }
  });
}

function lengthCheck(longest: number, told = `The answer is longer than ${longest} bytes.`): Check {
  let length = 0;
  return part => {
    length += part.length;
    if (length > longest) {
      throw new Error(told);
    }
  };
}

function filterOf(check: Check): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(part, controller) {
      check(part);
      controller.enqueue(part);
    },
  });
}
