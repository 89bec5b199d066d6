import type { ServerCapabilities } from '@modelcontextprotocol/server';
import { Debounce } from '../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { Listed } from '../mcp/connection.ts';
import type { RootsView } from '../server/roots/rootsView.ts';
import type { AuditLog } from './audit/auditLog.ts';
import type { ConfigFile } from './config/configFile.ts';
import type { HubAnswer, HubHost } from './hubHost.ts';
import { completionAnswer } from './offers/completion.ts';
import { offerAnswers } from './offers/offerRequests.ts';
import { SessionOffers } from './offers/sessionOffers.ts';
import { GuardedCalls } from './session/guardedCalls.ts';
import { PassedLogs } from './session/passedLogs.ts';
import { RelayToClient } from './session/relayToClient.ts';
import { SessionAudit } from './session/sessionAudit.ts';
import { SuspendedCalls } from './session/suspendedCalls.ts';
import { hubToolAnswers } from './tools/hubToolAnswers.ts';
import type { UpstreamReports } from './upstreamReports.ts';
import type { UpstreamParts } from './upstreams/upstream.ts';
import { Upstreams } from './upstreams/upstreams.ts';

/** What a hub gives to its session. */
export interface HubParts {
  readonly config: ConfigFile;
  readonly reports: UpstreamReports;
  readonly upstreams: UpstreamParts;
  readonly audit: AuditLog | undefined;
  /** Whether the tools, resources and prompts of the servers are offered as the hub's own. */
  readonly exposesTools: boolean;
}

/** The hub in one session of the bundled server. What it holds ends with the session. */
export class HubSession implements IDisposable {
  private readonly store = new DisposableStore();
  private readonly upstreams: Upstreams;
  private readonly logger: Logger;

  /** The requests that it takes part in. Of two for one method, the later one is asked first. */
  readonly answers: readonly HubAnswer[];
  /** What it adds to what the session offers. */
  readonly capabilities: ServerCapabilities;

  /** @param id what the audit calls the session: no secret, and no other session has it. */
  constructor(host: HubHost, id: string, hub: HubParts) {
    const { config, reports, exposesTools } = hub;
    const { logger, after } = hub.upstreams;
    const audit = new SessionAudit(id, hub.audit, logger);
    const relay = new RelayToClient(host);
    const { servers } = config.current;
    const answer = relay.answer.bind(relay);
    const upstreams = new Upstreams(host, audit, servers, answer, hub.upstreams);
    const logs = this.store.add(new PassedLogs(host, upstreams, relay));
    const suspended = this.store.add(new SuspendedCalls(after));
    const calls = new GuardedCalls({ upstreams, relay, logs, suspended, audit, config });
    const offers = new SessionOffers(upstreams, calls, config, logger);
    this.logger = logger;
    this.upstreams = upstreams;
    this.answers = [
      ...hubToolAnswers({ host, upstreams, calls, config }),
      ['logging/setLevel', async request => logs.setLevel(request)],
      ...(exposesTools
        ? [...offerAnswers(host, offers, calls), completionAnswer(host, offers, calls, upstreams)]
        : []),
    ];
    this.capabilities = { logging: {}, ...(exposesTools && changingLists) };
    this.store.add(host.roots.onDidChange(view => this.follow(view)));
    this.store.add(
      config.onDidChange(() => {
        upstreams.setServers(config.current.servers);
        reports.lookAgain();
      }),
    );
    if (exposesTools) {
      this.tellOfChanges(host);
    }
  }

  dispose(): void {
    void this.close('was ended, because its client has gone');
  }

  /**
   * Ends the session. Settles when nothing of its servers is left.
   *
   * @param cause why, to be read after the name of each server.
   */
  async close(cause: string): Promise<void> {
    this.store.dispose();
    await this.upstreams.close(cause);
  }

  /** Tells the client when servers offer something else: once for all that changes together. */
  private tellOfChanges(host: HubHost): void {
    const changed = new Set<Listed>();
    const tell = () => {
      for (const list of changed) {
        host.notify(`notifications/${list}/list_changed`);
      }
      changed.clear();
    };
    const tellSoon = this.store.add(new Debounce(tell, noticeTimes));
    this.store.add(
      this.upstreams.onDidChangeLists(lists => {
        for (const list of lists) {
          changed.add(list);
        }
        tellSoon.request();
      }),
    );
  }

  /** The servers are told of a change when it happens, not with the next call. */
  private follow(view: RootsView): void {
    try {
      this.upstreams.follow(view);
    } catch (error) {
      this.logger.error(error instanceof Error ? error : String(error));
    }
  }
}

/** In milliseconds. Servers that start together are one change, and so is a list that changes bit by bit. */
const noticeTimes = { quiet: 50, longest: 1000 };

const changingLists = {
  tools: { listChanged: true },
  resources: { listChanged: true },
  prompts: { listChanged: true },
};
