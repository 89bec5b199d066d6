import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Direction } from '../domain/traceLine.ts';
import { LineReader } from './lineReader.ts';
import type { Grace, ServerProcess } from './serverProcess.ts';

const longestLine = 8 * 1024 * 1024;

/** One message on its way, or a line from the server that was no message. */
export type Traffic =
  | { readonly kind: 'message'; readonly direction: Direction; readonly message: JSONRPCMessage }
  | { readonly kind: 'rubbish'; readonly length: number };

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
  /** With `pid` the sign by which the SDK knows a stdio transport and probes the era in place. */
  readonly stderr: null = null;
  private readonly process: ServerProcess;
  private readonly grace: Grace;
  private readonly didPass = new Emitter<Traffic>();

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
      line => this.receive(line),
      () => this.didPass.fire({ kind: 'rubbish', length: longestLine }),
    );
    this.process.child.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    void this.process.ended.then(() => this.onclose?.());
  }

  /** Settles when the message is handed to the operating system; rejects when the process is gone. */
  send(message: JSONRPCMessage): Promise<void> {
    this.didPass.fire({ kind: 'message', direction: 'to-server', message });
    return new Promise((resolve, reject) => {
      this.process.child.stdin.write(serializeMessage(message), error =>
        error ? reject(error) : resolve(),
      );
    });
  }

  async close(): Promise<void> {
    await this.process.stop(this.grace);
  }

  private receive(line: string): void {
    const message = parseMessage(line);
    if (message) {
      this.didPass.fire({ kind: 'message', direction: 'from-server', message });
      this.onmessage?.(message);
    } else if (line.trim() !== '') {
      this.didPass.fire({ kind: 'rubbish', length: line.length });
    }
  }
}

/** A print without a line end glues itself to the message after it, which is then still found. */
function parseMessage(line: string): JSONRPCMessage | undefined {
  return tryParse(line) ?? tryParse(line.slice(Math.max(0, line.lastIndexOf('{"jsonrpc"'))));
}

function tryParse(text: string): JSONRPCMessage | undefined {
  try {
    return deserializeMessage(text);
  } catch {
    return undefined; // Not an error of ours: the caller counts it as rubbish.
  }
}
