import type { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';

/** The limits for the bodies of requests, in bytes. */
interface BodyLimits {
  readonly each: number;
  /** The most bytes of all open requests together, over all connections. */
  readonly together: number;
}

/** The reason why a body was dropped. */
export type BodyRefusal = 'too long' | 'no room';

/** A request with an unread body. */
interface Unread extends AsyncIterable<Buffer> {
  readonly headers: IncomingHttpHeaders;
}

/** Reads the bodies of all requests to one server, and limits their memory. */
export class Bodies {
  private readonly limits: BodyLimits;
  private taken = 0;

  constructor(limits: BodyLimits) {
    this.limits = limits;
  }

  /**
   * Returns the whole body, or the reason why it was dropped. The body counts
   * towards the limit of memory until `outgoing`, the answer to the request, is closed.
   */
  async read(incoming: Unread, outgoing: EventEmitter): Promise<Buffer | BodyRefusal> {
    const { each, together } = this.limits;
    const announced = Number(incoming.headers['content-length'] ?? 0);
    const chunks: Buffer[] = [];
    let length = 0;
    let cost = 0;
    const take = (more: number) => {
      cost += more;
      this.taken += more;
    };
    // Reserves no memory for an announced length, because the client may never send the body.
    const hasRoom = announced <= together - this.taken;
    let refusal: BodyRefusal | undefined =
      announced > each ? 'too long' : hasRoom ? undefined : 'no room';
    outgoing.once('close', () => take(-cost));
    // Reads a refused body to its end, too. A stop would cut the connection, and the answer with it.
    for await (const chunk of incoming) {
      length += chunk.length;
      if (length > each) {
        refusal = 'too long';
      } else if (this.taken + chunk.length + costOfChunk > together) {
        refusal ??= 'no room';
      }
      if (refusal) {
        chunks.length = 0;
        take(-cost);
      } else {
        chunks.push(chunk);
        take(chunk.length + costOfChunk);
      }
    }
    return refusal ?? Buffer.concat(chunks);
  }
}

/** The memory of a chunk besides its bytes. A client may send a body in chunks of one byte. */
const costOfChunk = 256;
