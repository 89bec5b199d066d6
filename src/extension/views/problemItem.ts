import { type Access, isAnswerable } from '../../domain/consent/folderAccess.ts';
import { mayHaveRoots } from '../../domain/consent/startStep.ts';
import { printable } from '../../domain/printable.ts';
import { type Sentence, withTexts } from '../../domain/sentence.ts';
import { type Remedy, type ServerProblem, stderrOf } from '../../domain/servers/serverFailure.ts';
import { problemOf } from '../../domain/servers/serverProblem.ts';
import { serverStatus, serverWords } from '../../domain/servers/serverStatus.ts';
import { type Shown, shown, shownLine } from '../../domain/shown.ts';
import { Command, type CommandId } from '../ids.ts';
import { type MistakeRow, type ProblemRow, rowIcon } from '../rows.ts';
import { bundledServerId } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';
import { failureText, fromHome, localized, t } from '../text.ts';
import * as vscode from '../vscode.ts';

/** The problem that keeps a server from working; `undefined`: no problem. */
export function problemOfServer(server: Server): ServerProblem | undefined {
  const { definition, state, access, missedPath, sandboxLack, deaths, lastStart } = server;
  const given = lastStart?.env ?? {};
  return problemOf({
    launch: definition.launch,
    isEditable: definition.id !== bundledServerId,
    failure: state.kind === 'failed' ? state.failure : undefined,
    status: serverStatus(server),
    wasReached: deaths.wasReached,
    isWithoutFolder: state.kind === 'running' && isWithoutFolder(access),
    missedPath: missedPath === undefined ? undefined : fromHome(missedPath),
    sandboxLack,
    withheldProxies: lastStart?.withheldProxies ?? [],
    // Variables of the editor that the server did not get at its last start.
    otherVariables: new Set(Object.keys(process.env).filter(name => !Object.hasOwn(given, name))),
  });
}

/** Whether the server has no folder, but an answer could allow one. False while a folder waits. */
function isWithoutFolder(access: Access): boolean {
  return !mayHaveRoots(access) && access.folders.some(isAnswerable);
}

/**
 * The row of a server's problem: what happened, then the remedy, named as its button. The button or
 * a click carries out the remedy. The `contextValue` is `problem.` and the remedy.
 */
export function problemItem(row: ProblemRow): vscode.TreeItem {
  const { server } = row;
  const problem = problemOfServer(server);
  // The problem may be gone since the editor asked for the row.
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
  // If a start was refused, a line ends with the remedy, which `todo` says already.
  const why = failureLines(server).filter(line => !line.endsWith(todo));
  const lines = [`${server.definition.label}: ${what}`, ...why, todo];
  item.tooltip = shown(lines.join('\n'));
  item.accessibilityInformation = {
    label: t('Problem of {0}: {1}. {2}.', server.definition.label, what, todo),
  };
  return item;
}

/** The row of a server with a mistake. A click shows its first mistake in the settings. */
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
    [t('A mistake in the settings leaves out "{0}"', label), first, ...others].join('\n'),
  );
  item.accessibilityInformation = {
    label: t('Server {0}: {1}.', label, t('left out, {0}', shownLine(first ?? ''))),
  };
  return item;
}

/** The problem, short enough that a sidebar of 300 pixels also shows the remedy. */
function rowText(what: Sentence): string {
  return localized(withTexts(what, shortened));
}

function shortened(text: string): string {
  const characters = [...text];
  const [start, end] = [characters.slice(0, 6), characters.slice(-4)];
  return characters.length <= 12 ? text : `${start.join('')}…${end.join('')}`;
}

/** The whole reason of a failure, and the last lines that the process printed. */
function failureLines({ state }: Server): string[] {
  if (state.kind !== 'failed') {
    return [];
  }
  const { failure } = state;
  return [t('The server {0}', failureText(failure)), ...stderrOf(failure)].map(printable);
}

/** The button for a remedy, with a command for the server's row. */
export function remedyButton({ kind }: Remedy): { title: Shown; command: CommandId } {
  const [title, command] = remedyButtons[kind];
  return { title: t(title), command };
}

const remedyButtons: Readonly<Record<Remedy['kind'], readonly [title: string, CommandId]>> = {
  edit: ['Edit…', Command.editServer],
  install: ['How to Install', Command.installProgram],
  'sign-in': ['Sign In', Command.signIn],
  'let-read': ['Let It Read…', Command.letRead],
  'pass-on': ['Pass Variables On…', Command.passOn],
  restart: ['Restart', Command.restartServer],
  review: ['Review Access…', Command.reviewAccess],
  start: ['Start', Command.startServer],
  'show-log': ['Show Log', Command.showLogOf],
  sandbox: ['Sandbox Help', Command.sandboxHelp],
};
