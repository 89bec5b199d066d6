import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DroppedBytes, droppedBytes, GatheredBytes } from '../../base/gatheredBytes.ts';
import { JsonGauge } from '../jsonGauge.ts';
import type { ReadingTurn } from '../readingTurn.ts';
import type { Defect, UnreadMessage } from '../unreadMessage.ts';
import { boundaryFinder } from './eventBoundaries.ts';

/** How server-sent events are read. */
export interface EventReading {
  /** How many bytes an event may have. */
  readonly longest: number;
  readonly turn: ReadingTurn;
  /** Told once of each event that is left out, at its end or that of the stream. */
  readonly onUnread: (message: UnreadMessage) => void;
}

/**
 * Lets server-sent events through, each as a whole and in its turn. One that is too long, too
 * intricate or no UTF-8 is left out, and the events after it arrive as if it had not been there.
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

/** What has come of an event. */
class HeldEvent {
  private readonly reading: EventReading;
  private readonly held: GatheredBytes;
  private gauge = new JsonGauge();
  private isIntricate = false;

  constructor(reading: EventReading) {
    this.reading = reading;
    this.held = new GatheredBytes(reading.longest);
  }

  add(part: Uint8Array): void {
    this.held.add(part);
    if (!this.held.dropped && this.gauge.add(part)) {
      this.isIntricate = true;
      this.held.drop();
    }
  }

  /** It is over: it goes on unless it is left out, and what comes next is another one. */
  finish(pass: (bytes: Uint8Array) => void): void {
    const { bytes, dropped } = this.held;
    if (dropped) {
      this.leaveOut(this.isIntricate ? 'intricate' : 'long', dropped);
    } else if (isUtf8(bytes)) {
      pass(new Uint8Array(bytes));
    } else {
      this.leaveOut('malformed', droppedBytes(bytes));
    }
    this.held.clear();
    this.gauge = new JsonGauge();
    this.isIntricate = false;
  }

  /** The stream is over, and the event without end: what of it would have gone on is forgotten. */
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
