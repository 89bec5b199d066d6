import { PassThrough, pipeline, type Readable, type Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { finishLimit, leftUnanswered, whenRead } from '../../base/endOfInput.ts';
import { LineReader, longestMessage } from '../../base/lineReader.ts';
import type { Logger } from '../../base/logger.ts';
import { codeOf } from '../../base/messageOf.ts';
import { OpenRequests } from '../../base/openRequests.ts';
import { RateLimiter } from '../../base/rateLimiter.ts';
import { writeTogether } from '../../base/writeTogether.ts';
import { type ClientLine, clientLine, longLine } from './clientLine.ts';
import { jsonParts } from './jsonParts.ts';

/** The parts of a {@link StdioServerTransport}. */
interface StdioParts {
  readonly input: Readable;
  readonly output: Writable;
  /** The sources of answers, paused while the client does not read its answers. */
  readonly work: readonly Source[];
  readonly logger: Logger;
  /** Called once, when the client is gone or the connection was closed. */
  readonly leave: () => void;
}

/** The bytes that are read ahead while answers are unread. More requests fit in than run at the same time. */
const mostAhead = 256 * 1024;

/**
 * MCP over this process's standard streams.
 *
 * Replaces the SDK's transport, which fails at a message of 10 MB and silently skips lines that are
 * not messages. The SDK's transport also keeps reading while nobody reads its answers, until memory runs out.
 */
export class StdioServerTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly parts: StdioParts;
  private readonly lines: LineReader;
  private readonly output: CountedOutput;
  private readonly log: RateLimiter<string>;
  private isClosed = false;
  /** Whether the input has ended. After that, the client cannot answer requests either. */
  private hasEnded = false;
  /** The client's requests without an answer yet. */
  private readonly open = new OpenRequests<{ readonly method: string }>();
  /** The server's requests without an answer of the client yet. */
  private readonly asked = new OpenRequests<true>();
  /** Resolves when `initialize` is answered. MCP forbids other messages before that. */
  private opening: Promise<void> | undefined;
  private endOpening = () => {};

  constructor(parts: StdioParts) {
    this.parts = parts;
    this.lines = new LineReader(
      longestMessage,
      line => this.take(clientLine(line)),
      line => this.take(longLine(line)),
    );
    this.output = new CountedOutput(parts.output, parts.work);
    // A flood of lines must not flood the log: the log, too, may have no reader.
    const log = ([first]: readonly string[]) => parts.logger.warn(first ?? '');
    this.log = new RateLimiter(log, { perSecond: 1, mostWaiting: 1 });
  }

  async start(): Promise<void> {
    // The listener stays, because a write that fails after the end must not crash the process.
    this.parts.output.on('error', this.fail);
    void this.read();
  }

  /** Settles when the operating system has the message. Rejects if nobody can read the message. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.isClosed) {
      throw new Error('The connection is closed.');
    }
    if ('method' in message && this.opening !== undefined) {
      await this.opening;
    }
    if ('method' in message && 'id' in message) {
      if (this.hasEnded) {
        throw new Error(inputEnded);
      }
      this.asked.open(message.id, true);
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      this.asked.settle(message.params?.['requestId']);
    }
    const isAnswer = !('method' in message);
    const written = this.output.write(jsonParts(message), { counts: isAnswer });
    if (isAnswer) {
      this.settle(message.id);
    }
    await written;
  }

  private settle(id: unknown): void {
    if (this.open.settle(id)?.method === 'initialize') {
      this.endOpening();
      this.opening = undefined;
    }
  }

  async close(): Promise<void> {
    if (this.isClosed) {
      return;
    }
    this.isClosed = true;
    this.log.dispose();
    this.open.endAll();
    this.onclose?.();
    await whenRead(this.parts.output);
    this.parts.leave();
  }

  /**
   * Takes a few lines at a time, because a chunk may hold hundreds of requests. Without pauses, all
   * requests and their answers would be in memory together.
   */
  private async read(): Promise<void> {
    // Reads ahead while answers are unread. Otherwise, nobody would notice the end of the input.
    const ahead = new PassThrough({ highWaterMark: mostAhead });
    const { input } = this.parts;
    const left = new Promise<'left'>(resolve => {
      input.once('end', () => setTimeout(() => resolve('left'), finishLimit));
    });
    pipeline(input, ahead, () => {
      // The loop that reads `ahead` throws the error.
    });
    try {
      for await (const chunk of ahead) {
        let lines = 0;
        for (let at = 0; at < chunk.length && !this.isClosed; at += pieceSize) {
          if (lines >= linesAtOnce) {
            await nextTurn();
            lines = 0;
          }
          const { held } = this.output;
          if (held && (await Promise.race([held, left])) === 'left') {
            await this.close();
            break;
          }
          lines += this.lines.push(chunk.subarray(at, at + pieceSize));
        }
      }
    } catch (error) {
      this.fail(error as Error);
    }
    const { pending } = this.lines;
    if (!this.isClosed && pending > 0) {
      this.parts.logger.warn(lostLine(pending));
    }
    await this.finish();
  }

  /** Waits for answers after the end of the input. Sends errors in place of late answers, and closes. */
  private async finish(): Promise<void> {
    this.hasEnded = true;
    for (const [id] of this.asked.endAll()) {
      this.onmessage?.({ jsonrpc: '2.0', id, error: { code: unavailable, message: inputEnded } });
    }
    for (const [id] of await leftUnanswered(this.open)) {
      const error = { code: unavailable, message: leftOpen };
      this.send({ jsonrpc: '2.0', id, error }).catch(this.fail);
    }
    await this.close();
  }

  private readonly fail = (error: Error): void => {
    // A client that is gone is not an error of this server.
    if (!this.isClosed && codeOf(error) !== 'EPIPE') {
      this.onerror?.(error);
    }
    void this.close();
  };

  private take(line: ClientLine | undefined): void {
    if (this.isClosed || !line) {
      return;
    }
    if ('message' in line) {
      this.note(line.message);
      const refusal = revisionRefusal(line.message);
      if (refusal) {
        this.send(refusal).catch(this.fail);
      } else {
        this.onmessage?.(line.message);
      }
      return;
    }
    const { code, message, id, isResponse } = line.refused;
    this.log.add(refusedLine(message));
    if (!isResponse) {
      // JSON-RPC uses a null id for an unknown request; the SDK's types leave that out.
      const answer = { jsonrpc: '2.0', id, error: { code, message } } as JSONRPCMessage;
      this.send(answer).catch(this.fail);
    }
  }

  private note(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      this.asked.settle(this.asked.idOf(message.id));
    } else if (!('id' in message)) {
      if (message.method === 'notifications/cancelled') {
        this.settle(message.params?.['requestId']);
      }
    } else if (
      this.open.open(message.id, { method: message.method }) &&
      message.method === 'initialize'
    ) {
      this.opening ??= new Promise(resolve => {
        this.endOpening = resolve;
      });
    }
  }
}

/** The error for a request in an unknown revision. The SDK checks only the first request. */
function revisionRefusal(request: JSONRPCMessage): JSONRPCMessage | undefined {
  const requested = 'method' in request && request.params?._meta?.[PROTOCOL_VERSION_META_KEY];
  const known: readonly unknown[] = [modern, ...SUPPORTED_PROTOCOL_VERSIONS];
  if (!('id' in request) || typeof requested !== 'string' || known.includes(requested)) {
    return undefined;
  }
  const { code, message, data } = new UnsupportedProtocolVersionError({
    supported: [modern],
    requested,
  });
  return { jsonrpc: '2.0', id: request.id, error: { code, message, data } };
}

function lostLine(bytes: number): string {
  return `Standard input ended within a line. The server ignored the last ${bytes} bytes.`;
}

function refusedLine(why: string): string {
  return `The server refused a line from the client: ${why}`;
}

const modern = '2026-07-28';
const unavailable = -32000;
const inputEnded =
  "The server's input has ended, so the server can't ask the client anything. Keep the input open.";
const leftOpen =
  `The server's input ended, and this call did not finish within ${finishLimit / 1000} seconds. ` +
  'The call may have taken effect. Keep the input open until the answer arrives.';

/** The bytes of a piece: small enough to hold few lines, and large enough to cut a long line quickly. */
const pieceSize = 512;
/** The number of lines that are taken before the work for them gets its turn. */
const linesAtOnce = 4;

/** The most characters of unread answers. At this number, the sources of answers pause. */
const mostUnread = 4 * 1024 * 1024;
/** The number of unread characters at which sources resume: early, so that the client never waits. */
const fewUnread = 1024 * 1024;
/** The memory of a waiting answer besides its text, roughly, in characters. */
const waitCost = 4096;

/** A source of answers that can be paused while nobody reads them. */
interface Source {
  pause(): void;
  resume(): void;
}

/** Writes lines, and pauses the sources of answers while too many answers are unread. */
class CountedOutput {
  private readonly output: Writable;
  private readonly sources: readonly Source[];
  private unread = 0;
  private release = () => {};

  /** Settles when the client has read most of the unread answers. `undefined`: few are unread. */
  held: Promise<void> | undefined;

  constructor(output: Writable, sources: readonly Source[]) {
    this.output = output;
    this.sources = sources;
  }

  /**
   * Settles when the operating system has the line. Rejects if nobody can read the line. For requests to
   * the client, `counts` is false. Otherwise, they could pause the input that brings their answers.
   */
  write(line: readonly string[], { counts }: { readonly counts: boolean }): Promise<void> {
    return new Promise((resolve, reject) => {
      const cost = counts ? line.reduce((sum, { length }) => sum + length, waitCost) : 0;
      const done = (error: Error | null | undefined) => {
        this.count(-cost);
        error ? reject(error) : resolve();
      };
      this.count(cost);
      for (const part of line.slice(0, -1)) {
        writeTogether(this.output, part);
      }
      writeTogether(this.output, `${line.at(-1)}\n`, done);
    });
  }

  private count(change: number): void {
    this.unread += change;
    if (!this.held && this.unread > mostUnread) {
      for (const source of this.sources) {
        source.pause();
      }
      this.held = new Promise(resolve => {
        this.release = resolve;
      });
    } else if (this.held && this.unread < fewUnread) {
      for (const source of this.sources) {
        source.resume();
      }
      this.release();
      this.held = undefined;
    }
  }
}
