import type { FetchLike } from '@modelcontextprotocol/client';
import { eventLimiter } from './eventLimiter.ts';
import { OutageError } from './outageError.ts';

/** As long as a line may be on stdio. */
const longestMessage = 8 * 1024 * 1024;
/** What a server says when it refuses is for a person to read. */
const longestRefusal = 64 * 1024;

/**
 * A fetch that reads no more of an answer, or of one server-sent event, than a message may have.
 * Over the limit an answer fails, and an event is left out.
 */
export function limitedFetch(onTooLong: (length: number) => void = () => {}): FetchLike {
  return async (url, init) => {
    const response = await reach(url, init);
    if (!response.body) {
      return response;
    }
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    const limit = response.ok ? longestMessage : longestRefusal;
    const limiter = isStream
      ? eventLimiter(longestMessage, () => onTooLong(longestMessage))
      : byteLimiter(limit);
    return new Response(response.body.pipeThrough(limiter), response);
  };
}

/** @throws {OutageError} when there is no answer at all, unless the request was called off. */
async function reach(url: string | URL, init: RequestInit | undefined): Promise<Response> {
  try {
    // The global one: the editor puts its proxies and certificates into it.
    return await fetch(url, init);
  } catch (error) {
    throw init?.signal?.aborted ? error : new OutageError(new URL(url), error);
  }
}

function byteLimiter(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      length += chunk.length;
      if (length > limit) {
        controller.error(new Error(`The answer is longer than ${limit} bytes.`));
      } else {
        controller.enqueue(chunk);
      }
    },
  });
}
