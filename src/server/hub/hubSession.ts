import type { ServerCapabilities } from '@modelcontextprotocol/server';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { RootsView } from '../roots/rootsView.ts';
import type { Tenant } from './children/tenant.ts';
import type { Answers, HubHost } from './hubHost.ts';
import type { HubParts } from './hubParts.ts';
import { withMore } from './session/exposed/exposedCalls.ts';
import { exposure } from './session/exposed/exposure.ts';
import { GuardedCalls } from './session/guardedCalls.ts';
import { HeldCallRounds } from './session/heldCallRounds.ts';
import { HubToolCalls } from './session/hubToolCalls.ts';
import { ListNotices } from './session/listNotices.ts';
import { PassedLogs } from './session/passedLogs.ts';
import { RelayToClient } from './session/relayToClient.ts';
import { RootsRecord } from './session/rootsRecord.ts';
import { SessionChildren } from './session/sessionChildren.ts';
import { SessionTenant } from './session/sessionTenant.ts';
import { hubTools, isHubTool } from './tools/hubTools.ts';

/** By its method, a request that the hub takes part in. */
type HubAnswer = readonly [method: string, answers: Answers];

/** The hub in one session of the bundled server. What it holds ends with the session. */
export class HubSession implements IDisposable {
  private readonly parts: HubParts;
  private readonly store = new DisposableStore();
  private readonly tenant: SessionTenant;
  private readonly logs: PassedLogs;
  private readonly notices: ListNotices;

  /** The requests that it takes part in. Of two for one method, the later one is asked first. */
  readonly answers: readonly HubAnswer[];
  /** What it adds to what the session offers. */
  readonly capabilities: ServerCapabilities;

  constructor(host: HubHost, session: string, parts: HubParts) {
    const { sets, held, audit, logger, config, after } = parts;
    this.parts = parts;
    const record = new RootsRecord({ session, audit, logger });
    const relay = new RelayToClient(host);
    const tenant = this.store.add(new SessionTenant({ host, session, sets, relay, record }));
    const rounds = new HeldCallRounds({ host, tenant, held });
    const logs = this.store.add(new PassedLogs({ host, relay }));
    const calls = new GuardedCalls({ host, session, audit, relay, logs, tenant, rounds, config });
    const children = new SessionChildren({ host, tenant, after });
    this.tenant = tenant;
    this.logs = logs;
    this.notices = this.store.add(new ListNotices());
    this.notices.onDidChange(list => host.notify(`notifications/${list}/list_changed`));
    const onProblem = (problem: string) => logger.warn(problem);
    this.answers = [
      ...this.ownAnswers(new HubToolCalls({ host, children, calls, config })),
      ...(parts.exposesTools ? exposure({ host, children, calls, config, onProblem }) : []),
    ];
    this.capabilities = {
      logging: {},
      ...(parts.exposesTools && changingLists),
    };
    this.store.add(tenant.onDidBegin(begun => this.begin(begun)));
    this.store.add(host.roots.onDidChange(view => this.follow(view)));
    if (parts.exposesTools) {
      this.store.add(this.notices.followConfig(config));
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private ownAnswers(tools: HubToolCalls): HubAnswer[] {
    return [
      ['tools/list', async (_request, _context, own) => withMore(await own(), 'tools', hubTools)],
      [
        'tools/call',
        (request, context, own) =>
          isHubTool(request.params?.['name']) ? tools.call(request, context) : own(),
      ],
      ['logging/setLevel', async request => this.logs.setLevel(request, this.tenant.held)],
    ];
  }

  private begin(tenant: Tenant): void {
    this.logs.follow(tenant);
    if (this.parts.exposesTools) {
      this.notices.follow(tenant);
    }
  }

  /** The children are told of a change when it happens, not with the next call. */
  private follow(view: RootsView): void {
    try {
      this.tenant.take(view, undefined);
    } catch (error) {
      this.parts.logger.error(error instanceof Error ? error : String(error));
    }
  }
}

const changingLists = {
  tools: { listChanged: true },
  resources: { listChanged: true },
  prompts: { listChanged: true },
};
