import { randomUUID } from 'node:crypto';
import { isInitializeRequest, type McpServer } from '@modelcontextprotocol/server';
import type { Logger } from '../../base/logger.ts';
import type { After } from '../after.ts';
import type { Exchange } from './exchange.ts';
import { LegacySession, type SessionLimits } from './legacySession.ts';
import { refuse } from './refuse.ts';

/** What serving sessions takes besides the servers. */
export interface SessionsOptions {
  readonly limits: SessionLimits;
  readonly logger: Logger;
  readonly after: After;
}

/**
 * The sessions of legacy clients, each with a server, and so with roots, of its own.
 *
 * Whoever knows the id of a session is its client. So it is drawn at random, sent to the client
 * that began the session, and told to nobody else.
 */
export class LegacySessions {
  private readonly newServer: () => McpServer;
  private readonly options: SessionsOptions;
  /** By their ids. Of those that are idle, the first is so for the longest time. */
  private readonly sessions = new Map<string, LegacySession>();

  constructor(newServer: () => McpServer, options: SessionsOptions) {
    this.newServer = newServer;
    this.options = options;
  }

  async serve(exchange: Exchange): Promise<Response> {
    const id = exchange.request.headers.get('mcp-session-id');
    if (id === null) {
      return isInitializeRequest(exchange.body)
        ? this.begin(exchange)
        : refuse(400, withoutSession);
    }
    return this.sessions.get(id)?.serve(exchange) ?? refuse(404, unknownSession);
  }

  async close(): Promise<void> {
    await Promise.all([...this.sessions.values()].map(session => session.close()));
  }

  private async begin(exchange: Exchange): Promise<Response> {
    const { limits } = this.options;
    if (!this.makeRoom()) {
      return refuse(503, tooMany(limits.count), { 'Retry-After': '60' });
    }
    const id = randomUUID();
    const session = new LegacySession(this.newServer(), {
      ...this.options,
      id,
      onIdle: () => this.moveToEnd(id, session),
      onClose: () => this.sessions.delete(id),
    });
    this.sessions.set(id, session);
    const response = await session.serve(exchange);
    if (!response.ok) {
      await session.close();
    }
    return response;
  }

  /** Says whether there is a place for one more, if need be that of a session that is idle. */
  private makeRoom(): boolean {
    if (this.sessions.size < this.options.limits.count) {
      return true;
    }
    const idle = [...this.sessions].filter(([, session]) => session.isIdle);
    // Whoever only ever sends initialize must not drive out those who work with their sessions.
    const [id, session] = idle.find(([, { isInUse }]) => !isInUse) ?? idle[0] ?? [];
    if (id === undefined || session === undefined) {
      return false;
    }
    this.sessions.delete(id);
    void session.close();
    return true;
  }

  private moveToEnd(id: string, session: LegacySession): void {
    if (this.sessions.delete(id)) {
      this.sessions.set(id, session);
    }
  }
}

const withoutSession =
  'This request belongs to no session. Send initialize without a session id first, and then the ' +
  'header Mcp-Session-Id; or speak revision 2026-07-28, which has no sessions.';

const unknownSession =
  'There is no such session. It has ended, or it was idle for too long, or gave way while it was idle. Begin a new one with ' +
  'initialize, without a session id.';

function tooMany(count: number): string {
  return (
    `This server serves ${count} sessions, which is its limit, and none of them is idle. ` +
    'End one, or try again later.'
  );
}
