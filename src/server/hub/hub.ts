import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import { quotePath } from '../../domain/paths/pathNames.ts';
import type { After } from '../after.ts';
import { AuditLog, type OpenedAudit } from './audit/auditLog.ts';
import { ChildReports } from './childReports.ts';
import { ChildSets } from './children/childSets.ts';
import { ConfigFile } from './config/configFile.ts';
import type { HubHost } from './hubHost.ts';
import type { HubParts } from './hubParts.ts';
import { HubSession } from './hubSession.ts';
import { HeldCalls } from './session/heldCalls.ts';
import { type ChangedList, ListNotices } from './session/listNotices.ts';

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
  private readonly reports: ChildReports;
  private readonly store = new DisposableStore();
  private sessions = 0;

  /** What is exposed of the servers of any session is another: for clients that have no session. */
  readonly onDidChangeList: Event<ChangedList>;

  private constructor(parts: HubParts, reports: ChildReports, notices: ListNotices) {
    this.parts = parts;
    this.reports = reports;
    this.onDidChangeList = notices.onDidChange;
    this.store.add(notices);
    if (parts.exposesTools) {
      this.store.add(notices.followConfig(parts.config));
    }
    this.store.add(parts.config);
    this.store.add(parts.held);
    this.store.add(parts.config.onDidChange(() => this.configure()));
    this.configure();
  }

  /** Reads the configuration and opens the audit. No server is started before a session needs one. */
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
    const reports = new ChildReports({ audit, logger, after });
    const notices = new ListNotices();
    const sets = new ChildSets({
      clientInfo: { name: 'mcp-roots-hub', title: 'MCP Roots Hub', version },
      loadClient: () => import('../../mcp/main.ts'),
      onChild: (event, child) => reports.takeEvent(event, child),
      ...(exposeTools && { onChange: (child, what) => notices.note({ child, what }) }),
      onExposure: exposure => reports.takeExposure(exposure),
      onStderr: (server, line) => reports.takeLine(server, line),
      logger,
      after,
    });
    return {
      ok: true,
      hub: new Hub(
        {
          config,
          sets,
          held: new HeldCalls({ sets, after }),
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
    await this.parts.sets.close();
    this.parts.audit?.dispose();
  }

  private configure(): void {
    const { config, sets, logger } = this.parts;
    for (const change of config.changes) {
      logger.info(change);
    }
    for (const problem of config.problems) {
      logger.warn(problem);
    }
    sets.setServers(config.current.servers);
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
