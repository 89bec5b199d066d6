import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { After } from '../base/clock.ts';
import { isSame } from '../base/fileIdentity.ts';
import type { Logger } from '../base/logger.ts';
import { quotePath } from '../domain/printable.ts';
import { ProcessOwner } from '../mcp/stdio/processOwner.ts';
import { AuditLog, type OpenedAudit } from './audit/auditLog.ts';
import { ConfigFile } from './config/configFile.ts';
import type { HubHost } from './hubHost.ts';
import { type HubParts, HubSession } from './hubSession.ts';
import { UpstreamReports } from './upstreamReports.ts';
import { sandboxHere } from './upstreams/hubSandbox.ts';
import { EmptyFolder } from './upstreams/upstreamTarget.ts';

/** How a hub is started. */
export interface HubOptions {
  /** The path of the servers' file. */
  readonly config: string;
  /** The path of the audit's file; `undefined` for none. */
  readonly audit: string | undefined;
  readonly exposeTools: boolean;
  readonly version: string;
  readonly logger: Logger;
  readonly after: After;
}

/** A hub, or why there is none, in finished sentences. */
export type OpenedHub =
  | { readonly ok: true; readonly hub: Hub }
  | { readonly ok: false; readonly reason: string };

/** Many servers behind one: starts them, keeps them to the roots of its client, and ends them. */
export class Hub {
  private readonly parts: HubParts;
  /** Two while a client finds out in which era it is answered. */
  private readonly sessions: HubSession[] = [];

  private constructor(parts: HubParts) {
    this.parts = parts;
    parts.config.onDidChange(() => this.tellOfConfig());
    this.tellOfConfig();
  }

  /**
   * Reads the configuration and opens the audit. No server is started before a session needs one.
   */
  static async open({ logger, after, version, ...options }: HubOptions): Promise<OpenedHub> {
    const opened = await ConfigFile.open(resolve(options.config), homedir());
    if (!opened.ok) {
      return opened;
    }
    const { file: config } = opened;
    const audited = options.audit === undefined ? undefined : openAudit(options.audit, options.config);
    if (audited && !audited.ok) {
      config.dispose();
      return audited;
    }
    const audit = audited?.log;
    const reports = new UpstreamReports(audit, logger);
    const owner = new ProcessOwner('hub', logger);
    const upstreams = {
      clientInfo: { name: 'mcp-roots-hub', title: 'MCP Roots Hub', version },
      observer: reports,
      logger,
      after,
      owner,
      emptyFolder: new EmptyFolder(),
      sandbox: sandboxHere(owner),
    };
    const exposesTools = options.exposeTools;
    return { ok: true, hub: new Hub({ config, reports, upstreams, audit, exposesTools }) };
  }

  /** The hub in a session that begins, which ends it by `dispose`. */
  newSession(host: HubHost): HubSession {
    const id = `${process.pid}-${this.sessions.length + 1}`;
    const session = new HubSession(host, id, this.parts);
    this.sessions.push(session);
    return session;
  }

  /** Ends all servers, and settles when nothing of them is left. */
  async close(): Promise<void> {
    const { config, upstreams, audit } = this.parts;
    await Promise.all(this.sessions.map(session => session.close(ending)));
    config.dispose();
    await upstreams.emptyFolder.remove();
    upstreams.owner.dispose();
    audit?.dispose();
  }

  private tellOfConfig(): void {
    const { config, upstreams } = this.parts;
    for (const problem of config.problems) {
      upstreams.logger.warn(problem);
    }
  }
}

const ending = 'was ended, because the hub is ending';

function openAudit(path: string, config: string): OpenedAudit {
  const opened = AuditLog.open(resolve(path));
  const identity = (file: string) => statSync(file, { bigint: true });
  // Its first line would break the configuration for the next start.
  if (opened.ok && isSame(identity(path), identity(config))) {
    opened.log.dispose();
    const reason = 'is the configuration of the hub, not its audit: name another file.';
    return { ok: false, reason: `The file ${quotePath(path)} ${reason}` };
  }
  return opened;
}
