import {
  deserializeMessage,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Result,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../base/emitter.ts';
import { LineReader } from '../base/lineReader.ts';
import type { Direction } from '../domain/traceLine.ts';
import type { Grace, ServerProcess } from './serverProcess.ts';

const longestLine = 8 * 1024 * 1024;
/** How long the end of a process may come after the broken pipe that it causes, in milliseconds. */
const endLag = 500;
/** How many characters of answers a server may leave unread before it is read from no further. */
const mostUnread = 256 * 1024;

/** One message on its way, or a line from the server that was no message. */
export type Traffic =
  | { readonly kind: 'message'; readonly direction: Direction; readonly message: JSONRPCMessage }
  | { readonly kind: 'rubbish'; readonly length: number };

/** What a request is answered with. */
export type ResponseBody =
  | { readonly result: Result }
  | { readonly error: { readonly code: number; readonly message: string } };

/** Sends the response to one request. */
export type Reply = (response: ResponseBody) => void;

/**
 * MCP over the stdio of a process that is already started.
 *
 * The SDK's own transport starts a server twice to find out its era, leaves the processes a server
 * started behind, and hides how a server ended.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Whether it replies to a request, now or later. `false` leaves the request to `onmessage`. */
  takeRequest?: (request: JSONRPCRequest, reply: Reply) => boolean;
  /** With `pid` the sign by which the SDK knows a stdio transport and probes the era in place. */
  readonly stderr: null = null;
  private readonly process: ServerProcess;
  private readonly grace: Grace;
  private readonly didPass = new Emitter<Traffic>();
  private unread = 0;

  /** Everything that goes over the wire, in its order. */
  readonly onDidPass: Event<Traffic> = this.didPass.event;

  constructor(process: ServerProcess, grace: Grace) {
    this.process = process;
    this.grace = grace;
  }

  get pid(): number | null {
    return this.process.pid ?? null;
  }

  async start(): Promise<void> {
    const reader = new LineReader(
      longestLine,
      line => this.receive(line.toString()),
      () => this.didPass.fire({ kind: 'rubbish', length: longestLine }),
    );
    this.process.child.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    this.process.child.stdout.on('end', () => reader.end());
    void this.process.ended.then(() => this.onclose?.());
  }

  /** Settles when the message is handed to the operating system; rejects when the pipe is broken. */
  async send(message: JSONRPCMessage): Promise<void> {
    const error = await new Promise<Error | null | undefined>(resolve => {
      this.write(message, resolve);
    });
    if (error) {
      // How the process ended says more than that it no longer listens, so that is heard first.
      await this.process.endsWithin(endLag);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.process.stop(this.grace);
  }

  private receive(line: string): void {
    const whole = tryParse(line);
    // A print without a line end glues itself to the message after it, which is then still found.
    const start = whole ? 0 : Math.max(0, line.lastIndexOf('{"jsonrpc"'));
    const message = whole ?? tryParse(line.slice(start));
    const rubbish = message ? line.slice(0, start) : line;
    if (rubbish.trim() !== '') {
      this.didPass.fire({ kind: 'rubbish', length: rubbish.length });
    }
    if (message) {
      this.didPass.fire({ kind: 'message', direction: 'from-server', message });
      this.deliver(message);
    }
  }

  private deliver(message: JSONRPCMessage): void {
    const isRequest = 'method' in message && 'id' in message;
    if (!isRequest || !this.takeRequest?.(message, this.replyTo(message))) {
      this.onmessage?.(message);
    }
  }

  private replyTo({ id }: JSONRPCRequest): Reply {
    return response => this.write({ jsonrpc: '2.0', id, ...response });
  }

  private write(message: JSONRPCMessage, done?: (error?: Error | null) => void): void {
    this.didPass.fire({ kind: 'message', direction: 'to-server', message });
    const line = serializeMessage(message);
    // Our own requests don't count: a server that writes a long answer before it reads the next
    // request would wait for us, and we for it.
    const owed = 'method' in message ? 0 : line.length;
    this.countUnread(owed);
    this.process.child.stdin.write(line, error => {
      this.countUnread(-owed);
      done?.(error);
    });
  }

  /** A server that asks faster than it reads the answers is read from again once it has read them. */
  private countUnread(change: number): void {
    const { stdout } = this.process.child;
    this.unread += change;
    if (this.unread > mostUnread) {
      stdout.pause();
    } else if (this.unread === 0 && stdout.isPaused()) {
      stdout.resume();
    }
  }
}

function tryParse(text: string): JSONRPCMessage | undefined {
  try {
    return deserializeMessage(text);
  } catch {
    return undefined; // Not an error of ours: the caller counts it as rubbish.
  }
}
