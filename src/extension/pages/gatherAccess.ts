import type { ClientFacts, SeerFacts } from '../../domain/access/accessFacts.ts';
import type { Grant } from '../../domain/consent/grants.ts';
import { isOnThisMachine } from '../../domain/servers/serverUrl.ts';
import type { Requesters } from '../api/requesters.ts';
import type { GrantStore } from '../consent/grantStore.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import { standingOf } from '../folderText.ts';
import type { ClientOfServer, Clients } from '../gateway/clients.ts';
import type { Asked } from '../servers/asked.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { configurationText, t } from '../text.ts';
import { clientLabel, clientState } from '../views/clientItem.ts';
import { confinedText, wordText } from '../views/serverItem.ts';
import { wordOf } from '../views/serverState.ts';

/** Those of a window who may see folders, and the answers on that. */
export interface Seers {
  readonly servers: Servers;
  readonly requesters: Requesters;
  readonly clients: Clients;
  readonly grants: GrantStore;
  readonly questions: OpenQuestions;
}

/** By which a server or extension is known. One that has changed is another one. */
export function seerId({ definition, identity }: Pick<Asked, 'definition' | 'identity'>): string {
  return `${definition.id} ${identity}`;
}

/** What is known of all who may see folders: the servers, then the extensions that asked for some. */
export function gatherAccess(window: Seers): SeerFacts[] {
  const { servers, requesters, clients, grants, questions } = window;
  const answers = grants.all;
  const common = (seer: Asked) => commonFacts(seer, answers);
  return [
    ...servers.all.map((server): SeerFacts => {
      return {
        ...common(server),
        kind: 'server',
        state: wordText(wordOf(server, questions), server),
        keeping: keepingTexts(server),
        isConfined: confinedText(server).length > 0,
        routes: routeTexts(server),
        formerRoots: server.formerRoots,
        clients: clients.of(server).map(clientFacts),
      };
    }),
    ...requesters.all.map(
      (requester): SeerFacts => ({
        ...common(requester),
        kind: 'extension',
        state: t('extension'),
        keeping: [],
        isConfined: false,
        routes: [t('told through the API')],
        formerRoots: [],
        clients: [],
      }),
    ),
  ];
}

function commonFacts(seer: Asked, grants: readonly Grant[]) {
  const { definition, identity, access, isLive, lastExposure } = seer;
  const own = grants.filter(
    grant => grant.serverId === definition.id && grant.identity === identity,
  );
  return {
    id: seerId(seer),
    name: definition.label,
    access,
    standingOf: (one: Parameters<typeof standingOf>[0]) => standingOf(one, seer),
    exposure: isLive ? lastExposure : undefined,
    answers: new Map(own.toSorted((a, b) => a.at - b.at).map(({ folder, at }) => [folder, at])),
    canReadOnly: definition.sandbox !== undefined,
  };
}

function clientFacts(client: ClientOfServer): ClientFacts {
  return {
    name: clientLabel(client),
    state: clientState(client),
    exposure: client.session?.lastExposure,
  };
}

/** Whether the system keeps a running server in its folders. */
function keepingTexts(server: Server): string[] {
  const { launch } = server.definition;
  if (launch.type === 'http') {
    return [isOnThisMachine(launch.url) ? t('not started here') : t('runs elsewhere')];
  }
  const confined = confinedText(server);
  const isRunning = server.state.kind === 'running';
  return isRunning && confined.length === 0 ? [t('not confined')] : confined;
}

/** How roots reach a server. */
function routeTexts({ definition, sandbox }: Server): string[] {
  return [
    ...definition.rootsAs.map(route =>
      route === 'roots' ? t('told when it asks') : t('told {0}', configurationText(route)),
    ),
    ...(sandbox ? [t('shown by its sandbox')] : []),
  ];
}
