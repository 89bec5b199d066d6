import { type Access, isAnswerable } from '../../domain/consent/folderAccess.ts';
import { mayHaveRoots } from '../../domain/consent/startStep.ts';
import { printable } from '../../domain/printable.ts';
import { type Sentence, withTexts } from '../../domain/sentence.ts';
import { type Remedy, type ServerProblem, stderrOf } from '../../domain/servers/serverFailure.ts';
import { problemOf } from '../../domain/servers/serverProblem.ts';
import { serverStatus, serverWords } from '../../domain/servers/serverStatus.ts';
import { type Shown, shown, shownLine } from '../../domain/shown.ts';
import { Command } from '../ids.ts';
import type { CommandId } from '../registerCommand.ts';
import { bundledServerId } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';
import { failureText, fromHome, localized, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { type MistakeRow, type ProblemRow, rowIcon } from './rows.ts';

/** The problem that keeps a server from its work; `undefined`: none. */
export function problemOfServer(server: Server): ServerProblem | undefined {
  const { definition, state, access, missedPath, lacksBrowser, deaths, lastStart } = server;
  return problemOf({
    launch: definition.launch,
    isEditable: definition.id !== bundledServerId,
    failure: state.kind === 'failed' ? state.failure : undefined,
    status: serverStatus(server),
    wasReached: deaths.wasReached,
    isWithoutFolder: state.kind === 'running' && isWithoutFolder(access),
    missedPath: missedPath === undefined ? undefined : fromHome(missedPath),
    lacksBrowser,
    withheldProxies: lastStart?.withheldProxies ?? [],
    otherVariables: server.otherVariables,
  });
}

/** Where a folder waits for an answer, that is asked instead. */
function isWithoutFolder(access: Access): boolean {
  return !mayHaveRoots(access) && access.folders.some(isAnswerable);
}

/**
 * The row of a server's problem: what happened, then the remedy by the name of its button,
 * which carries that out, as does a click. Its `contextValue` is `problem.` and the remedy.
 */
export function problemItem(row: ProblemRow): vscode.TreeItem {
  const { server } = row;
  const problem = problemOfServer(server);
  // It may have been solved since the row was asked for.
  const what = problem ? printable(localized(problem.what)) : '';
  const todo = problem ? printable(localized(problem.todo)) : '';
  const item = new vscode.TreeItem(shownLine(problem ? rowText(problem.what) : ''));
  item.contextValue = `problem.${problem?.remedy.kind ?? 'none'}`;
  item.iconPath = new vscode.ThemeIcon('lightbulb', new vscode.ThemeColor('charts.yellow'));
  if (problem) {
    const button = remedyButton(problem.remedy);
    item.description = button.title;
    item.command = { ...button, arguments: [row] };
  }
  // The reason of a refused start is what is to be mended.
  const why = failureLines(server).filter(line => !line.endsWith(todo));
  const lines = [`${server.definition.label}: ${what}`, ...why, todo];
  item.tooltip = shown(lines.join('\n'));
  item.accessibilityInformation = {
    label: t('Problem of {0}: {1}. {2}.', server.definition.label, what, todo),
  };
  return item;
}

/** The row of a server that is left out: its first mistake, whose place in the settings a click shows. */
export function mistakeItem(row: MistakeRow): vscode.TreeItem {
  const { name, mistakes } = row.leftOut;
  const label = shownLine(name);
  const [first, ...others] = mistakes.map(({ said }) => localized(said));
  const item = new vscode.TreeItem(label);
  item.contextValue = 'mistake';
  item.iconPath = rowIcon(serverWords.failed);
  item.description = shownLine(first ?? '');
  item.command = { title: t('Show'), command: Command.showMistake, arguments: [row] };
  item.tooltip = shown(
    [t('"{0}" is left out: a mistake in the settings', label), first, ...others].join('\n'),
  );
  item.accessibilityInformation = {
    label: t('Server {0}: {1}.', label, t('left out, {0}', shownLine(first ?? ''))),
  };
  return item;
}

/** The problem, with names and paths so short that a sidebar of 300 pixels has room for the remedy. */
function rowText(what: Sentence): string {
  return localized(withTexts(what, shortened));
}

function shortened(text: string): string {
  const characters = [...text];
  const [start, end] = [characters.slice(0, 6), characters.slice(-4)];
  return characters.length <= 12 ? text : `${start.join('')}…${end.join('')}`;
}

/** The whole reason of a failure, with the last words of its process. */
function failureLines({ state }: Server): string[] {
  if (state.kind !== 'failed') {
    return [];
  }
  const { failure } = state;
  return [t('It {0}', failureText(failure)), ...stderrOf(failure)].map(printable);
}

/** A button that carries out a remedy: its title, and the command, which is called on the server's row. */
interface RemedyButton {
  readonly title: Shown;
  readonly command: CommandId;
}

export function remedyButton({ kind }: Remedy): RemedyButton {
  switch (kind) {
    case 'edit':
      return { title: t('Edit…'), command: Command.editServer };
    case 'install':
      return { title: t('How to Install'), command: Command.installProgram };
    case 'sign-in':
      return { title: t('Sign In'), command: Command.signIn };
    case 'let-read':
      return { title: t('Let It Read…'), command: Command.letRead };
    case 'pass-on':
      return { title: t('Pass It On…'), command: Command.passOn };
    case 'restart':
      return { title: t('Restart'), command: Command.restartServer };
    case 'review':
      return { title: t('Review Access…'), command: Command.reviewAccess };
    case 'start':
      return { title: t('Start'), command: Command.startServer };
    case 'show-log':
      return { title: t('Show Log'), command: Command.showLog };
    case 'sandbox':
      return { title: t('Show How'), command: Command.sandboxHelp };
  }
}
