import * as vscode from 'vscode';
import { folderNames, shortLabel, shortName, shortPath } from '../consent/shownNames.ts';
import type { Toasts } from '../consent/toasts.ts';
import type { Server } from '../servers/server.ts';
import { fromHome, t } from '../text.ts';
import type { ClientScope } from './clientAnswers.ts';

/** The user's answer to the question; `undefined`: it was left without one. */
export type Answered = { readonly isAllowed: boolean; readonly scope: ClientScope } | undefined;

/** Who asks for a server, as far as is known: the name is the client's own. */
export interface AskingClient {
  readonly name: string;
  readonly cwd: string;
  /** Whether it still waits for the answer. */
  readonly isWaiting: () => boolean;
  /** Whether there is no answer yet, and the server is still the one in question. */
  readonly isOpen: () => boolean;
}

type AskedServer = Pick<Server, 'definition' | 'access'>;

/** Asks, without getting in the way, whether a client may use a server. */
export async function askAboutClient(
  toasts: Toasts,
  client: AskingClient,
  server: AskedServer,
): Promise<Answered> {
  const { isOpen, isWaiting } = client;
  const compose = () =>
    isOpen() && isWaiting()
      ? { text: questionOn(client, server), buttons: answers(), isOpen }
      : undefined;
  return toasts.show(compose, ({ answer }) => answer);
}

/** {@link askAboutClient}, at once and before anything else goes on. */
export async function askAboutClientNow(
  client: AskingClient,
  server: AskedServer,
): Promise<Answered> {
  const text = questionOn(client, server);
  const button = await vscode.window.showWarningMessage(text, { modal: true }, ...answers());
  return client.isOpen() ? button?.answer : undefined;
}

function questionOn({ name, cwd }: AskingClient, { definition, access }: AskedServer): string {
  const folders = access.folders.flatMap(({ root, folder }) => (root ? [folder] : []));
  return t(
    'Allow "{0}" to use "{1}", which sees {2}? It runs in {3}, and its name is what it says of itself.',
    name ? shortName(name) : t('a client without a name'),
    shortLabel(definition),
    folderNames(folders),
    shortPath(fromHome(cwd)),
  );
}

interface AnswerButton extends vscode.MessageItem {
  readonly answer: NonNullable<Answered>;
}

function answers(): AnswerButton[] {
  return [
    { title: t('In This Workspace'), answer: { isAllowed: true, scope: 'workspace' } },
    { title: t('Until the Window Closes'), answer: { isAllowed: true, scope: 'session' } },
    { title: t("Don't Allow"), answer: { isAllowed: false, scope: 'workspace' } },
  ];
}
