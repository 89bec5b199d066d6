import { PassThrough, pipeline, type Readable, type Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { finishLimit, leftUnanswered, whenRead } from '../../base/endOfInput.ts';
import { LineReader, longestMessage } from '../../base/lineReader.ts';
import type { Logger } from '../../base/logger.ts';
import { codeOf } from '../../base/messageOf.ts';
import { OpenRequests } from '../../base/openRequests.ts';
import { RateLimiter } from '../../base/rateLimiter.ts';
import { type ClientLine, clientLine, longLine } from './clientLine.ts';
import { jsonParts } from './jsonParts.ts';

/** The parts of a {@link StdioServerTransport}. */
interface StdioParts {
  readonly input: Readable;
  readonly output: Writable;
  /** The sources of answers. They are held still while the client does not read these. */
  readonly work: readonly Source[];
  readonly logger: Logger;
  /** Called once, when the client is gone or the connection was closed. */
  readonly leave: () => void;
}

/** The bytes that are read ahead while answers lie unread: more requests than the server takes at once. */
const mostAhead = 256 * 1024;

/**
 * MCP over this process's own standard streams.
 *
 * The SDK's own transport ends at a message of 10 MB, passes over lines that are no message in silence,
 * and reads on while nobody reads the answers, until the memory is full.
 */
export class StdioServerTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly parts: StdioParts;
  private readonly lines: LineReader;
  private readonly output: CountedOutput;
  private readonly log: RateLimiter<string>;
  private refused = 0;
  private isClosed = false;
  /** The client says nothing more, and so answers nothing. */
  private hasEnded = false;
  /** The requests of the client. */
  private readonly open = new OpenRequests<{ readonly method: string }>();
  /** The requests to the client. */
  private readonly asked = new OpenRequests<true>();
  /** Resolves with the answer to the handshake: before it the client hears of nothing else. (basic/lifecycle.) */
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
    // A flood of lines must not become a flood in the log: that one, too, may have no reader.
    const log = ([first]: readonly string[]) => parts.logger.warn(first ?? '');
    this.log = new RateLimiter(log, { perSecond: 1, mostWaiting: 1 });
  }

  async start(): Promise<void> {
    // It stays: a write that fails after the end must not end the process with a trace.
    this.parts.output.on('error', this.fail);
    void this.read();
  }

  /** Settles when the operating system has the message; rejects when nobody can read it. */
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
   * Takes a few lines at a time. A chunk may hold hundreds of requests: taken in one go, all of them
   * would be in memory together, in every stage of being answered.
   */
  private async read(): Promise<void> {
    // Read ahead while answers lie unread: only so the end of the input is heard of.
    const ahead = new PassThrough({ highWaterMark: mostAhead });
    const { input } = this.parts;
    const left = new Promise<'left'>(resolve => {
      input.once('end', () => setTimeout(() => resolve('left'), finishLimit));
    });
    pipeline(input, ahead, () => {
      // What goes wrong is thrown to who reads it.
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
      const lost = `Standard input ended within a line: its last ${pending} bytes were ignored.`;
      this.parts.logger.warn(lost);
    }
    await this.finish();
  }

  /** Closes it after the answers to what the client has asked before it closed its end, or errors instead. */
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
    // A client that is gone is no failure of ours.
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
      this.onmessage?.(line.message);
      return;
    }
    const { code, message, id, isResponse } = line.refused;
    this.refused += 1;
    this.log.add(`A line from the client was refused (${this.refused} so far): ${message}`);
    if (!isResponse) {
      // JSON-RPC answers to nobody with a null id, which the types of the SDK leave out.
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

const unavailable = -32000;
const inputEnded = 'The input of the server has ended, so nothing can be asked any more.';
const leftOpen =
  `The server ends, because its input has: this took more than ${finishLimit / 1000} seconds longer. ` +
  'Whether it did its work is not known. Keep the input open until the answer is there.';

/** So small that it holds few lines, and so large that a long line costs little more by it. */
const pieceSize = 512;
/** The lines after which the work that they caused has its turn. */
const linesAtOnce = 4;

/** The most characters of answers that may be unread before the client has to read first. */
const mostUnread = 4 * 1024 * 1024;
/** So few that the source goes on before the client has to wait for it. */
const fewUnread = 1024 * 1024;
/** About what an answer that waits to be written holds in memory besides its text, in characters. */
const waitCost = 4096;

/** Up to how many characters, with that cost, a copy is cheaper than one more thing to write. */
const shortLine = 32 * 1024;

/** A source of answers that can be held still while nobody reads them. */
interface Source {
  pause(): void;
  resume(): void;
}

/** Writes lines that come in parts, and holds their sources still while too many of them are unread. */
class CountedOutput {
  private readonly output: Writable;
  private readonly sources: readonly Source[];
  private unread = 0;
  private isJoining = false;
  private release = () => {};

  /** Settles when the client has read most of what is unread; `undefined` while that is not too much. */
  held: Promise<void> | undefined;

  constructor(output: Writable, sources: readonly Source[]) {
    this.output = output;
    this.sources = sources;
  }

  /**
   * Settles when the operating system has the line; rejects when nobody can read it.
   * Of a request of ours `counts` is false: the answer to it would not be read while it is held.
   */
  write(line: readonly string[], { counts }: { readonly counts: boolean }): Promise<void> {
    return new Promise((resolve, reject) => {
      const length = line.reduce((sum, part) => sum + part.length, waitCost);
      const cost = counts ? length : 0;
      const done = (error: Error | null | undefined) => {
        this.count(-cost);
        error ? reject(error) : resolve();
      };
      this.join();
      this.count(cost);
      if (length < shortLine) {
        this.output.write(`${line.join('')}\n`, done);
        return;
      }
      for (const part of line) {
        this.output.write(part);
      }
      // The line end goes alone: one string of both would be one more copy of a long line.
      this.output.write('\n', done);
    });
  }

  /** Lines that are written within one turn of the event loop go out in one piece. */
  private join(): void {
    if (!this.isJoining) {
      this.isJoining = true;
      this.output.cork();
      process.nextTick(() => {
        this.isJoining = false;
        this.output.uncork();
      });
    }
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
