import { isInstalled } from '../../domain/servers/installStep.ts';
import {
  type ServerStatus,
  type ServerWord,
  serverStatus,
  serverWord,
  serverWords,
} from '../../domain/servers/serverStatus.ts';
import { shown } from '../../domain/shown.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { ClientOfServer } from '../gateway/clients.ts';
import { rowIcon } from '../rows.ts';
import { bundledServerId } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';
import { secondsText, t } from '../text.ts';
import * as vscode from '../vscode.ts';

/**
 * The row of a server, open at first: its name, the word for its state, and its main features. Its
 * `contextValue` is `server.` and its state. These follow in order: `.stale` if a restart would
 * give it its present folders, `.waiting` if it restarts automatically, `.given-up` if it no longer
 * restarts, `.installed` if its sandbox has its own program, `.offered` if agents see it,
 * `.bundled` for the bundled server, `.missing` if it asked for something that its sandbox hides.
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
  const context = contexts[serverStatus(server).kind];
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

/** The word for a server's state. An open question about the server counts, too. */
export function wordOf(server: Server, questions: Pick<OpenQuestions, 'of'>): ServerWord {
  return serverWord(server, questions.of(server).length > 0);
}

export function wordText(word: ServerWord, { plan }: Pick<Server, 'plan'>): string {
  // A time of day, because a count of seconds would need a redraw each second.
  return word === 'starts-again' && plan.kind === 'waiting'
    ? t('retry at {0}', secondsText(plan.at))
    : t(serverWords[word].text);
}

/** What the word for a server's state means, and the server's most important features. */
export function stateTexts(
  server: Server,
  word: ServerWord,
  clients: readonly ClientOfServer[],
): readonly string[] {
  const { rule } = server.access;
  const forbidden = rule ? [t('forbidden by {0}', rule)] : [];
  const offered = server.isOffered ? [t('offered')] : [];
  const kept = [...forbidden, ...confinedText(server)];
  return [spokenText(word, server), ...kept, ...offered, ...clientCount(clients)];
}

/** What the word for a server's state means, for a place with more room than a row. */
function spokenText(word: ServerWord, server: Pick<Server, 'plan'>): string {
  const { meaning } = serverWords[word];
  return meaning ? t(meaning) : wordText(word, server);
}

/** The words for a running server that the system confines to its folders; otherwise empty. */
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

const contexts: Readonly<Record<ServerStatus['kind'], string>> = {
  plain: '',
  starved: '',
  neglecting: '.stale',
  waiting: '.waiting',
  'given-up': '.given-up',
};
