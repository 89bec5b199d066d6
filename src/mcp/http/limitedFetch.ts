import type { FetchLike } from '@modelcontextprotocol/client';
import { ReadingTurn } from '../readingTurn.ts';
import { longestMessage, type UnreadMessage } from '../unreadMessage.ts';
import { lengthFilter, messageFilter } from './bodyFilter.ts';
import { eventFilter } from './eventFilter.ts';
import { OutageError } from './outageError.ts';
import { refusalText } from './refusalText.ts';

/** What a server says when it refuses is for a person to read. */
const longestRefusal = 64 * 1024;
const tooLong = 'x'.repeat(longestRefusal);
const events = 'text/event-stream';

/**
 * A fetch that reads no more of an answer, or of one server-sent event, than a message may have, and
 * nothing that is worse to read than a message. Such an answer fails, and such an event is left out;
 * events that flood are read in turns, all streams together.
 *
 * @param onUnread told of each event that is left out.
 */
export function limitedFetch(onUnread: (message: UnreadMessage) => void = () => {}): FetchLike {
  const reading = { longest: longestMessage, turn: new ReadingTurn(), onUnread };
  return async (url, init) => {
    const response = await reach(url, init);
    if (!response.body) {
      return response;
    }
    if (!response.ok) {
      return refusalOf(response, response.body);
    }
    const isStream = isOfEvents(response, new Headers(init?.headers));
    const filter = isStream ? eventFilter(reading) : messageFilter();
    return new Response(response.body.pipeThrough(filter), response);
  };
}

/** It arrives where a person reads it, in the row of a server or as the error of a call. */
async function refusalOf(response: Response, body: ReadableStream<Uint8Array>): Promise<Response> {
  const limited = new Response(body.pipeThrough(lengthFilter(longestRefusal)));
  const text = await limited.text().catch(() => tooLong);
  const { status, headers } = response;
  return new Response(refusalText(status, text, headers.get('content-type')), response);
}

/** Whether the SDK reads it as events: so it does with what it asks for alone, whatever comes. */
function isOfEvents({ headers }: Response, asked: Headers): boolean {
  const type = headers.get('content-type')?.trim().toLowerCase();
  return type?.startsWith(events) === true || asked.get('accept') === events;
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
