import * as vscode from 'vscode';
import { DisposableStore, type IDisposable } from '../base/disposable.ts';
import { inEnglish, type Sentence } from '../domain/sentence.ts';
import { settings } from './settings.ts';
import { localized } from './text.ts';

const section = 'mcpRoots';
/** How many mistakes a message shows: the editor cuts off longer ones. */
const mostShown = 3;

/** The log in which all mistakes can be read. */
export interface ProblemsLog {
  warn(message: string): void;
  show(): void;
}

/**
 * Shows the user the mistakes in the settings, now and whenever they are different ones, each as a
 * sentence of its own. The log has all of them.
 */
export function reportSettingsProblems(log: ProblemsLog): IDisposable {
  const store = new DisposableStore();
  let reported = '';
  const report = () => {
    const { problems } = settings;
    const text = JSON.stringify(problems);
    if (text !== reported) {
      reported = text;
      reportAll(problems, log);
    }
  };
  store.add(
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration(section)) {
        report();
      }
    }),
  );
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(report));
  report();
  return store;
}

function reportAll(problems: readonly Sentence[], log: ProblemsLog): void {
  for (const problem of problems) {
    log.warn(inEnglish(problem));
  }
  if (problems.length > 0) {
    void show(problems, log);
  }
}

async function show(problems: readonly Sentence[], log: ProblemsLog): Promise<void> {
  const openSettings = vscode.l10n.t('Open Settings');
  const showAll = vscode.l10n.t('Show All');
  const left = problems.length - mostShown;
  const shown = [
    ...problems.slice(0, mostShown).map(localized),
    ...(left > 0 ? [vscode.l10n.t('Further mistakes: {0}.', left)] : []),
  ];
  const buttons = left > 0 ? [openSettings, showAll] : [openSettings];
  const button = await vscode.window.showWarningMessage(shown.join(' '), ...buttons);
  if (button === openSettings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', section);
  } else if (button === showAll) {
    log.show();
  }
}
