import { type Shown, shownLine, withIcon } from '../../domain/shown.ts';
import type { FolderAnswer } from '../consent/folderQuestions.ts';
import { type OpenQuestions, type Waiting, waitingFolders } from '../consent/openQuestions.ts';
import { Command, View } from '../ids.ts';
import type { Row } from '../rows.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { localized, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { problemOfServer, remedyButton } from './problemItem.ts';
import { wordOf } from './serverItem.ts';

/** The parts of a window whose status is shown. */
export interface StatusSources {
  readonly servers: Pick<Servers, 'all'>;
  readonly questions: Pick<OpenQuestions, 'of' | 'all'>;
  readonly consent: {
    follow(waiting: readonly Waiting[], answer: FolderAnswer): Promise<unknown>;
  };
}

/** A line to pick, and the action for a pick. */
interface StatusItem extends vscode.QuickPickItem {
  readonly run: () => unknown;
}

/** A heading, and the lines below it. */
interface StatusPart {
  readonly title: Shown;
  readonly items: readonly StatusItem[];
}

/** Lists what needs the user, each with a remedy to pick, and below it the window's commands. */
export async function showStatus(sources: StatusSources): Promise<void> {
  const urgent = [waitingPart(sources), troubledPart(sources)].filter(
    ({ items }) => items.length > 0,
  );
  const items = [...urgent, placesPart()].flatMap(({ title, items }) => [
    { label: title, kind: vscode.QuickPickItemKind.Separator, run: () => {} },
    ...items,
  ]);
  const placeHolder =
    urgent.length > 0 ? t('Pick what to look at') : t('Nothing needs your attention');
  const title = t('Status of MCP Roots');
  const picked = await vscode.window.showQuickPick<StatusItem>(items, { title, placeHolder });
  await picked?.run();
}

function waitingPart(sources: StatusSources): StatusPart {
  const items = sources.questions.all.map(({ text, ask }) => ({
    label: withIcon('question', text),
    run: ask,
  }));
  return { title: t('Waiting for your answer'), items: [...folderItems(sources), ...items] };
}

/** One line for all waiting folders, if folders of several servers wait; otherwise empty. */
function folderItems({ servers, consent }: StatusSources): readonly StatusItem[] {
  const waiting = waitingFolders(servers.all);
  const label = withIcon('checklist', t('Choose who may see which folder…'));
  return waiting.length > 1 ? [{ label, run: () => consent.follow(waiting, 'choose') }] : [];
}

/** The servers that failed or need a restart. */
function troubledPart({ servers, questions }: StatusSources): StatusPart {
  const items = servers.all.flatMap(server => {
    const word = wordOf(server, questions);
    const isTroubled = word === 'failed' || word === 'restart-needed';
    return isTroubled ? [troubledItem(server, word)] : [];
  });
  return { title: t('Needs attention'), items };
}

function troubledItem(server: Server, word: 'failed' | 'restart-needed'): StatusItem {
  const problem = problemOfServer(server);
  const { title, command } = remedyButton(problem?.remedy ?? { kind: 'show-log' });
  return {
    label: withIcon(word === 'failed' ? 'error' : 'debug-restart', server.definition.label),
    description: shownLine(problem ? localized(problem.what) : ''),
    detail: withIcon('lightbulb', title),
    run: () => {
      // The command gets the server's row, as from a click on this row.
      const row: Row = { kind: 'server', server };
      return vscode.commands.executeCommand(command, row);
    },
  };
}

function placesPart(): StatusPart {
  const place = (label: Shown, command: string): StatusItem => ({
    label,
    run: () => vscode.commands.executeCommand(command),
  });
  return {
    title: t('Show'),
    items: [
      place(withIcon('server-process', t('Servers')), `${View.servers}.focus`),
      place(withIcon('table', t('Access')), Command.showAccess),
      place(withIcon('history', t('Activity')), `${View.activity}.focus`),
      place(withIcon('question', t('Help')), Command.help),
    ],
  };
}
