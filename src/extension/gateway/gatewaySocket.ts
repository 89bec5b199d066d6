import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type After, afterReal } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { jsonIn } from '../../base/jsonIn.ts';
import type { Hello } from '../../connect/gatewayLink.ts';
import { isSameSecret } from '../../domain/secrets/sameSecret.ts';
import { HumanError } from '../../domain/sentence.ts';
import { makePrivateFolder } from '../privateFolder.ts';

/** A connection from a connector that sent the nonce. */
export interface GatewayConnection {
  readonly hello: Hello;
  /** Paused after the first message. Its errors are handled, so only its `close` shows the end. */
  readonly socket: Socket;
}

/** On macOS, a program can't listen at a path longer than 103 bytes. */
const longestPath = 100;
const longestHello = 8 * 1024;
const helloTime = 5000;

/** The reasons to refuse a connection. */
const refusals = {
  time: 'The connector sent no first message in time.',
  length: `The first message of a connector may have ${longestHello} bytes at most.`,
  form: 'The first message is not from a connector of MCP Roots.',
  nonce: 'The nonce belongs to another window.',
};

/**
 * The socket of a window, by which connectors reach its servers. It is in a folder of our own user;
 * on Windows it is a named pipe. Accepts only connections whose first message has the nonce.
 */
export class GatewaySocket implements IDisposable {
  readonly path: string;
  readonly nonce = randomBytes(32).toString('base64url');
  private readonly ownFolder: string | undefined;
  private readonly server: Server;
  private readonly onConnection: (connection: GatewayConnection) => void;
  private readonly after: After;
  private readonly sockets = new Set<Socket>();

  /**
   * Listens in a folder that only our own user can enter. If the path is too long, listens in a
   * folder for temporary files.
   *
   * @throws HumanError when the gateway can't listen there.
   */
  static async listen(
    folder: string,
    onConnection: (connection: GatewayConnection) => void,
    after = afterReal,
  ): Promise<GatewaySocket> {
    const gateway = new GatewaySocket(newPlace(folder), onConnection, after);
    try {
      await new Promise<void>((resolve, reject) => {
        gateway.server.once('error', reject).listen(gateway.path, resolve);
      });
      if (process.platform !== 'win32') {
        chmodSync(gateway.path, 0o600);
      }
    } catch (error) {
      gateway.dispose();
      throw new HumanError("The gateway can't listen at {0}: {1}", gateway.path, String(error));
    }
    // An error of one connection must not end the other connections.
    gateway.server.on('error', () => {});
    return gateway;
  }

  private constructor(
    { path, own }: SocketPlace,
    onConnection: (connection: GatewayConnection) => void,
    after: After,
  ) {
    this.path = path;
    this.ownFolder = own;
    this.onConnection = onConnection;
    this.after = after;
    this.server = createServer(socket => this.accept(socket));
  }

  /** Ends every connection, even a connection that `onConnection` has received. */
  dispose(): void {
    this.server.close();
    for (const socket of this.sockets) {
      socket.destroy();
    }
    if (this.ownFolder !== undefined) {
      rmSync(this.ownFolder, { recursive: true, force: true });
    }
  }

  private accept(socket: Socket): void {
    const tooLate = this.after(helloTime, () => this.refuse(socket, refusals.time));
    let received: Buffer = Buffer.alloc(0);
    this.sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      tooLate.dispose();
      this.sockets.delete(socket);
    });
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf(10);
      if (end > longestHello || (end === -1 && received.length > longestHello)) {
        this.refuse(socket, refusals.length);
      } else if (end !== -1) {
        tooLate.dispose();
        this.takeHello(socket, received.subarray(0, end), received.subarray(end + 1));
      }
    });
  }

  private takeHello(socket: Socket, line: Buffer, rest: Buffer): void {
    const hello = helloIn(line);
    if (!hello) {
      this.refuse(socket, refusals.form);
    } else if (!isSameSecret(hello.nonce, this.nonce)) {
      this.refuse(socket, refusals.nonce);
    } else {
      socket.removeAllListeners('data').pause();
      if (rest.length > 0) {
        socket.unshift(rest);
      }
      const { server, cwd, isUsed } = hello;
      this.onConnection({ hello: { server, cwd, isUsed }, socket });
    }
  }

  /** Sends the reason, and ends the connection. Further bytes stay unread. */
  private refuse(socket: Socket, sentence: string): void {
    socket.removeAllListeners('data').pause();
    socket.write(`${JSON.stringify({ mcpRoots: 'refused', message: sentence })}\n`);
    socket.destroySoon();
  }
}

function helloIn(line: Buffer): (Hello & { readonly nonce: string }) | undefined {
  const { mcpRoots, nonce, server, cwd, isUsed } = Object(jsonIn(line.toString()));
  const isText = [nonce, server, cwd].every(value => typeof value === 'string');
  return mcpRoots === 'hello' && isText ? { nonce, server, cwd, isUsed } : undefined;
}

interface SocketPlace {
  readonly path: string;
  /** The temporary folder that holds only this socket, if there is one. */
  readonly own?: string;
}

/** A new path for each socket, so that no file left by a crash is in the way. */
function newPlace(folder: string): SocketPlace {
  const name = randomBytes(8).toString('hex');
  if (process.platform === 'win32') {
    return { path: `\\\\.\\pipe\\mcp-roots-${name}` };
  }
  makePrivateFolder(folder);
  const path = join(folder, `${name}.sock`);
  if (Buffer.byteLength(path) < longestPath) {
    return { path };
  }
  const own = mkdtempSync(join(tmpdir(), 'mcp-roots-'));
  return { path: join(own, 'sock'), own };
}
