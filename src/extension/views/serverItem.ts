import { isInstalled } from '../../domain/sandbox/installStep.ts';
import {
  type ServerStatus,
  type ServerWord,
  serverStatus,
  serverWords,
} from '../../domain/servers/serverStatus.ts';
import { shown } from '../../domain/shown.ts';
import type { ClientOfServer } from '../gateway/clients.ts';
import { bundledServerId } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';
import { secondsText, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { rowIcon } from './rows.ts';

/**
 * The row of a server, open at first: its name, the word for it, and what sets it apart at a glance. Its
 * `contextValue` is `server.` and its state, followed by `.stale` when a restart brings it what it may
 * see, `.waiting` when it is started again by itself, and `.given-up` when it is not any more; then
 * `.installed` when it was fetched for its sandbox, `.offered` when agents are offered it, `.bundled` for
 * the one that comes with the extension, and at last `.missing` when it asked for what it does not see.
 */
export function serverItem(
  server: Server,
  word: ServerWord,
  clients: readonly ClientOfServer[],
): vscode.TreeItem {
  const { definition, state } = server;
  const { label } = definition;
  const item = new vscode.TreeItem(shown(label), vscode.TreeItemCollapsibleState.Expanded);
  const missing = server.missedPath === undefined ? '' : '.missing';
  const installed = isInstalled(definition) ? '.installed' : '';
  const offered = server.isOffered ? '.offered' : '';
  const context = contextOf(serverStatus(server));
  const own = definition.id === bundledServerId ? '.bundled' : '';
  item.contextValue = `server.${state.kind}${context}${installed}${offered}${own}${missing}`;
  const texts = stateTexts(server, word, clients);
  item.description = shown([wordText(word, server), ...texts.slice(1)].join(' · '));
  item.iconPath = rowIcon(serverWords[word]);
  item.accessibilityInformation = {
    label: t('Server {0}: {1}.', label, texts.join(', ')),
  };
  return item;
}

export function wordText(word: ServerWord, { plan }: Pick<Server, 'plan'>): string {
  // A time, because remaining seconds would have to be drawn anew each second.
  return word === 'starts-again' && plan.kind === 'waiting'
    ? t('retry at {0}', secondsText(plan.at))
    : t(serverWords[word].text);
}

/** The state of a server with the meaning of its word, and what sets it apart at a glance. */
export function stateTexts(
  server: Server,
  word: ServerWord,
  clients: readonly ClientOfServer[],
): readonly string[] {
  const { rule } = server.access;
  const forbidden = rule ? [t('forbidden by {0}', rule)] : [];
  return [spokenText(word, server), ...forbidden, ...confinedText(server), ...clientCount(clients)];
}

/** The word for a server where there is room for what it means. */
function spokenText(word: ServerWord, server: Pick<Server, 'plan'>): string {
  const { meaning } = serverWords[word];
  return meaning ? t(meaning) : wordText(word, server);
}

/** Whether the system keeps a running server in its folders; nothing where it does not. */
export function confinedText({ state, lastStart }: Server): string[] {
  if (state.kind !== 'running' || !lastStart?.sandbox) {
    return [];
  }
  return [lastStart.sandbox.tooLarge ? t('confined, partly read only') : t('confined')];
}

function clientCount(clients: readonly ClientOfServer[]): string[] {
  const present = clients.filter(({ session }) => session).length;
  if (present === 0) {
    return [];
  }
  return [present === 1 ? t('1 client') : t('{0} clients', present)];
}

function contextOf({ kind }: ServerStatus): string {
  switch (kind) {
    case 'neglecting':
      return '.stale';
    case 'waiting':
    case 'given-up':
      return `.${kind}`;
    default:
      return '';
  }
}
