import type { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';

/** The longest bodies of requests, in bytes. */
interface BodyLimits {
  readonly each: number;
  /** The sum over all requests that have not ended, of all connections. */
  readonly together: number;
}

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
  async read(incoming: Unread, outgoing: EventEmitter): Promise<Buffer | 'too long' | 'no room'> {
    const body = new Body(this.refusalOf(Number(incoming.headers['content-length'] ?? 0)));
    outgoing.once('close', () => this.drop(body));
    // Read to its end in any case: to stop would cut the connection, and the answer with it.
    for await (const chunk of incoming) {
      this.add(chunk, body);
    }
    return body.refusal ?? Buffer.concat(body.chunks);
  }

  /** No room is set aside for an announced length: a client that only announces must not keep others out. */
  private refusalOf(announced: number): Body['refusal'] {
    const { each, together } = this.limits;
    if (announced > each) {
      return 'too long';
    }
    return announced > together - this.taken ? 'no room' : undefined;
  }

  private add(chunk: Buffer, body: Body): void {
    const cost = chunk.length + costOfChunk;
    body.length += chunk.length;
    if (body.length > this.limits.each) {
      body.refusal = 'too long';
    } else if (this.taken + cost > this.limits.together) {
      body.refusal ??= 'no room';
    }
    if (body.refusal) {
      this.drop(body);
    } else {
      body.chunks.push(chunk);
      body.cost += cost;
      this.taken += cost;
    }
  }

  private drop(body: Body): void {
    this.taken -= body.cost;
    body.cost = 0;
    body.chunks.length = 0;
  }
}

class Body {
  readonly chunks: Buffer[] = [];
  /** The bytes that were sent, kept or not. */
  length = 0;
  /** The bytes that are kept at the moment. */
  cost = 0;
  refusal: 'too long' | 'no room' | undefined;

  constructor(refusal: Body['refusal']) {
    this.refusal = refusal;
  }
}

/** The cost of a chunk besides its bytes: a body may be sent in chunks of one byte. */
const costOfChunk = 256;
