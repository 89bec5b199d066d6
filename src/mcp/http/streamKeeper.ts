import type { FetchLike } from '@modelcontextprotocol/client';
import { longestTimer } from '../../base/pausableTimer.ts';

/** A server may ask for its stream to be opened again sooner, but not without a pause. */
const shortestPause = 200;

/**
 * Sees to it that the stream on which a server sends its messages is opened again, and at a pace. The
 * SDK does not open it again after a response on it, which it takes for the last thing to come: one
 * that nobody asked for would leave us deaf.
 */
export class StreamKeeper {
  private readonly openAgain: () => void;
  private readonly signal: AbortSignal;
  private open = 0;
  private wasOpen = false;
  private readonly pending = new Set<NodeJS.Timeout>();

  /**
   * @param openAgain called when there was a stream, and there is none, and will be none.
   * @param signal ends all this.
   */
  constructor(openAgain: () => void, signal: AbortSignal) {
    this.openAgain = openAgain;
    this.signal = signal;
    signal.addEventListener('abort', () => this.pending.forEach(timer => void clearTimeout(timer)));
  }

  /** For the SDK: opens a stream again after a while, and answers with what calls that off. */
  readonly schedule = (reopen: () => void, delay: number): (() => void) => {
    const run = () => {
      this.pending.delete(timer);
      reopen();
    };
    const timer = setTimeout(run, Math.min(Math.max(delay, shortestPause), longestTimer));
    this.pending.add(timer);
    return () => clearTimeout(timer);
  };

  watching(fetch: FetchLike): FetchLike {
    return async (url, init = {}) => {
      const response = await fetch(url, init);
      const { body, ok } = response;
      if (init.method !== 'GET' || !ok || !body) {
        return response;
      }
      // Another one goes on with the answer to a call, and is over when that is there.
      this.wasOpen ||= !new Headers(init.headers).has('last-event-id');
      return new Response(this.follow(body), response);
    };
  }

  private follow(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const passage = new TransformStream<Uint8Array, Uint8Array>();
    this.open += 1;
    const end = () => {
      this.open -= 1;
      // After the SDK has taken what came last, and decided.
      setImmediate(() => this.check());
    };
    body.pipeTo(passage.writable).then(end, end);
    return passage.readable;
  }

  private check(): void {
    const isSeenTo = this.signal.aborted || this.pending.size > 0;
    if (this.wasOpen && this.open === 0 && !isSeenTo) {
      this.schedule(this.openAgain, shortestPause);
    }
  }
}
