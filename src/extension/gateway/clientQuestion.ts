import { shown } from '../../domain/shown.ts';
import type { QuestionSource } from '../consent/openQuestions.ts';
import {
  clientName,
  folderNames,
  listed,
  serverNames,
  shortLabel,
  shortName,
  shortPath,
} from '../consent/shownNames.ts';
import { type Question, type Screen, untilSeen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import type { RecordScope } from '../servers/serverRecords.ts';
import { fromHome, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { AskingClient } from './clientConsent.ts';
import type { Clients } from './clients.ts';

/** A client, and a server that it waits for. */
interface Use {
  readonly client: AskingClient;
  readonly server: Server;
}

/**
 * Asks, without getting in the way, which servers the clients with a held call may use. The question is
 * on the screen for as long as there is one.
 *
 * @returns whether it was answered.
 */
export async function askAboutClients(
  screen: Screen,
  held: () => readonly AskingClient[],
): Promise<boolean> {
  const answered = await screen.show(() => {
    const clients = held();
    const uses = usesOf(clients);
    const isAsked = ({ client: { name }, server }: Use) =>
      uses.some(use => use.client.name === name && use.server === server);
    const isOutdated = () => !usesOf(held()).every(isAsked);
    const question = questionOn(clients);
    return question && { ...question, isAwaited: () => held().length > 0, isOutdated };
  });
  return answered === true;
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
      const open = questionOn([client]);
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

function usesOf(clients: readonly AskingClient[]): readonly Use[] {
  return clients.flatMap(client => client.servers().map(server => ({ client, server })));
}

/** The question, whose answer is whether it was answered: not, when a list was left. */
function questionOn(clients: readonly AskingClient[]): Question<boolean> | undefined {
  const uses = usesOf(clients);
  const [only, ...others] = uses;
  if (!only) {
    return undefined;
  }
  // Of several uses, a list says which.
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
    const names = namesOf(clients);
    const text = t('Which servers may these clients use? They named themselves: {0}.', names);
    // The list alone names all of them: nobody says no to a client whose name they did not see.
    return { text, buttons: allowing, isOpen };
  }
  const text = t(
    'Allow "{0}" to use {1}? The client itself says that it has this name and runs in {2}.',
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

function seenBy({ access }: Server): string {
  return folderNames(access.folders.flatMap(({ root, folder }) => (root ? [folder] : [])));
}

/**
 * Allows the only use, or of several those that the person picks. Of several clients any may be made up:
 * none is checked before.
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
      : t('"{0}", which sees {1} · says that it runs in {2}', label, sees, place);
    const name = isOne ? label : clientName(use.client.name);
    return { label: shown(name), description, picked: isOne, use };
  });
  const options = {
    title: t('Servers for {0}', namesOf(clients)),
    placeHolder: t('Check what you allow. You refuse the rest.'),
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
