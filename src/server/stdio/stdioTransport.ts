import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { LineReader } from '../../base/lineReader.ts';
import type { Logger } from '../../base/logger.ts';
import { Pacer } from '../../base/pacer.ts';
import { type ClientLine, clientLine, longestLine, longLine } from './clientLine.ts';
import { CountedOutput, type Source } from './countedOutput.ts';
import { jsonParts } from './jsonParts.ts';
import { PacedInput } from './pacedInput.ts';

/** What a {@link StdioTransport} works with. */
export interface StdioParts {
  readonly input: Readable;
  readonly output: Writable;
  /** Where answers come from. It is held still while the client does not read them. */
  readonly work: Source;
  readonly logger: Logger;
  /** Called once, when the client is gone or the connection was closed. */
  readonly leave: () => void;
}

/**
 * MCP over this process's own standard streams.
 *
 * The SDK's own transport ends at a message of 10 MB, passes over what is no message in silence,
 * and reads on while nobody reads the answers, until the memory is full.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly parts: StdioParts;
  private readonly lines: LineReader;
  private readonly input: PacedInput;
  private readonly output: CountedOutput;
  private readonly log: Pacer<string>;
  private refused = 0;
  private isClosed = false;

  constructor(parts: StdioParts) {
    this.parts = parts;
    this.lines = new LineReader(
      longestLine,
      line => this.take(clientLine(line)),
      line => this.take(longLine(line)),
    );
    this.input = new PacedInput(parts.input, piece => this.lines.push(piece));
    this.output = new CountedOutput(parts.output, this.input, parts.work);
    // A flood of lines must not become a flood in the log: that one, too, may have no reader.
    const log = ([first]: readonly string[]) => parts.logger.warn(first ?? '');
    this.log = new Pacer(log, { perSecond: 1, mostWaiting: 1 });
  }

  async start(): Promise<void> {
    const { input, output } = this.parts;
    this.input.start();
    input.on('end', this.end);
    input.on('close', this.end);
    input.on('error', this.fail);
    // It stays: a write that fails after the end must not end the process with a trace.
    output.on('error', this.fail);
  }

  /** Settles when the operating system has the message; rejects when nobody can read it. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.isClosed) {
      throw new Error('The connection is closed.');
    }
    await this.output.write(jsonParts(message), { counts: !('method' in message) });
  }

  async close(): Promise<void> {
    if (this.isClosed) {
      return;
    }
    this.isClosed = true;
    this.input.stop();
    this.log.dispose();
    this.onclose?.();
    this.parts.leave();
  }

  private readonly end = (): void => {
    const { pending } = this.lines;
    if (!this.isClosed && pending > 0) {
      const lost = `The last ${pending} bytes of standard input are no whole line and were ignored.`;
      this.parts.logger.warn(lost);
    }
    void this.close();
  };

  private readonly fail = (error: Error): void => {
    // A client that is gone is no failure of ours.
    if (!this.isClosed && !('code' in error && error.code === 'EPIPE')) {
      this.onerror?.(error);
    }
    void this.close();
  };

  private take(line: ClientLine | undefined): void {
    if (this.isClosed || !line) {
      return;
    }
    if ('message' in line) {
      this.onmessage?.(line.message);
      return;
    }
    const { code, message, id, isResponse } = line.refused;
    this.refused += 1;
    this.log.add(`Line ${this.refused} of the client that was refused: ${message}`);
    if (!isResponse) {
      // JSON-RPC answers to nobody with a null id, which the types of the SDK leave out.
      const answer = { jsonrpc: '2.0', id, error: { code, message } } as JSONRPCMessage;
      this.send(answer).catch(this.fail);
    }
  }
}
