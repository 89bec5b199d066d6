import type { ClientFacts, ViewerFacts } from '../../domain/access/accessFacts.ts';
import type { FolderAccess } from '../../domain/consent/folderAccess.ts';
import { isOnThisMachine } from '../../domain/servers/serverUrl.ts';
import type { GrantStore } from '../consent/grantStore.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import { folderLines, formerText, standingOf } from '../folderText.ts';
import type { ClientOfServer, Clients } from '../gateway/clients.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { configurationText, t, timeText } from '../text.ts';
import { clientLabel, clientState } from '../views/clientItem.ts';
import { confinedText, wordText } from '../views/serverItem.ts';
import { wordOf } from '../views/serverState.ts';

/** Servers, extensions and clients of a window, and the answers on them. */
export interface Viewers {
  readonly servers: Servers;
  readonly clients: Clients;
  readonly grants: GrantStore;
  readonly questions: OpenQuestions;
}

/** By which a server is known. One that has changed is another one. */
export function viewerId({
  definition,
  identity,
}: Pick<Server, 'definition' | 'identity'>): string {
  return `${definition.id} ${identity}`;
}

/** What is known of all who may see folders. */
export function gatherAccess({ servers, clients, questions }: Viewers): ViewerFacts[] {
  return servers.all.map(server => {
    const { definition, access, formerRoots } = server;
    return {
      id: viewerId(server),
      name: definition.label,
      about: [
        wordText(wordOf(server, questions), server),
        ...keepingTexts(server),
        ...routeTexts(server),
      ],
      access,
      standingOf: (one: FolderAccess) => standingOf(one, server),
      titleOf: (one: FolderAccess) => folderLines(one, server).join('\n'),
      canReadOnly: definition.sandbox !== undefined,
      formerRoots: formerRoots.map(root => ({ ...root, title: formerText(root.uri, server) })),
      clients: clients.of(server).map(clientFacts),
    };
  });
}

function clientFacts(client: ClientOfServer): ClientFacts {
  const exposure = client.session?.lastExposure;
  return {
    name: clientLabel(client),
    about: [t('client'), clientState(client)],
    roots: exposure?.roots ?? [],
    title: exposure ? t('told at {0}', timeText(exposure.at)) : '',
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
