import type { ServerContext } from '@modelcontextprotocol/server';
import { type IDisposable, toDisposable } from '../../../base/disposable.ts';
import { type LogLevel, logLevels } from '../../../domain/logLevels.ts';
import type { ServerLogEntry } from '../../../mcp/serverMessages.ts';
import type { Tenant } from '../children/tenant.ts';
import { isWanted, upstreamLog } from '../expose/childLogs.ts';
import type { HubHost, RawRequest, RawResult } from '../hubHost.ts';
import type { RelayToClient } from './relayToClient.ts';

/** What {@link PassedLogs} work with. */
export interface PassedLogsParts {
  readonly host: HubHost;
  readonly relay: RelayToClient;
}

/**
 * Passes on what the servers of a session say about their work: to a legacy client from the level
 * on that it set, to a modern one within its calls, each from the level on that it names.
 */
export class PassedLogs {
  private readonly parts: PassedLogsParts;
  /** What is asked of the servers; `undefined` until a modern client wants anything. */
  private level: LogLevel | undefined;
  private following: IDisposable = toDisposable(() => {});

  constructor(parts: PassedLogsParts) {
    this.parts = parts;
    this.level = parts.host.era === 'legacy' ? 'info' : undefined;
  }

  /** From now on these servers are listened to, and no others. */
  follow(tenant: Tenant): void {
    this.following.dispose();
    tenant.setLogLevel(this.level);
    this.following = tenant.onDidLog(({ child, entry }) => this.pass(child.server.name, entry));
  }

  /** Answers `logging/setLevel`, whose level is then asked of the servers as well. */
  setLevel({ params }: RawRequest, tenant: Tenant | undefined): RawResult {
    const level = logLevels.find(known => known === params?.['level']);
    if (!level) {
      const levels = logLevels.join(', ');
      throw Object.assign(new Error(`The level must be one of: ${levels}.`), { code: -32602 });
    }
    this.level = level;
    tenant?.setLogLevel(level);
    return {};
  }

  /**
   * The servers are asked for what this call wants as well, which is to be sent next. They are asked
   * for no less when it is over: others may be in flight, and each is told only what it wants.
   */
  heed(context: ServerContext, tenant: Tenant | undefined): void {
    const wanted = this.parts.host.logLevel(context);
    if (wanted && !isWanted(wanted, this.level)) {
      this.level = wanted;
      tenant?.setLogLevel(wanted);
    }
  }

  dispose(): void {
    this.following.dispose();
  }

  private pass(server: string, entry: ServerLogEntry): void {
    const { host, relay } = this.parts;
    const params = { ...upstreamLog(server, entry) };
    const method = 'notifications/message';
    if (host.era === 'legacy') {
      if (isWanted(entry.level, this.level)) {
        host.notify(method, params);
      }
      return;
    }
    for (const context of relay.callsInFlight) {
      if (isWanted(entry.level, host.logLevel(context))) {
        // A client that can no longer be told has ended the session.
        context.mcpReq.notify({ method, params }).catch(() => {});
      }
    }
  }
}
