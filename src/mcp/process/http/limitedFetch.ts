import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import { isTooComplex } from '../../../base/complexityLimit.ts';
import {
  type DroppedBytes,
  droppedBytes,
  GatheredBytes,
  longestMessage,
} from '../../../base/lineReader.ts';
import { isPlainResult, mendedMessage } from '../../../domain/plainMessage.ts';
import { ReadingTurn } from '../readingTurn.ts';
import { type Defect, type UnreadMessage, unreadSentence } from '../unreadMessage.ts';
import { OutageError, refusalText } from './httpFailure.ts';

/** The most bytes of a refusal, which a person reads. */
const longestRefusal = 64 * 1024;
const tooLong = 'x'.repeat(longestRefusal);
const events = 'text/event-stream';

/**
 * Returns a fetch that limits the length and complexity of messages. Above a limit, an answer
 * fails, and a server-sent event is left out. Floods of events are read in turns, shared by all
 * streams.
 *
 * @param onUnread receives each event that is left out.
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
    const filter = isStream
      ? eventFilter(reading)
      : wholeFilter(longestMessage, unreadSentence('long'), messageIn);
    return new Response(response.body.pipeThrough(filter), response);
  };
}

/** The refusal, with a short text because a person reads it in a server's row or a call's error. */
async function refusalOf(response: Response, body: ReadableStream<Uint8Array>): Promise<Response> {
  const limited = new Response(body.pipeThrough(wholeFilter(longestRefusal, '')));
  const text = await limited.text().catch(() => tooLong);
  const { status, headers } = response;
  return new Response(refusalText(status, text, headers.get('content-type')), response);
}

/** Whether the SDK reads the response as events. It always does after it asked for events alone. */
function isOfEvents({ headers }: Response, asked: Headers): boolean {
  const type = headers.get('content-type')?.trim().toLowerCase();
  return type?.startsWith(events) === true || asked.get('accept') === events;
}

/** @throws {OutageError} when no answer came, unless the request was cancelled. */
async function reach(url: string | URL, init: RequestInit | undefined): Promise<Response> {
  try {
    // The global `fetch`: the editor puts its proxies and certificates into it.
    return await fetch(url, init);
  } catch (error) {
    throw init?.signal?.aborted ? error : new OutageError(new URL(url), error);
  }
}

/** Passes a body on as a whole. A body of more than `longest` bytes fails with `problem`. */
function wholeFilter(
  longest: number,
  problem: string,
  read: (body: Buffer) => string = String,
): TransformStream<Uint8Array, Uint8Array> {
  const held = new GatheredBytes(longest);
  return new TransformStream({
    transform(part) {
      held.add(part);
      if (held.dropped) {
        throw new Error(problem);
      }
    },
    flush: controller => controller.enqueue(Buffer.from(read(held.bytes))),
  });
}

/** The body with its message mended. @throws when it is not UTF-8, or too complex. */
function messageIn(body: Buffer): string {
  const defect = defectIn(body);
  if (defect) {
    throw new Error(unreadSentence(defect));
  }
  return mendedText(body.toString());
}

/** Why these bytes can't be read; `undefined` if they can. */
function defectIn(bytes: Buffer): Defect | undefined {
  if (!isUtf8(bytes)) {
    return 'malformed';
  }
  return isTooComplex(bytes.toString()) ? 'complex' : undefined;
}

/** A message as JSON, mended like messages over stdio. */
function mendedText(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return isPlainResult(value) ? json : JSON.stringify(mendedMessage(value));
  } catch {
    return json; // The SDK reports this to the caller.
  }
}

interface EventReading {
  /** Limit of an event in bytes. */
  readonly longest: number;
  readonly turn: ReadingTurn;
  /** Called once for each event that is left out, at the end of the event or of the stream. */
  readonly onUnread: (message: UnreadMessage) => void;
}

/**
 * Passes server-sent events on, each as a whole and in its turn. An event that is too long, too
 * complex or not UTF-8 is left out. The events after it arrive as usual.
 */
export function eventFilter(reading: EventReading): TransformStream<Uint8Array, Uint8Array> {
  const { longest, turn, onUnread } = reading;
  const find = boundaryFinder();
  const held = new GatheredBytes(longest);
  return new TransformStream({
    async transform(chunk, controller) {
      for (let start = 0; start < chunk.length; ) {
        while (turn.isOver()) {
          await nextTurn();
        }
        const end = find(chunk, start);
        const part = chunk.subarray(start, end);
        held.add(part);
        start += part.length;
        if (end !== undefined) {
          const { bytes, dropped } = held;
          const defect = dropped ? 'long' : defectIn(bytes);
          if (defect) {
            onUnread({ defect, bytes: dataOf(dropped ?? droppedBytes(bytes)) });
          } else {
            controller.enqueue(mendedEvent(bytes));
          }
          held.clear();
        }
      }
    },
    flush() {
      const { dropped } = held;
      if (dropped) {
        onUnread({ defect: 'long', bytes: dataOf(dropped) });
      }
    },
  });
}

/** Mends the message of an event, if its JSON is in one line as usual. */
function mendedEvent(bytes: Buffer): Uint8Array {
  const data = /(?<=^|[\r\n])data: ?(\{.*)/;
  const event = bytes.toString().replace(data, (_, json) => `data: ${mendedText(json)}`);
  return new Uint8Array(Buffer.from(event));
}

/** What follows `data:` in an event. This is its JSON if that is in one line, as usual. */
function dataOf({ length, head, tail }: DroppedBytes): DroppedBytes {
  const start = head.toString().replace(/^.*?(?:^|[\r\n])data: ?/s, '');
  const end = tail.toString().replace(/[\r\n].*$/s, '');
  return { length, head: Buffer.from(start), tail: Buffer.from(end) };
}

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Returns a function that gets the chunks of one stream. In a chunk, from an index on, it finds the
 * end of the next event: an empty line, with any line ends. `undefined`: not in this chunk.
 */
function boundaryFinder(): (chunk: Uint8Array, from: number) => number | undefined {
  let isLineEmpty = true;
  let last = 0;
  return (chunk, from) => {
    for (let index = from; index < chunk.length; index++) {
      const byte = chunk[index];
      const isSecondHalf = byte === lineFeed && last === carriageReturn;
      last = byte ?? 0;
      if (isSecondHalf) {
        continue;
      }
      const isEnd = byte === lineFeed || byte === carriageReturn;
      if (isEnd && isLineEmpty) {
        return index + 1;
      }
      isLineEmpty = isEnd;
    }
    return undefined;
  };
}
