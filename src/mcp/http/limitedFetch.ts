import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import {
  type DroppedBytes,
  droppedBytes,
  GatheredBytes,
  longestMessage,
} from '../../base/lineReader.ts';
import { ComplexityLimit } from '../complexityLimit.ts';
import { ReadingTurn } from '../readingTurn.ts';
import { type Defect, type UnreadMessage, unreadSentence } from '../unreadMessage.ts';
import { OutageError, refusalText } from './httpFailure.ts';

/** Limit of a refusal in bytes, which is for a person to read. */
const longestRefusal = 64 * 1024;
const tooLong = 'x'.repeat(longestRefusal);
const events = 'text/event-stream';

/**
 * A fetch that reads no answer, and no server-sent event, that is longer or more complex than a
 * message may be. Such an answer fails, and such an event is left out; floods of events are read in
 * turns, all streams together.
 *
 * @param onUnread is told of each event that is left out.
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

/** The refusal, cut for the row of a server or the error of a call, where a person reads it. */
async function refusalOf(response: Response, body: ReadableStream<Uint8Array>): Promise<Response> {
  const limited = new Response(body.pipeThrough(filterOf(lengthCheck(longestRefusal))));
  const text = await limited.text().catch(() => tooLong);
  const { status, headers } = response;
  return new Response(refusalText(status, text, headers.get('content-type')), response);
}

/** Whether the SDK reads it as events: it does so whenever it asked for nothing else. */
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

/** The SDK takes all messages of a list in one turn. None of the revisions we speak needs lists. */
const longestList = 64 * 1024;
const openingList = 0x5b;
const openingObject = 0x7b;

/** Looks at the next part of an answer. @throws when the answer is not to be read any further. */
type PartCheck = (part: Uint8Array) => void;

/** Fails an answer that is too long, or too complex, to be read as a message, or no UTF-8. */
function messageFilter(): TransformStream<Uint8Array, Uint8Array> {
  const complexity = new ComplexityLimit();
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
    if (complexity.add(part)) {
      throw new Error(unreadSentence('complex'));
    }
  });
}

function lengthCheck(
  longest: number,
  told = `The answer is longer than ${longest} bytes.`,
): PartCheck {
  let length = 0;
  return part => {
    length += part.length;
    if (length > longest) {
      throw new Error(told);
    }
  };
}

function filterOf(check: PartCheck): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(part, controller) {
      check(part);
      controller.enqueue(part);
    },
  });
}

interface EventReading {
  /** Limit of an event in bytes. */
  readonly longest: number;
  readonly turn: ReadingTurn;
  /** Is told once of each event that is left out, at the end of the event or of the stream. */
  readonly onUnread: (message: UnreadMessage) => void;
}

/**
 * Lets server-sent events through, each as a whole and in its turn. One that is too long, too
 * complex or no UTF-8 is left out, and the events after it arrive as if it had not been there.
 */
export function eventFilter(reading: EventReading): TransformStream<Uint8Array, Uint8Array> {
  const find = boundaryFinder();
  const event = new HeldEvent(reading);
  return new TransformStream({
    async transform(chunk, controller) {
      for (let start = 0; start < chunk.length; ) {
        while (reading.turn.isOver()) {
          await nextTurn();
        }
        const end = find(chunk, start);
        const part = chunk.subarray(start, end);
        event.add(part);
        if (end !== undefined) {
          event.finish(bytes => controller.enqueue(bytes));
        }
        start += part.length;
      }
    },
    flush: () => event.breakOff(),
  });
}

class HeldEvent {
  private readonly reading: EventReading;
  private readonly held: GatheredBytes;
  private complexity = new ComplexityLimit();
  private isComplex = false;

  constructor(reading: EventReading) {
    this.reading = reading;
    this.held = new GatheredBytes(reading.longest);
  }

  add(part: Uint8Array): void {
    this.held.add(part);
    if (!this.held.dropped && this.complexity.add(part)) {
      this.isComplex = true;
      this.held.drop();
    }
  }

  /** Ends the event: passes it on unless it is left out, and begins the next one. */
  finish(pass: (bytes: Uint8Array) => void): void {
    const { bytes, dropped } = this.held;
    if (dropped) {
      this.leaveOut(this.isComplex ? 'complex' : 'long', dropped);
    } else if (isUtf8(bytes)) {
      pass(new Uint8Array(bytes));
    } else {
      this.leaveOut('malformed', droppedBytes(bytes));
    }
    this.held.clear();
    this.complexity = new ComplexityLimit();
    this.isComplex = false;
  }

  /** Ends the stream: an event that has not ended is dropped, and one that was left out reported. */
  breakOff(): void {
    if (this.held.dropped) {
      this.finish(() => {});
    }
  }

  private leaveOut(defect: Defect, bytes: DroppedBytes): void {
    this.reading.onUnread({ defect, bytes: dataOf(bytes) });
  }
}

/** The data of an event, where it is one line, as JSON is written. */
function dataOf({ length, head, tail }: DroppedBytes): DroppedBytes {
  const start = head.toString().replace(/^.*?(?:^|[\r\n])data: ?/s, '');
  const end = tail.toString().replace(/[\r\n].*$/s, '');
  return { length, head: Buffer.from(start), tail: Buffer.from(end) };
}

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Finds, in the chunks of one stream of server-sent events, where the next event at or after an index
 * ends: behind an empty line, however lines end. `undefined`: not in this chunk.
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
