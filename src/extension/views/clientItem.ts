import type { Exposure } from '../../domain/exposure.ts';
import type { LeftOut } from '../../domain/gateway/commonRoots.ts';
import { cut, printable } from '../../domain/printable.ts';
import { serverWords } from '../../domain/servers/serverStatus.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import { shortName } from '../consent/shownNames.ts';
import type { ClientOfServer } from '../gateway/clients.ts';
import { fromHome, isShownOnly, rootsText, spoken, t, timeText, triggerText } from '../text.ts';
import * as vscode from '../vscode.ts';
import { rowIcon } from './rows.ts';

/** The words for a client, with their icons. Of its process, they are a server's. */
export const clientWords = {
  asks: { ...serverWords['needs-answer'], text: 'asks' },
  denied: { text: 'not allowed', icon: 'circle-slash' },
  away: { text: 'allowed', icon: 'debug-disconnect' },
  connected: { text: 'connected', icon: 'plug' },
  starting: serverWords.starting,
  running: { ...serverWords.running, icon: 'plug' },
  neglecting: { ...serverWords['restart-needed'], icon: 'plug' },
  ended: serverWords.stopping,
};

/** The user's answer, or that the client waits for one, before what its process does. */
function wordOf({ isAllowed, session }: ClientOfServer): keyof typeof clientWords {
  if (isAllowed === false) {
    return 'denied';
  }
  if (!session) {
    return 'away';
  }
  if (isAllowed === undefined && session.isWaiting) {
    return 'asks';
  }
  if (session.state === 'running' && !session.hasProcess) {
    return 'connected';
  }
  return session.state === 'running' && session.isNeglecting ? 'neglecting' : session.state;
}

/**
 * The row of a client below a server that it uses, or that the user answered about. Its
 * `contextValue` is `client.` and the user's answer, followed by `.connected` when it is there.
 */
export function clientItem(client: ClientOfServer): vscode.TreeItem {
  const { server, session } = client;
  const label = clientLabel(client);
  const item = new vscode.TreeItem(label);
  const text = clientState(client);
  item.contextValue = `client.${answerOf(client)}${session ? '.connected' : ''}`;
  item.description = text;
  item.iconPath = rowIcon(clientWords[wordOf(client)]);
  item.accessibilityInformation = {
    label: t('Client {0} of {1}: {2}.', spoken(label), server.definition.label, text),
  };
  return item;
}

/** The name of a client in a row: what it says of itself, and where it runs. */
export function clientLabel({ name, session }: ClientOfServer): Shown {
  const { appName } = vscode.env;
  if (name === appName) {
    return t('{0} chat', appName.replace('Visual Studio Code', 'VS Code'));
  }
  const called = name ? shown(shortName(name)) : t('a client');
  return session ? t('{0} · in {1}', called, placeOf(session.cwd)) : called;
}

/** The folder of the workspace that holds the path, else the path. */
function placeOf(cwd: string): string {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(cwd));
  return shortName(folder?.name ?? fromHome(cwd));
}

function answerOf({ session, isAllowed }: ClientOfServer) {
  if (isAllowed === undefined) {
    return session?.isWaiting ? 'waiting' : 'unanswered';
  }
  return isAllowed ? 'allowed' : 'denied';
}

/** Whether a client is there and may use the server, in a word or two. */
export function clientState(client: ClientOfServer): Shown {
  return t(clientWords[wordOf(client)].text);
}

/** All that is to be known of a client, a line each: its tooltip. Printable as it is. */
export function clientDetails(client: ClientOfServer): string[] {
  const { name, session } = client;
  const lines = [
    `${clientLabel(client)}: ${clientState(client)}`,
    ...(name
      ? [t('It calls itself {0}: that is its own claim', whole(name, session?.client.version))]
      : [t('It has not said yet who it is')]),
  ];
  if (session) {
    const { cwd, since, lastExposure, useCount, isWaiting } = session;
    lines.push(
      t('Runs in {0}', fromHome(cwd)),
      session.hasProcess
        ? t('Connected since {0}, with a process of its own', timeText(since))
        : t('Connected since {0}, without a process until you allow it', timeText(since)),
      ...(isWaiting ? [t('It waits for your answer')] : []),
      ...(lastExposure ? exposureTexts(lastExposure) : []),
      ...useText(useCount),
      ...(session.isNeglecting
        ? [t('It was told of changed folders, and may go on with those it knew: disconnect it')]
        : []),
      ...session.leftOutRoots.map(leftOutText),
    );
  }
  return lines.map(printable);
}

function exposureTexts(exposure: Exposure): string[] {
  const [time, roots] = [timeText(exposure.at), rootsText(exposure)];
  return isShownOnly(exposure)
    ? [t('Shown {0} by its sandbox since {1}', roots, time)]
    : [t('Last told of {0} at {1}: {2}', roots, time, triggerText(exposure))];
}

function leftOutText({ uri, reason }: LeftOut): string {
  // Some are of all its roots, or of no certain one.
  return uri
    ? t('Not told of its own root {0}: {1}', cut(uri, 200), reason)
    : t('Not told of its own roots: {0}', reason);
}

function useText(count: number): string[] {
  switch (count) {
    case 0:
      return [];
    case 1:
      return [t('It has used the server once')];
    default:
      return [t('It has used the server {0} times', count)];
  }
}

function whole(name: string, version = ''): string {
  return `"${name}"${version ? ` ${version}` : ''}`;
}
