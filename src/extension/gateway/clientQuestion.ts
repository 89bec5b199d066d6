import { shown } from '../../domain/shown.ts';
import {
  clientName,
  folderNames,
  serverNames,
  shortLabel,
  shortPath,
} from '../consent/shownNames.ts';
import type { Toast, Toasts } from '../consent/toasts.ts';
import type { Server } from '../servers/server.ts';
import type { RecordScope } from '../servers/serverRecords.ts';
import { fromHome, t } from '../text.ts';
import * as vscode from '../vscode.ts';

/** The user's answer on some servers: it may use those that are allowed, and not the others. */
export interface ClientDecision {
  readonly servers: readonly Server[];
  readonly allowed: readonly Server[];
  readonly scope: RecordScope;
}

/** A client that waits for the user's answer, as far as is known: the name is the client's own. */
export interface AskingClient {
  readonly name: string;
  readonly cwd: string;
  /** The servers that it is connected to without an answer; none when it does not wait any more. */
  readonly servers: () => readonly Server[];
  /** Whether there is no answer on a server yet, and it is still the one in question. */
  readonly isOpen: (server: Server) => boolean;
  /** Whether a call of it is held until the answer. */
  readonly isHeld: () => boolean;
  /** Keeps the answer on servers that are open still. */
  readonly answer: (decision: ClientDecision) => Promise<void>;
  /** Asks the user at once, past all other questions. */
  readonly askNow: () => Promise<void>;
}

/**
 * Asks, without getting in the way, which of the servers that a client wants it may use. The question
 * is on the screen for as long as a call of the client is held.
 *
 * @returns whether it was answered.
 */
export async function askAboutClient(toasts: Toasts, client: AskingClient): Promise<boolean> {
  const isAnswered = await toasts.show(
    () => questionOn(client),
    button => follow(client, button),
  );
  return isAnswered === true;
}

/** {@link askAboutClient}, at once and before anything else goes on. */
export async function askAboutClientNow(client: AskingClient): Promise<void> {
  const question = questionOn(client);
  if (question) {
    const { text, buttons } = question;
    const button = await vscode.window.showWarningMessage(text, { modal: true }, ...buttons);
    await (button && follow(client, button));
  }
}

interface ClientAnswerButton extends vscode.MessageItem {
  readonly servers: readonly Server[];
  readonly isAllowed: boolean;
  readonly scope: RecordScope;
}

function questionOn(client: AskingClient): Toast<ClientAnswerButton> | undefined {
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
      : serverNames(servers.map(({ definition }) => definition)),
    shortPath(fromHome(client.cwd)),
  );
  // Of several servers, a list says which.
  const [workspace, session] = isOne
    ? [t('In This Workspace'), t('Until the Window Closes')]
    : [t('In This Workspace…'), t('Until the Window Closes…')];
  const buttons: ClientAnswerButton[] = [
    { title: workspace, servers, isAllowed: true, scope: 'workspace' },
    { title: session, servers, isAllowed: true, scope: 'session' },
    { title: t("Don't Allow"), servers, isAllowed: false, scope: 'workspace' },
  ];
  const isOpen = () => servers.some(client.isOpen);
  return { text, buttons, isOpen, isAwaited: client.isHeld };
}

function seenBy({ access }: Server): string {
  return folderNames(access.folders.flatMap(({ root, folder }) => (root ? [folder] : [])));
}

/** @returns whether there is an answer: not, when the list was left. */
async function follow(client: AskingClient, button: ClientAnswerButton): Promise<boolean> {
  const { servers, isAllowed, scope } = button;
  if (!isAllowed || servers.length === 1) {
    await client.answer({ servers, allowed: isAllowed ? servers : [], scope });
    return true;
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
  if (picked) {
    await client.answer({ servers: listed, allowed: picked.map(({ server }) => server), scope });
  }
  return picked !== undefined;
}
