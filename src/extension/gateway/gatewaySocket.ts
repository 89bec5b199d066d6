import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type After, afterReal } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import type { Hello } from '../../connect/gatewayLink.ts';
import { isSameSecret } from '../../domain/secrets/sameSecret.ts';
import { HumanError } from '../../domain/sentence.ts';
import { makePrivateFolder } from '../privateFolder.ts';

/** A connection whose connector knows the nonce. */
export interface GatewayConnection {
  readonly hello: Hello;
  /** Paused behind the hello, and with its errors taken: its `close` tells of its end. */
  readonly socket: Socket;
}

/** A path that is longer than 103 bytes can't be listened at on macOS. */
const longestPath = 100;
const longestHello = 8 * 1024;
const helloTime = 5000;

/**
 * The socket of a window, through which connectors reach its servers: one in a folder of our own user,
 * on Windows a named pipe. It hands over the connections that say hello with the nonce, and refuses
 * all others.
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
   * Listens in a folder that is made for our own user alone, or in one of the system's for short-lived
   * files when its path is too long.
   *
   * @throws HumanError when that can't be.
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
    // One connection that can't be accepted is no reason to end the others.
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

  /** Ends every connection, those that were handed over included. */
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
    const tooLate = this.after(helloTime, () => this.refuse(socket, 'No hello came in time.'));
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
        this.refuse(socket, `A hello has at most ${longestHello} bytes.`);
      } else if (end !== -1) {
        tooLate.dispose();
        this.takeHello(socket, received.subarray(0, end), received.subarray(end + 1));
      }
    });
  }

  private takeHello(socket: Socket, line: Buffer, rest: Buffer): void {
    const hello = helloIn(line);
    if (!hello) {
      this.refuse(socket, 'That is no hello of a connector of MCP Roots.');
    } else if (!isSameSecret(hello.nonce, this.nonce)) {
      this.refuse(socket, 'The nonce is not the one of this window.');
    } else {
      socket.removeAllListeners('data').pause();
      if (rest.length > 0) {
        socket.unshift(rest);
      }
      const { server, cwd } = hello;
      this.onConnection({ hello: { server, cwd }, socket });
    }
  }

  /** Reads no more of it: what it still sends stays where it is. */
  private refuse(socket: Socket, sentence: string): void {
    socket.removeAllListeners('data').pause();
    socket.write(`${JSON.stringify({ mcpRoots: 'refused', message: sentence })}\n`);
    socket.destroySoon();
  }
}

function helloIn(line: Buffer): (Hello & { readonly nonce: string }) | undefined {
  let read: unknown;
  try {
    read = JSON.parse(line.toString());
  } catch {
    return undefined;
  }
  const { mcpRoots, nonce, server, cwd } = Object(read);
  const isText = [nonce, server, cwd].every(value => typeof value === 'string');
  return mcpRoots === 'hello' && isText ? { nonce, server, cwd } : undefined;
}

interface SocketPlace {
  readonly path: string;
  /** The folder that is there for it alone. */
  readonly own?: string;
}

/** A place of its own for each: what a crash left at another can't be in the way. */
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
