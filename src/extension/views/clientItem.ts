import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { printable } from '../../domain/printable.ts';
import { shortName } from '../consent/folderQuestions.ts';
import type { ClientOfServer } from '../gateway/clients.ts';
import { fromHome, isShownOnly, rootsText, timeText, triggerText } from '../text.ts';

/**
 * How a client looks below a server that it uses, or that the user answered about. Its `contextValue` is
 * `client.` and the user's answer, followed by `.connected` when it is there. It has no id: nothing but
 * its place tells apart two that say the same of themselves.
 */
export function clientItem(client: ClientOfServer): vscode.TreeItem {
  const { server, session } = client;
  const label = labelOf(client);
  const item = new vscode.TreeItem(label);
  const text = [stateText(client), ...useTexts(client)].join(' · ');
  item.contextValue = `client.${answerOf(client)}${session ? '.connected' : ''}`;
  item.description = text;
  item.iconPath = icon(client);
  item.tooltip = details(client, `${label}: ${text}`).join('\n');
  item.accessibilityInformation = {
    label: l10n.t('Client {0} of {1}: {2}', label, server.definition.label, text),
  };
  return item;
}

function labelOf({ name, session }: ClientOfServer): string {
  const { appName } = vscode.env;
  if (name === appName) {
    return l10n.t('{0} chat', appName.replace('Visual Studio Code', 'VS Code'));
  }
  const shown = name ? shortName(name) : l10n.t('a client');
  return session ? l10n.t('{0} · in {1}', shown, placeOf(session.cwd)) : shown;
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

function stateText(client: ClientOfServer): string {
  const { session, isAllowed } = client;
  switch (answerOf(client)) {
    case 'waiting':
      return l10n.t('waits for your answer');
    case 'denied':
      return l10n.t('not allowed');
    default:
      if (!session) {
        return isAllowed ? l10n.t('allowed · not connected') : l10n.t('not connected');
      }
  }
  switch (session.state) {
    case 'starting':
      return l10n.t('starting…');
    case 'running':
      return l10n.t('running');
    case 'ended':
      return l10n.t('stopping…');
  }
}

/** What its process was told, and how often it has used the server. */
function useTexts({ session }: ClientOfServer): string[] {
  if (!session) {
    return [];
  }
  const { lastExposure, useCount } = session;
  return [
    ...(lastExposure
      ? [
          isShownOnly(lastExposure)
            ? l10n.t('shown {0}', rootsText(lastExposure))
            : l10n.t('told of {0}', rootsText(lastExposure)),
          timeText(lastExposure.at),
        ]
      : []),
    ...(useCount > 0 ? [useCount === 1 ? l10n.t('1 use') : l10n.t('{0} uses', useCount)] : []),
  ];
}

function icon(client: ClientOfServer): vscode.ThemeIcon {
  const { session } = client;
  const { ThemeColor, ThemeIcon } = vscode;
  switch (answerOf(client)) {
    case 'waiting':
      return new ThemeIcon('question', new ThemeColor('charts.yellow'));
    case 'denied':
      return new ThemeIcon('circle-slash');
    default:
      if (session?.state === 'running') {
        return new ThemeIcon('plug', new ThemeColor('charts.green'));
      }
      return new ThemeIcon(session ? 'loading~spin' : 'debug-disconnect');
  }
}

/** A line for each piece. Printable as it is. */
function details({ name, session }: ClientOfServer, first: string): string[] {
  const lines = [
    first,
    ...(name
      ? [l10n.t('It calls itself {0}: that is its own claim', whole(name, session?.client.version))]
      : [l10n.t('It has not said yet who it is')]),
  ];
  if (session) {
    const { cwd, since, lastExposure } = session;
    lines.push(
      l10n.t('Runs in {0}', fromHome(cwd)),
      l10n.t('Connected since {0}, with a process of its own', timeText(since)),
      ...(lastExposure
        ? [
            l10n.t(
              'Last told of its roots at {0}: {1}',
              timeText(lastExposure.at),
              triggerText(lastExposure),
            ),
          ]
        : []),
      ...(session.needsRestart
        ? [l10n.t('Folders changed: only another start of its process brings it that')]
        : []),
    );
  }
  return lines.map(printable);
}

function whole(name: string, version = ''): string {
  return `"${name}"${version ? ` ${version}` : ''}`;
}
