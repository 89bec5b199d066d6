import type { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';

/** The longest bodies of requests, in bytes. */
interface BodyLimits {
  readonly each: number;
  /** The sum over all requests that have not ended, of all connections. */
  readonly together: number;
}

/** The reason that a body was thrown away. */
export type BodyRefusal = 'too long' | 'no room';

/** A request of which the body was not read yet. */
interface Unread extends AsyncIterable<Buffer> {
  readonly headers: IncomingHttpHeaders;
}

/** Reads the bodies of all requests to one server, and bounds the memory that they take. */
export class Bodies {
  private readonly limits: BodyLimits;
  private taken = 0;

  constructor(limits: BodyLimits) {
    this.limits = limits;
  }

  /**
   * All that was sent, or why it was thrown away. What it takes counts until `outgoing`, the
   * answer to the request, is closed, however that comes about.
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
    // No room is set aside for an announced length: a client that only announces must not keep others out.
    const hasRoom = announced <= together - this.taken;
    let refusal: BodyRefusal | undefined =
      announced > each ? 'too long' : hasRoom ? undefined : 'no room';
    outgoing.once('close', () => take(-cost));
    // Read to its end in any case: to stop would cut the connection, and the answer with it.
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

/** The cost of a chunk besides its bytes: a body may be sent in chunks of one byte. */
const costOfChunk = 256;
