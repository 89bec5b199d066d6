import { afterReal } from '../../base/clock.ts';
import { type DroppedBytes, LineReader, longestMessage } from '../../base/lineReader.ts';
import { writeTogether } from '../../base/writeTogether.ts';
import type { Hello } from '../../connect/gatewayLink.ts';
import type { Relay } from '../../mcp/link/relay.ts';
import type { GatewayConnection } from './gatewaySocket.ts';

type ClientMessage = Parameters<Relay['takeFromClient']>[0];

/** @param line the received bytes without the line end, valid only during the call. */
type OnMessage = (message: ClientMessage, line: Buffer) => void;

/** The most bytes that a client may leave unread. */
const mostUnread = 8 * longestMessage;
/** The most bytes that are read before `listen` is called. After these, reading waits for it. */
const mostEarly = 1024 * 1024;

/** How long a connector may take to read the last bytes, in milliseconds. */
const longestGoodbye = 2000;

const parseError = -32700;
const invalidRequest = -32600;

/** The messages of one client. They come through its connector. */
export class ClientSocket {
  readonly hello: Hello;
  /** The client's first message, which `listen` also gets. `undefined`: the client sent none. */
  readonly first: Promise<ClientMessage | undefined>;
  /** Resolves when the client has left. */
  readonly closed: Promise<unknown>;
  private readonly socket: GatewayConnection['socket'];
  private readonly lines = new LineReader(
    longestMessage,
    line => this.take(line),
    dropped => this.reject(invalidRequest, tooLong(dropped)),
  );
  /** Lines that came before {@link listen}. */
  private readonly early: { readonly message: ClientMessage; readonly line: Buffer }[] = [];
  private meet: (first: ClientMessage | undefined) => void = () => {};
  private earlyBytes = 0;
  private onMessage: OnMessage = (message, line) => {
    this.early.push({ message, line: Buffer.from(line) });
    this.earlyBytes += line.length;
    if (this.earlyBytes > mostEarly) {
      this.socket.pause();
    }
    this.meet(message);
  };
  private onFull: () => Promise<unknown> | undefined = () => undefined;

  /** Accepts the connector. Messages of its client wait until {@link listen}. */
  constructor({ hello, socket }: GatewayConnection) {
    this.hello = hello;
    this.socket = socket;
    this.first = new Promise(resolve => (this.meet = resolve));
    this.closed = new Promise(resolve => socket.on('close', resolve));
    void this.closed.then(() => this.meet(undefined));
    this.write('{"mcpRoots":"welcome"}\n');
    // Only a read from the socket shows that a client has left.
    socket.on('data', chunk => this.read(chunk)).resume();
  }

  /** Takes the messages. If `onFull` returns a promise, reading pauses until it settles. */
  listen(onMessage: OnMessage, onFull: () => Promise<unknown> | undefined): void {
    this.onMessage = onMessage;
    this.onFull = onFull;
    for (const { message, line } of this.early.splice(0)) {
      onMessage(message, line);
    }
    this.socket.resume();
    this.waitWhileFull();
  }

  /** @param line the message with its line end. */
  write(line: string | Buffer): void {
    const { socket } = this;
    writeTogether(socket, line);
    if (socket.writableLength > mostUnread) {
      socket.destroy();
    }
  }

  /**
   * Tells the connector that the session is over, and ends the connection.
   *
   * @param passedOn the ids of requests that were passed on to the server and have no answer yet.
   * @param message why a new connection would be useless, in a whole sentence.
   * @param isUsed whether the next session needs a process at once.
   */
  bye(passedOn: Relay['passedOn'], message?: string, isUsed?: boolean): void {
    if (this.socket.writable) {
      this.socket.write(`${JSON.stringify({ mcpRoots: 'bye', passedOn, message, isUsed })}\n`);
      this.close();
    }
  }

  /** Ends the connection after the written bytes are sent, or after a short time. */
  close(): void {
    const { socket } = this;
    // Reads and drops further bytes, because a connector that can't write would not read either.
    socket.removeAllListeners('data').resume().end();
    const tooLate = afterReal(longestGoodbye, () => socket.destroy());
    socket.once('close', () => tooLate.dispose());
  }

  private read(chunk: Buffer): void {
    this.lines.push(chunk);
    this.waitWhileFull();
  }

  private waitWhileFull(): void {
    const { socket } = this;
    const full = this.onFull();
    if (full !== undefined) {
      socket.pause();
      void full.finally(() => socket.resume());
    }
  }

  private take(line: Buffer): void {
    let message: unknown;
    try {
      message = JSON.parse(line.toString());
    } catch {
      this.reject(parseError, 'The message is not JSON.');
      return;
    }
    if (isMessage(message)) {
      this.onMessage(message, line);
    } else {
      this.reject(
        invalidRequest,
        'The message is not a JSON-RPC message. Batches are not supported.',
      );
    }
  }

  private reject(code: number, message: string): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`);
  }
}

const members: ReadonlySet<string> = new Set('jsonrpc id method params result error'.split(' '));

/** Whether this is one call or answer. Other members fail: a server may read "Method", too. */
function isMessage(value: unknown): value is ClientMessage {
  const { jsonrpc, id, method, result, error, params } = Object(value);
  const hasId = typeof id === 'string' || typeof id === 'number';
  const answers = result !== undefined || error !== undefined;
  const isCall = typeof method === 'string' && (id === undefined || hasId) && !answers;
  const isAnswer = method === undefined && hasId && answers;
  const hasParams = params === undefined || (typeof params === 'object' && params !== null);
  const isPlain = Object.keys(Object(value)).every(key => members.has(key));
  return jsonrpc === '2.0' && isPlain && hasParams && (isCall || isAnswer);
}

function tooLong({ length }: DroppedBytes): string {
  return `The message has ${length} bytes and was dropped. The limit is ${longestMessage} bytes.`;
}
