import type { RequestId } from '@modelcontextprotocol/server';
import { whenAborted } from './whenAborted.ts';

/** A way to the client: the answer to one of its requests, or the stream that it opened by GET. */
export interface OpenStream {
  /** The request; `undefined` for the stream opened by GET. */
  readonly relatedRequestId: RequestId | undefined;
  /** Aborted when the HTTP exchange that carries the stream is over. */
  readonly over: AbortSignal;
}

/** The streams of one session on which its client can be asked something. */
export class OpenStreams {
  private readonly streams = new Map<RequestId | undefined, OpenStream>();

  get isEmpty(): boolean {
    return this.streams.size === 0;
  }

  /** Takes a stream in; `onBroken` is called when it ends before it is finished. */
  add(stream: OpenStream, onBroken: () => void): void {
    const { relatedRequestId, over } = stream;
    this.streams.set(relatedRequestId, stream);
    whenAborted(over, () => {
      if (this.streams.get(relatedRequestId) === stream) {
        this.streams.delete(relatedRequestId);
        onBroken();
      }
    });
  }

  /** Says that nothing more comes on the stream of that request. */
  finish(id: RequestId): void {
    this.streams.delete(id);
  }

  /** Whether the stream of that request is open, and carries nothing for others of one batch. */
  isOpenAlone(id: RequestId): boolean {
    const over = this.streams.get(id)?.over;
    return [...this.streams.values()].filter(stream => stream.over === over).length === 1;
  }

  /**
   * The stream to ask on: that of the given request, or the newest of another one, because its
   * client surely listens there, or else the one opened by GET. `undefined`: none is open.
   */
  choose(preferred?: RequestId): OpenStream | undefined {
    const ofRequests = [...this.streams.values()].filter(
      ({ relatedRequestId }) => relatedRequestId !== undefined,
    );
    return (
      ofRequests.find(({ relatedRequestId }) => relatedRequestId === preferred) ??
      ofRequests.at(-1) ??
      this.streams.get(undefined)
    );
  }
}
