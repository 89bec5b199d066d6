import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../../base/logger.ts';
import type { After } from '../after.ts';
import { startDeadline } from '../roots/deadline.ts';
import { hostNameOf, type ListenAddress } from './listenAddress.ts';

/** That a server listens, and on which port; or why it does not, as a finished sentence. */
export type Listening =
  | { readonly ok: true; readonly port: number }
  | { readonly ok: false; readonly reason: string };

/** A server of Node that ends without cutting off what it still sends. */
export class NodeServer {
  private readonly server: Server;
  private readonly logger: Logger;
  private readonly responses = new Set<ServerResponse>();

  private constructor(server: Server, logger: Logger) {
    this.server = server;
    this.logger = logger;
    server.on('request', (_request, response) => {
      this.responses.add(response);
      response.once('close', () => this.responses.delete(response));
    });
  }

  static async create(listener: RequestListener, logger: Logger): Promise<NodeServer> {
    // Loaded here, because it takes long, and the bundled server is mostly started for stdio.
    const { createServer } = await import('node:http');
    return new NodeServer(createServer({ requestTimeout: longestSending }, listener), logger);
  }

  listen({ host, port }: ListenAddress): Promise<Listening> {
    const { server, logger } = this;
    return new Promise(resolve => {
      const fail = (error: NodeJS.ErrnoException) => {
        const why = error.code === 'EADDRINUSE' ? 'another program does so' : error.message;
        const reason = `It is not possible to listen on ${host}, port ${port}: ${why}.`;
        resolve({ ok: false, reason });
      };
      server.once('error', fail);
      server.listen({ host: hostNameOf(host)?.replace(/[[\]]/g, ''), port }, () => {
        server.off('error', fail).on('error', error => logger.warn(error.message));
        resolve({ ok: true, port: (server.address() as AddressInfo).port });
      });
    });
  }

  /** Listens no longer, waits a moment for the end of what is being sent, and cuts the rest off. */
  async close(after: After): Promise<void> {
    const closed = new Promise<void>(resolve => this.server.close(() => resolve()));
    const responses = [...this.responses].map(
      response => new Promise(resolve => response.once('close', resolve)),
    );
    const deadline = startDeadline(after, longestEnd);
    await Promise.race([Promise.all(responses), deadline.over]);
    deadline.dispose();
    // What is left waits for a next request, or for a client that reads nothing.
    this.server.closeAllConnections();
    await closed;
  }
}

/** In milliseconds. */
const longestEnd = 1000;

/** In milliseconds: how long a request may take to arrive, and so keep room that others need. */
const longestSending = 60_000;
