import { connect, type OnReadOpts, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { writeTogether } from '../base/writeTogether.ts';
import { lineReader, messageIn } from './messages.ts';
import type { WindowEntry } from './windowFiles.ts';

/**
 * The longest time for a gateway to admit a connector, in milliseconds. The time is long, because
 * on a busy machine a second try would only wait again.
 */
const verdictLimit = 8_000;

/** The connection to a gateway that admitted the connector. */
export interface GatewayLink {
  /** The id of the gateway's window. */
  readonly window: string;
  /** Sends a line. The line must include its line end. */
  send(line: Buffer | string): void;
  /** Calls `onLine` with each line, without its end, and `onGone` when the gateway is gone. */
  listen(onLine: (line: Buffer) => void, onGone: () => void): void;
  close(): void;
}

/** The result of one try to reach a gateway. */
export type Reached = { readonly link: GatewayLink } | NotReached;

/** Why a gateway was not reached. `refused` is final. A gateway that is `away` may come back. */
export type NotReached =
  | { readonly refused: string }
  | {
      readonly away: string;
      /** The window exists, but is ending or busy. */
      readonly isExpected?: boolean;
    };

/** The first line of a connector: the server that it wants, and its working directory. */
export interface Hello {
  readonly server: string;
  /** The working directory, as a real path. */
  readonly cwd: string;
  /**
   * Whether the client already uses the server. `false`: its process may wait for the first use,
   * and the connector sends `true` after a `bye` that says so.
   */
  readonly isUsed?: boolean | undefined;
}

/** The client's input and output. While one side does not read, the link pauses the other side. */
export interface ClientStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Returns options that make a socket read each chunk into the same buffer. New buffers would cost
 * memory and time. `take` may use a chunk only until it returns.
 */
export function intoOnePiece(take: (chunk: Buffer) => void): OnReadOpts {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  const callback = (length: number) => {
    take(buffer.subarray(0, length));
    return true;
  };
  return { buffer, callback };
}

/** Asks the gateway of a window to admit the connector. Never rejects. */
export function reachGateway(
  window: WindowEntry,
  hello: Hello,
  client: ClientStreams,
): Promise<Reached> {
  const { name, socket: path, nonce } = window;
  let take: (chunk: Buffer) => void;
  const socket = connect({ path, onread: intoOnePiece(chunk => take(chunk)) });
  let said = Buffer.alloc(0);
  return new Promise(resolve => {
    const fail = () => {
      socket.destroy();
      resolve({ away: `The editor window "${name}" does not answer.`, isExpected: true });
    };
    take = chunk => {
      said = Buffer.concat([said, chunk]);
      const end = said.indexOf('\n') + 1;
      if (end === 0) {
        return;
      }
      const { mcpRoots, message } = messageIn(said.subarray(0, end));
      if (mcpRoots === 'welcome') {
        socket.off('close', fail).setTimeout(0).pause();
        const begun = said.subarray(end);
        resolve({ link: linkOver(socket, next => (take = next), begun, window, client) });
        return;
      }
      if (mcpRoots === 'refused') {
        resolve({ refused: String(message) });
      }
      fail();
    };
    socket.setTimeout(verdictLimit, fail);
    // Each error closes the socket.
    socket.on('error', () => {}).on('close', fail);
    socket.write(`${JSON.stringify({ mcpRoots: 'hello', nonce, ...hello })}\n`);
  });
}

function linkOver(
  socket: Socket,
  read: (take: (chunk: Buffer) => void) => void,
  begun: Buffer,
  { id }: WindowEntry,
  { input, output }: ClientStreams,
): GatewayLink {
  socket.on('drain', () => input.resume());
  return {
    window: id,
    send(line) {
      if (!writeTogether(socket, line)) {
        input.pause();
      }
    },
    listen(onLine, onGone) {
      const lines = lineReader(onLine);
      const take = (chunk: Buffer) => {
        lines.push(chunk);
        if (output.writableNeedDrain && !socket.isPaused()) {
          socket.pause();
          output.once('drain', () => socket.resume());
        }
      };
      socket.on('close', () => {
        input.resume();
        onGone();
      });
      take(begun);
      read(take);
      socket.resume();
      if (socket.destroyed) {
        onGone();
      }
    },
    close: () => socket.destroy(),
  };
}
