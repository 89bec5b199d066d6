import type { Exposure } from '../../domain/exposure.ts';
import { toolsLeft } from '../../domain/gate/toolsChosen.ts';
import type { LeftOut } from '../../domain/gateway/commonRoots.ts';
import { cut, printable } from '../../domain/printable.ts';
import { serverWords } from '../../domain/servers/serverStatus.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import type { ClientOfServer } from '../gateway/clients.ts';
import { rowIcon } from '../rows.ts';
import { shortName } from '../shownNames.ts';
import { fromHome, isShownOnly, rootsText, spoken, t, timeText, triggerText } from '../text.ts';
import * as vscode from '../vscode.ts';

/** The words and icons for a client. For some states, they are the words for a server. */
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

/** The word for a client. An answer or an open question counts more than the process's state. */
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
 * The row of a client below a server: the client uses the server, or has the user's answer. The row's
 * `contextValue` is `client.` and the answer, then `.connected` while the client is connected.
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

/** The name of a client in a row: the name that it gives itself, and where it runs. */
export function clientLabel({ name, session }: ClientOfServer): Shown {
  const { appName } = vscode.env;
  if (name === appName) {
    return t('{0} chat', appName.replace('Visual Studio Code', 'VS Code'));
  }
  const called = name ? shown(shortName(name)) : t('a client');
  return session ? t('{0} · in {1}', called, placeOf(session.cwd)) : called;
}

/** The workspace folder that contains the path. Without such a folder, the path. */
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

/** Whether a client is connected and may use the server, in one or two words. */
export function clientState(client: ClientOfServer): Shown {
  return t(clientWords[wordOf(client)].text);
}

/** The tooltip of a client: all that is known about it, in one printable line for each fact. */
export function clientDetails(client: ClientOfServer): string[] {
  const { name, session } = client;
  const lines = [
    `${clientLabel(client)}: ${clientState(client)}`,
    ...(name
      ? [t("The name is the client's own claim: {0}", whole(name, session?.client.version))]
      : [t('The client has not said its name yet')]),
  ];
  if (session) {
    const { cwd, since, lastExposure, useCount, isWaiting } = session;
    lines.push(
      t('The client runs in {0}', fromHome(cwd)),
      ...toolsText(client),
      t(connectedTexts[session.hasProcess ? 'process' : 'known'], timeText(since)),
      ...(isWaiting ? [t('The client waits for your answer')] : []),
      ...(lastExposure ? exposureTexts(lastExposure) : []),
      ...(useCount > 0 ? [useText(useCount)] : []),
      ...(session.isNeglecting
        ? [t('The server may still use the old folders. Disconnect the client')]
        : []),
      ...session.leftOutRoots.map(leftOutText),
    );
  }
  return lines.map(printable);
}

/** How many tools the client gets, if the client lacks some: "12 of 16 tools". */
export function toolsText({ server, hiddenTools, session }: ClientOfServer): readonly Shown[] {
  const tools = session?.listedTools ?? [];
  const left = toolsLeft(tools, server.definition.tools, hiddenTools).length;
  return left === tools.length ? [] : [t('{0} of {1} tools', left, tools.length)];
}

const connectedTexts = {
  process: 'Connected since {0}, with its own process',
  known: 'Connected since {0}, without a process until the client uses the server',
};

function exposureTexts(exposure: Exposure): string[] {
  const [time, roots] = [timeText(exposure.at), rootsText(exposure)];
  return isShownOnly(exposure)
    ? [t("Mounted in the server's sandbox since {1}: {0}", roots, time)]
    : [t('Last shared {0} at {1}: {2}', roots, time, triggerText(exposure))];
}

function leftOutText({ uri, reason }: LeftOut): string {
  // If the reason is about all roots of the client, it has no URI.
  return uri
    ? t("The client's root {0} was left out: {1}", cut(uri, 200), reason)
    : t("The client's roots were left out: {0}", reason);
}

function useText(count: number): string {
  return count === 1
    ? t('The client used the server once')
    : t('The client used the server {0} times', count);
}

function whole(name: string, version = ''): string {
  return `"${name}"${version ? ` ${version}` : ''}`;
}
