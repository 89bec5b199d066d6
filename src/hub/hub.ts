import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { After } from '../base/clock.ts';
import { DisposableStore } from '../base/disposable.ts';
import type { Event } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import { quotePath } from '../domain/printable.ts';
import { AuditLog, type OpenedAudit } from './audit/auditLog.ts';
import { ConfigFile } from './config/configFile.ts';
import type { HubHost } from './hubHost.ts';
import { type HubParts, HubSession } from './hubSession.ts';
import { type ChangedList, ListNotices } from './offers/listNotices.ts';
import { SuspendedCalls } from './session/suspendedCalls.ts';
import { UpstreamReports } from './upstreamReports.ts';
import { UpstreamPool } from './upstreams/upstreamPool.ts';

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

/** Many servers behind one: starts them, keeps them to the roots of each session, and ends them. */
export class Hub {
  private readonly parts: HubParts;
  private readonly reports: UpstreamReports;
  private readonly store = new DisposableStore();
  private sessions = 0;

  /**
   * Fires when any server's offered tools, resources or prompts may have changed. The HTTP service
   * tells modern clients, which have no session.
   */
  readonly onDidChangeList: Event<ChangedList>;

  private constructor(parts: HubParts, reports: UpstreamReports, notices: ListNotices) {
    this.parts = parts;
    this.reports = reports;
    this.onDidChangeList = notices.onDidChange;
    this.store.add(notices);
    if (parts.exposesTools) {
      this.store.add(notices.follow(parts.pool));
      this.store.add(notices.followConfig(parts.config));
    }
    this.store.add(parts.config);
    this.store.add(parts.suspended);
    this.store.add(parts.config.onDidChange(() => this.configure()));
    this.configure();
  }

  /**
   * Reads the configuration and opens the audit. No server is started before a session needs one.
   */
  static async open({
    config: path,
    audit: auditPath,
    version,
    ...options
  }: HubOptions): Promise<OpenedHub> {
    const { logger, after, exposeTools } = options;
    const opened = await ConfigFile.open(resolve(path), { userHome: homedir(), after });
    if (!opened.ok) {
      return opened;
    }
    const config = opened.file;
    const audited = auditPath === undefined ? undefined : openAudit(auditPath, path, logger);
    if (audited && !audited.ok) {
      config.dispose();
      return audited;
    }
    const audit = audited?.log;
    const reports = new UpstreamReports({ audit, logger, after });
    const notices = new ListNotices();
    const pool = new UpstreamPool({
      clientInfo: { name: 'mcp-roots-hub', title: 'MCP Roots Hub', version },
      observer: reports,
      logger,
      after,
    });
    return {
      ok: true,
      hub: new Hub(
        {
          config,
          pool,
          suspended: new SuspendedCalls(after),
          audit,
          exposesTools: exposeTools,
          logger,
          after,
        },
        reports,
        notices,
      ),
    };
  }

  /** The hub in a session that begins, which ends it by `dispose`. */
  newSession(host: HubHost): HubSession {
    this.sessions += 1;
    return new HubSession(host, `${process.pid}-${this.sessions}`, this.parts);
  }

  /** Ends all servers, and settles when nothing of them is left. */
  async close(): Promise<void> {
    this.store.dispose();
    await this.parts.pool.close();
    this.parts.audit?.dispose();
  }

  private configure(): void {
    const { config, pool, logger } = this.parts;
    for (const change of config.changes) {
      logger.info(change);
    }
    for (const problem of config.problems) {
      logger.warn(problem);
    }
    pool.setServers(config.current.servers);
    this.reports.lookAgain();
  }
}

function openAudit(path: string, config: string, logger: Logger): OpenedAudit {
  const onProblem = (problem: string) => logger.warn(problem);
  const opened = AuditLog.open(resolve(path), { onProblem });
  // Its first line would break the configuration for the next start.
  if (opened.ok && opened.log.isAt(resolve(config))) {
    opened.log.dispose();
    const reason = 'is the configuration of the hub, not its audit: name another file.';
    return { ok: false, reason: `The file ${quotePath(path)} ${reason}` };
  }
  return opened;
}
