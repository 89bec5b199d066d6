import { shown } from '../../domain/shown.ts';
import type { QuestionSource } from '../consent/openQuestions.ts';
import {
  clientName,
  folderNames,
  serverNames,
  shortLabel,
  shortName,
  shortPath,
} from '../consent/shownNames.ts';
import type { Button, Question, Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import type { RecordScope } from '../servers/serverRecords.ts';
import { fromHome, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { AskingClient } from './clientConsent.ts';
import type { Clients } from './clients.ts';

/**
 * Asks, without getting in the way, which of the servers that a client wants it may use. The question
 * is on the screen for as long as a call of the client is held.
 *
 * @returns whether it was answered.
 */
export async function askAboutClient(screen: Screen, client: AskingClient): Promise<boolean> {
  return (await screen.show(() => questionOn(client))) === true;
}

/** Asks which servers clients may use that wait for it. */
export function clientQuestions(
  clients: Pick<Clients, 'waiting' | 'waitingFor' | 'onDidChange'>,
  screen: Pick<Screen, 'ask'>,
): QuestionSource {
  const question = (client: AskingClient) => ({
    subject: client,
    text: t('Allow "{0}" to use {1}?', clientName(client.name), serverNames(client.servers())),
    detail: t('A client waits for your answer: {0}', shortName(client.name)),
    ask: async () => {
      const open = questionOn(client);
      await (open && screen.ask(open));
    },
  });
  return {
    of: server => clients.waitingFor(server).map(question),
    get others() {
      return clients.waiting.map(question);
    },
    onDidChange: clients.onDidChange,
  };
}

/** The question, whose answer is whether it was answered: not, when a list was left. */
function questionOn(client: AskingClient): Question<boolean> | undefined {
  const servers = client.servers();
  const [only, ...others] = servers;
  if (!only) {
    return undefined;
  }
  const isOne = others.length === 0;
  const text = t(
    'Allow "{0}" to use {1}? It runs in {2}, and its name is what it says of itself.',
    clientName(client.name),
    isOne
      ? t('"{0}", which sees {1}', shortLabel(only.definition), seenBy(only))
      : serverNames(servers),
    shortPath(fromHome(client.cwd)),
  );
  // Of several servers, a list says which.
  const [workspace, session] = isOne
    ? [t('In This Workspace'), t('Until the Window Closes')]
    : [t('In This Workspace…'), t('Until the Window Closes…')];
  const buttons: Button<boolean>[] = [
    { title: workspace, follow: () => allow(client, servers, 'workspace') },
    { title: session, follow: () => allow(client, servers, 'session') },
    { title: t("Don't Allow"), follow: () => keep(client, servers, [], 'workspace') },
  ];
  const isOpen = () => servers.some(client.isOpen);
  return { text, buttons, isOpen, isAwaited: client.isHeld };
}

function seenBy({ access }: Server): string {
  return folderNames(access.folders.flatMap(({ root, folder }) => (root ? [folder] : [])));
}

/** Allows the server, or of several those that the person picks. */
async function allow(
  client: AskingClient,
  servers: readonly Server[],
  scope: RecordScope,
): Promise<boolean> {
  if (servers.length === 1) {
    return keep(client, servers, servers, scope);
  }
  // Some may have come since the question.
  const listed = [...new Set([...servers.filter(client.isOpen), ...client.servers()])];
  const items = listed.map(server => ({
    label: shown(server.definition.label),
    description: t('sees {0}', seenBy(server)),
    picked: true,
    server,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: t('Servers for "{0}"', clientName(client.name)),
    placeHolder: t('Check the servers that it may use. The others it may not.'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  const allowed = picked?.map(({ server }) => server);
  return allowed !== undefined && keep(client, listed, allowed, scope);
}

async function keep(
  client: AskingClient,
  servers: readonly Server[],
  allowed: readonly Server[],
  scope: RecordScope,
): Promise<boolean> {
  await client.answer({ servers, allowed, scope });
  return true;
}
