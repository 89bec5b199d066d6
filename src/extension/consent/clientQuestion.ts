import { shown } from '../../domain/shown.ts';
import type { AskingClient } from '../gateway/clientConsent.ts';
import type { Clients } from '../gateway/clients.ts';
import type { RecordScope } from '../records/serverRecords.ts';
import { type Question, type Screen, untilSeen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import {
  clientName,
  folderNames,
  listed,
  serverNames,
  shortLabel,
  shortName,
  shortPath,
} from '../shownNames.ts';
import { fromHome, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { QuestionSource } from './openQuestions.ts';

/** A client, and a server that the client wants to use. */
interface Use {
  readonly client: AskingClient;
  readonly server: Server;
}

/**
 * Asks in a message which servers the clients with a waiting call may use. The message stays as
 * long as a call waits. `held` returns the clients whose calls wait now.
 *
 * @returns whether the user answered.
 */
export async function askAboutClients(
  screen: Screen,
  held: () => readonly AskingClient[],
): Promise<boolean> {
  const answered = await screen.show(async () => {
    const clients = held();
    const uses = usesOf(clients);
    const isAsked = ({ client: { name }, server }: Use) =>
      uses.some(use => use.client.name === name && use.server === server);
    const isOutdated = () => !usesOf(held()).every(isAsked);
    const question = questionOn(clients);
    // The editor's open list of notifications may hide a new message, so the list is closed.
    await (question && vscode.commands.executeCommand('notifications.hideList'));
    return question && { ...question, isAwaited: () => held().length > 0, isOutdated };
  });
  return answered === true;
}

/** The open questions about waiting clients: which servers may the client use? */
export function clientQuestions(
  clients: Pick<Clients, 'waitingFor' | 'onDidChange'>,
  screen: Pick<Screen, 'ask'>,
): QuestionSource {
  const question = (client: AskingClient) => ({
    subject: client,
    text: t('Allow "{0}" to use {1}?', clientName(client.name), serverNames(client.servers())),
    detail: t('A client waits for your answer: {0}', shortName(client.name)),
    ask: async () => {
      const open = questionOn([client]);
      await (open && screen.ask(open));
    },
  });
  return {
    of: server => clients.waitingFor(server).map(question),
    get others() {
      return clients.waitingFor().map(question);
    },
    onDidChange: clients.onDidChange,
  };
}

function usesOf(clients: readonly AskingClient[]): readonly Use[] {
  return clients.flatMap(client => client.servers().map(server => ({ client, server })));
}

/** Asks which servers the clients may use. A button gives `false` if the user leaves its list. */
function questionOn(clients: readonly AskingClient[]): Question<boolean> | undefined {
  const uses = usesOf(clients);
  const [only, ...others] = uses;
  if (!only) {
    return undefined;
  }
  // If there are several uses, a list lets the user choose.
  const [workspace, session] =
    others.length === 0
      ? [t('In This Workspace'), t('Until the Window Closes')]
      : [t('In This Workspace…'), t('Until the Window Closes…')];
  const allowing = [
    { title: workspace, follow: () => allow(clients, uses, 'workspace') },
    { title: session, follow: () => allow(clients, uses, 'session') },
  ];
  const isOpen = () => uses.some(({ client, server }) => client.isOpen(server));
  if (clients.length > 1) {
    return {
      text: t(
        "Which servers may these clients use? The names are the clients' own claims: {0}.",
        namesOf(clients),
      ),
      // Only the list can refuse a client, because the list shows the name of each client.
      buttons: allowing,
      isOpen,
    };
  }
  const text = t(
    'Allow "{0}" to use {1}? The name and the folder {2} are the client\'s own claims.',
    clientName(only.client.name),
    others.length === 0
      ? t('"{0}", which sees {1}', shortLabel(only.server.definition), seenBy(only.server))
      : serverNames(only.client.servers()),
    shortPath(fromHome(only.client.cwd)),
  );
  const deny = { title: t("Don't Allow"), follow: () => keep(uses, [], 'workspace') };
  return { text, buttons: [...allowing, deny], isOpen };
}

function namesOf(clients: readonly AskingClient[]): string {
  return listed(clients.map(({ name }) => clientName(name)));
}

function seenBy(server: Server): string {
  const { folders } = server.access;
  return folderNames(
    folders.flatMap(({ root, folder }) => (root ? [folder] : [])),
    [server],
  );
}

/**
 * Allows the only server, or the servers that the person ticks in a list, and denies the others.
 * With several clients, none is ticked at first: a name may be false. False: the person left.
 */
async function allow(
  clients: readonly AskingClient[],
  uses: readonly Use[],
  scope: RecordScope,
): Promise<boolean> {
  if (uses.length === 1) {
    return keep(uses, uses, scope);
  }
  const isOne = clients.length === 1;
  const items = uses.map(use => {
    const { label } = use.server.definition;
    const [sees, place] = [seenBy(use.server), shortPath(fromHome(use.client.cwd))];
    const description = isOne
      ? t('sees {0}', sees)
      : t('"{0}", which sees {1} · the client says that it runs in {2}', label, sees, place);
    const name = isOne ? label : clientName(use.client.name);
    return { label: shown(name), description, picked: isOne, use };
  });
  const options = {
    title: t('Servers for {0}', namesOf(clients)),
    placeHolder: t('Tick the rows that you allow. The other rows are denied.'),
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
  } as const;
  const picked = await untilSeen(() => vscode.window.showQuickPick(items, options));
  const allowed = picked?.map(({ use }) => use);
  return allowed !== undefined && keep(uses, allowed, scope);
}

async function keep(
  uses: readonly Use[],
  allowed: readonly Use[],
  scope: RecordScope,
): Promise<boolean> {
  for (const use of uses) {
    await use.client.answer(use.server, allowed.includes(use), scope);
  }
  return true;
}
