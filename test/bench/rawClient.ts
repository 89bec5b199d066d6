import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A JSON-RPC message; its receiver checks the parts. */
interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: ToolResult & Record<string, unknown>;
  readonly error?: unknown;
}

export interface ToolResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** An answer, and when its last byte came: what reading it costs does not count. */
export interface Answer {
  readonly result: ToolResult & Record<string, unknown>;
  readonly at: number;
}

/** How a server is started. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

export interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * The cheapest possible client, so that the bench measures the server. It speaks newline-JSON of
 * the older protocol, which every server here knows, and serves roots.
 */
export class RawClient {
  readonly process: ChildProcessWithoutNullStreams;
  private readonly roots: readonly string[];
  private readonly waiting = new Map<number, (message: Message, at: number) => void>();
  private readonly lines = new LineSplitter((line, at) => this.receive(line, at));
  private failure: Error | undefined;
  private lastId = 0;

  constructor({ command, args, ...where }: Launch, roots: readonly string[]) {
    this.roots = roots;
    this.process = spawn(command, args, where);
    let said = '';
    this.process.stderr.setEncoding('utf8').on('data', text => {
      said = (said + text).slice(-2000);
    });
    this.process.stdout.on('data', (chunk: Buffer) => this.lines.add(chunk));
    this.process.stdin.on('error', () => {});
    this.process.once('close', () => this.fail(`${args.join(' ')} has ended. It said: ${said}`));
  }

  /** The handshake. Done when the server has answered. */
  async initialize(): Promise<void> {
    await this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: { roots: { listChanged: true } },
      clientInfo: { name: 'bench', version: '1' },
    });
    this.send({ method: 'notifications/initialized' });
  }

  call({ name, arguments: args }: Call): Promise<Answer> {
    return this.request('tools/call', { name, arguments: args });
  }

  /** @throws when the server answers with an error or ends. */
  private request(method: string, params: object): Promise<Answer> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      if (this.failure) {
        reject(this.failure);
        return;
      }
      this.waiting.set(id, ({ result, error }, at) => {
        if (result) {
          resolve({ result, at });
        } else {
          reject(new Error(`${method} failed: ${JSON.stringify(error)}`));
        }
      });
      this.send({ id, method, params });
    });
  }

  async close(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const gone = once(this.process, 'close');
      this.process.kill('SIGKILL');
      await gone;
    }
  }

  private receive(line: Buffer, at: number): void {
    const message: Message = JSON.parse(line.toString('utf8'));
    if (message.method === 'roots/list') {
      const roots = this.roots.map(uri => ({ uri }));
      this.send({ id: message.id, result: { roots } });
    } else if (message.method === undefined) {
      const id = Number(message.id);
      const settle = this.waiting.get(id);
      this.waiting.delete(id);
      settle?.(message, at);
    }
  }

  private send(message: object): void {
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  private fail(reason: string): void {
    this.failure = new Error(reason);
    for (const settle of this.waiting.values()) {
      settle({ error: reason }, performance.now());
    }
    this.waiting.clear();
  }
}

const lineFeed = 10;

/** Cuts a stream of bytes into lines. No byte of a long line is looked at twice. */
class LineSplitter {
  private readonly onLine: (line: Buffer, at: number) => void;
  private pieces: Buffer[] = [];

  /** `onLine` gets the time when the line was complete. */
  constructor(onLine: (line: Buffer, at: number) => void) {
    this.onLine = onLine;
  }

  add(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const at = performance.now();
      const last = chunk.subarray(from, end);
      const line = this.pieces.length === 0 ? last : Buffer.concat([...this.pieces, last]);
      this.pieces = [];
      from = end + 1;
      this.onLine(line, at);
    }
    if (from < chunk.length) {
      this.pieces.push(chunk.subarray(from));
    }
  }
}
