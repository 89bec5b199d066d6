import { connect, type OnReadOpts, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { GatewayLink, Reached } from './connector.ts';
import { messageIn, WholeLines } from './messages.ts';
import type { WindowEntry } from './windowFiles.ts';

/**
 * A gateway has this long to take a connector in, in milliseconds. On a busy machine a second try would wait
 * again; a handshake is kept waiting for a window no longer either.
 */
const verdictLimit = 8_000;

/** The first line of a connector: which server is meant, and from where. */
export interface Hello {
  readonly server: string;
  /** A real path. */
  readonly cwd: string;
}

/** The client's ends: nothing is read from one end while the other one is full. */
export interface ClientStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Has a socket read all that comes into one piece of memory, which `take` may use until it returns: a
 * stream takes more of it, and more time.
 */
export function intoOnePiece(take: (chunk: Buffer) => void): OnReadOpts {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  const callback = (length: number) => {
    take(buffer.subarray(0, length));
    return true;
  };
  return { buffer, callback };
}

/** Asks the gateway of a window to take the connector in. */
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
    // Each error closes it.
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
    send(lines) {
      if (!socket.write(lines)) {
        input.pause();
      }
    },
    listen(onLines, onGone) {
      const whole = new WholeLines();
      const take = (chunk: Buffer) => {
        const lines = whole.push(chunk);
        if (lines) {
          onLines(lines);
        }
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
