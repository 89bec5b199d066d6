import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GatheredBytes } from '../../base/gatheredBytes.ts';
import { JsonGauge } from '../jsonGauge.ts';
import type { ReadingTurn } from '../readingTurn.ts';
import { boundaryFinder } from './eventBoundaries.ts';

/** How server-sent events are read. */
export interface EventReading {
  /** How many bytes an event may have. */
  readonly longest: number;
  readonly turn: ReadingTurn;
  /** Told once of each event that is left out, with how much of it had come by then. */
  readonly onRubbish: (length: number) => void;
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
  });
}

/** What has come of an event. */
class HeldEvent {
  private readonly reading: EventReading;
  private readonly held: GatheredBytes;
  private gauge = new JsonGauge();
  private isLeftOut = false;

  constructor(reading: EventReading) {
    this.reading = reading;
    this.held = new GatheredBytes(reading.longest);
  }

  add(part: Uint8Array): void {
    const { longest } = this.reading;
    if (this.isLeftOut) {
      return;
    }
    if (this.held.length + part.length > longest) {
      this.leaveOut(longest);
    } else {
      this.held.add(part);
      if (this.gauge.add(part)) {
        this.leaveOut(this.held.length);
      }
    }
  }

  /** It is over: it goes on unless it is left out, and what comes next is another one. */
  finish(pass: (bytes: Uint8Array) => void): void {
    const { bytes } = this.held;
    if (!this.isLeftOut && !isUtf8(bytes)) {
      this.leaveOut(bytes.length);
    }
    if (!this.isLeftOut) {
      pass(new Uint8Array(bytes));
    }
    this.held.clear();
    this.gauge = new JsonGauge();
    this.isLeftOut = false;
  }

  private leaveOut(length: number): void {
    this.isLeftOut = true;
    this.held.clear();
    this.reading.onRubbish(length);
  }
}
