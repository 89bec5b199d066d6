import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DroppedBytes, droppedBytes, GatheredBytes } from '../../base/lineReader.ts';
import { ComplexityLimit } from '../complexityLimit.ts';
import type { ReadingTurn } from '../readingTurn.ts';
import type { Defect, UnreadMessage } from '../unreadMessage.ts';

/** How server-sent events are read. */
interface EventReading {
  /** How many bytes an event may have. */
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

/** The part of an event that has arrived. */
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
