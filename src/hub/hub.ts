import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { ServerCapabilities } from '@modelcontextprotocol/server';
import type { After } from '../base/clock.ts';
import { Debounce } from '../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../base/disposable.ts';
import { isSameFile } from '../base/fileIdentity.ts';
import type { Logger } from '../base/logger.ts';
import { quotePath } from '../domain/printable.ts';
import { HumanError } from '../domain/sentence.ts';
import { ProcessOwner } from '../mcp/process/stdio/processOwner.ts';
import type { HubAnswer, HubHost } from '../server/hubHost.ts';
import { AuditLog, SessionAudit } from './audit/auditLog.ts';
import { ConfigFile } from './config/configFile.ts';
import { offerAnswers } from './offers/sessionOffers.ts';
import { ClientCalls } from './session/clientCalls.ts';
import { GuardedCalls } from './session/guardedCalls.ts';
import { hubToolAnswers } from './tools/hubToolAnswers.ts';
import { UpstreamReports } from './upstreamReports.ts';
import { sandboxHere } from './upstreams/hubSandbox.ts';
import type { UpstreamParts } from './upstreams/upstream.ts';
import { Upstreams } from './upstreams/upstreams.ts';
import { EmptyFolder } from './upstreams/upstreamTarget.ts';

export interface HubOptions {
  readonly config: string;
  /** The path of the audit's file. `undefined`: no audit is kept. */
  readonly audit: string | undefined;
  readonly exposeTools: boolean;
  readonly version: string;
  readonly logger: Logger;
  readonly after: After;
}

/** The hub: starts the servers behind it, gives them its client's roots, and ends them. */
export class Hub {
  private readonly parts: HubParts;
  /** The sessions so far. A client that tries both eras makes two. */
  private readonly sessions: HubSession[] = [];

  private constructor(parts: HubParts) {
    this.parts = parts;
    parts.config.onDidChange(() => this.logProblems());
    this.logProblems();
  }

  /**
   * Reads the configuration and opens the audit. No server starts before a session needs one.
   *
   * @throws {HumanError} when the configuration or the audit cannot be used.
   */
  static async open({ logger, after, version, ...options }: HubOptions): Promise<Hub> {
    const configFile = resolve(options.config);
    const config = await ConfigFile.open(configFile, homedir());
    const audit =
      options.audit === undefined ? undefined : openAudit(options.audit, options.config);
    const owner = new ProcessOwner('hub', logger);
    const upstreams = {
      clientInfo: { name: 'mcp-roots-hub', title: 'MCP Roots Hub', version },
      observer: new UpstreamReports(audit, logger),
      logger,
      after,
      owner,
      emptyFolder: new EmptyFolder(),
      sandbox: sandboxHere(owner),
      configFile,
    };
    const exposesTools = options.exposeTools;
    return new Hub({ config, upstreams, audit, exposesTools });
  }

  /** Begins a session of the hub. The session's `dispose` ends the session. */
  newSession(host: HubHost): HubSession {
    const id = `${process.pid}-${this.sessions.length + 1}`;
    const session = new HubSession(host, id, this.parts);
    this.sessions.push(session);
    return session;
  }

  /** Ends all servers. Settles when all their processes are gone. */
  async close(): Promise<void> {
    const { config, upstreams, audit } = this.parts;
    await Promise.all(this.sessions.map(session => session.close(ending)));
    config.dispose();
    await upstreams.emptyFolder.remove();
    upstreams.owner.dispose();
    audit?.dispose();
  }

  private logProblems(): void {
    const { config, upstreams } = this.parts;
    for (const problem of config.problems) {
      upstreams.logger.warn(problem);
    }
  }
}

const ending = 'was ended, because the hub ends';

function openAudit(path: string, config: string): AuditLog {
  const log = new AuditLog(resolve(path));
  // An audit line in the configuration would break the configuration for the next start.
  const configuration = statSync(config, { bigint: true, throwIfNoEntry: false });
  if (isSameFile(statSync(path, { bigint: true }), configuration)) {
    const problem =
      'The file {0} is the configuration of the hub. Name another file for the audit log.';
    throw new HumanError(problem, quotePath(path));
  }
  return log;
}

/** The parts of a hub that its sessions use. */
interface HubParts {
  readonly config: ConfigFile;
  readonly upstreams: UpstreamParts;
  readonly audit: AuditLog | undefined;
  /** Whether the hub offers the servers' tools as its own. */
  readonly exposesTools: boolean;
}

/** A session of the hub with one client. Its servers end with the session. */
export class HubSession implements IDisposable {
  private readonly store = new DisposableStore();
  private readonly upstreams: Upstreams;

  /** The requests that the hub answers. Of two answerers, the later gets a request first. */
  readonly answers: readonly HubAnswer[];
  /** The capabilities that the hub adds to those of the bundled server. */
  readonly capabilities: ServerCapabilities;

  /** @param id names the session in the audit. The id is unique and not secret. */
  constructor(host: HubHost, id: string, hub: HubParts) {
    const { config, exposesTools } = hub;
    const { logger, after } = hub.upstreams;
    const audit = new SessionAudit(id, hub.audit, logger);
    const open = new ClientCalls(host.era, after);
    const { servers } = config.current;
    const answer = open.answer.bind(open);
    const upstreams = new Upstreams(host, audit, servers, answer, hub.upstreams);
    const calls = new GuardedCalls({ upstreams, open, audit, config });
    this.upstreams = upstreams;
    this.answers = [
      ...hubToolAnswers({ host, upstreams, calls, config }),
      ...(exposesTools ? offerAnswers(host, { upstreams, calls, config, logger }) : []),
    ];
    this.capabilities = exposesTools ? { tools: { listChanged: true } } : {};
    this.store.add(host.roots.onDidChange(view => upstreams.follow(view)));
    this.store.add(config.onDidChange(() => upstreams.setServers(config.current.servers)));
    if (exposesTools) {
      this.announceChanges(host);
    }
  }

  dispose(): void {
    void this.close('was ended, because the client has closed its connection');
  }

  /**
   * Ends the session. Settles when all processes of its servers are gone.
   *
   * @param cause the reason, which must read well after the name of each server.
   */
  async close(cause: string): Promise<void> {
    this.store.dispose();
    await this.upstreams.close(cause);
  }

  /** Tells the client when servers offer other tools. Sends one notice for changes that come together. */
  private announceChanges(host: HubHost): void {
    const announce = () => host.notify('notifications/tools/list_changed');
    const announceSoon = this.store.add(new Debounce(announce, noticeTimes));
    this.store.add(this.upstreams.onDidChangeTools(() => announceSoon.request()));
  }
}

/** The times of a notice, in milliseconds. Servers that start together, or a list that grows, make one change. */
const noticeTimes = { quiet: 50, longest: 1000 };
