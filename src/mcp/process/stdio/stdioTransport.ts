import { once } from 'node:events';
import { type JSONRPCMessage, serializeMessage } from '@modelcontextprotocol/client';
import type { Event } from '../../../base/emitter.ts';
import { LineReader, longestMessage, withLineEnd } from '../../../base/lineReader.ts';
import { messageOf } from '../../../base/messageOf.ts';
import { within } from '../../../base/timeLimit.ts';
import { writeTogether } from '../../../base/writeTogether.ts';
import { HumanError } from '../../../domain/sentence.ts';
import type { Failure } from '../../../domain/servers/serverFailure.ts';
import { toFailure } from '../failure.ts';
import { MessageFlow } from '../messageFlow.ts';
import type { TakeMessage, Traffic, Wire } from '../wire.ts';
import { OutputReader, partsOf } from './outputReader.ts';
import type { Grace, ServerProcess } from './serverProcess.ts';

/**
 * Time limit from the end of the pipes to the end of their process, in milliseconds. On a busy
 * machine, the process may wait for its turn to end.
 */
const endLag = 2000;
/** Limit of our answers that a server has not read, in characters. Then we stop reading, too. */
const mostUnread = 256 * 1024;
const stopping = 'The server is being stopped.';

/**
 * MCP over the stdio of a process that already runs.
 *
 * The SDK's own transport starts a server twice to find its era. It also leaves processes of the
 * server behind, and hides how the server ended.
 */
export class StdioTransport implements Wire {
  readonly kind = 'process';
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  take?: TakeMessage;
  readonly onDidWriteStderr: Event<string>;
  readonly ended: Promise<Failure>;
  /** If `stderr` and `pid` exist, the SDK takes this for stdio, and probes only this process. */
  readonly stderr: null = null;
  private readonly process: ServerProcess;
  private readonly grace: Grace;
  private readonly flow = new MessageFlow(this, response => this.write(response));
  private reader: OutputReader | undefined;
  /** Settles when `onclose` has returned. Before `start`, it is settled. */
  private over: Promise<void> = Promise.resolve();
  private unread = 0;
  private hadClosedOutput = false;

  readonly onDidPass: Event<Traffic> = this.flow.onDidPass;

  constructor(process: ServerProcess, grace: Grace) {
    this.process = process;
    this.grace = grace;
    this.onDidWriteStderr = process.onDidWriteStderr;
    // The last lines are read before the end is reported.
    this.ended = process.ended.then(async end => {
      await this.reader?.idle();
      const failure = toFailure(end);
      const isMute = 'end' in failure && this.hadClosedOutput;
      return isMute ? { ...failure, hadClosedOutput: true } : failure;
    });
  }

  get pid(): number | null {
    return this.process.pid ?? null;
  }

  get lastLines(): readonly string[] {
    return this.process.lastLines;
  }

  get ending() {
    return this.process.ending;
  }

  async start(): Promise<void> {
    const lines = new LineReader(
      longestMessage,
      line => this.receive(line),
      bytes => this.flow.receiveUnread({ defect: 'long', bytes }),
    );
    const { stdout } = this.process.child;
    this.reader = new OutputReader(stdout, lines);
    stdout.once('end', () => void this.endUnlessEnding());
    this.over = this.ended.then(() => this.onclose?.());
  }

  /** Resolves when the operating system has the message; rejects when the pipe is broken. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.process.isStopping) {
      throw new HumanError(stopping);
    }
    const error = await new Promise<Error | null | undefined>(resolve => {
      this.write(message, resolve);
    });
    if (error) {
      // The end of the process says more than a broken pipe, so wait until the end was reported.
      if (await this.process.endsWithin(endLag)) {
        await this.over;
      }
      throw error;
    }
  }

  /** Sends the line. Reports no broken pipe, because the end of the process is reported anyway. */
  sendLine(message: JSONRPCMessage, line: Buffer): void {
    this.write(message, undefined, withLineEnd(line));
  }

  drained(): Promise<unknown> | undefined {
    const { stdin } = this.process.child;
    return stdin.writableNeedDrain && !stdin.destroyed
      ? Promise.race([once(stdin, 'drain'), once(stdin, 'close')]).catch(() => {})
      : undefined;
  }

  /** Settles after `onclose`. If the process can't be ended, settles without `onclose`. */
  async close(): Promise<void> {
    if (!this.process.isStopping) {
      this.cancelAll();
    }
    await this.process.stop(this.grace);
    await within(this.over, endLag, undefined);
  }

  async explain(error: unknown): Promise<Failure> {
    // After a failed handshake, the SDK ends the process. The end is then not the cause of the failure.
    return this.process.hasEndedByItself || this.hadClosedOutput
      ? this.ended
      : { kind: 'protocol', message: messageOf(error) };
  }

  kill(): void {
    this.process.kill();
  }

  /** Cancels open requests, because some servers (such as ours) answer open requests before they end. */
  private cancelAll(): void {
    for (const requestId of this.flow.cancellable) {
      const params = { requestId, reason: stopping };
      this.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    }
  }

  /** Ends a process that has closed its output, because it can't answer any more. */
  private async endUnlessEnding(): Promise<void> {
    const { child } = this.process;
    if (!(await this.process.endsWithin(endLag)) && child.exitCode === null && !child.signalCode) {
      this.hadClosedOutput = true;
      await this.process.stop(this.grace);
    }
  }

  private receive(line: Buffer): void {
    const parts = partsOf(line);
    for (const part of parts) {
      if (part.kind === 'unread') {
        this.flow.receiveUnread(part);
      } else {
        const isAlone = parts.length === 1 && !part.isMended;
        this.flow.receive(part.message, isAlone ? line : undefined);
      }
    }
  }

  private write(
    message: JSONRPCMessage,
    done?: (error?: Error | null) => void,
    line: string | Buffer = inOneLine(serializeMessage(message)),
  ): void {
    this.flow.send(message);
    // Our own requests don't count: a server that writes a long answer before it reads the next
    // request would wait for us, and we for it.
    const owed = 'method' in message ? 0 : line.length;
    this.countUnread(owed);
    writeTogether(this.process.child.stdin, line, error => {
      this.countUnread(-owed);
      done?.(error);
    });
  }

  /** If the server reads our answers too slowly, reads no output until it has read them. */
  private countUnread(change: number): void {
    this.unread += change;
    if (this.unread > mostUnread) {
      this.reader?.hold();
    } else if (this.unread === 0) {
      this.reader?.release();
    }
  }
}

/** Escapes two characters that some line readers take for line ends. JSON has them only in strings. */
function inOneLine(json: string): string {
  return /[\u2028\u2029]/.test(json)
    ? json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
    : json;
}
