import * as vscode from 'vscode';
import { DisposableStore, type IDisposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { inEnglish, type Sentence } from '../domain/sentence.ts';
import { settings } from './settings.ts';
import { localized } from './text.ts';

const section = 'mcpRoots';

/** Tells the user of mistakes in the settings, now and when they change, each in a sentence of its own. */
export function reportSettingsProblems(logger: Logger): IDisposable {
  const store = new DisposableStore();
  const report = () => reportAll(settings.problems, logger);
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

function reportAll(problems: readonly Sentence[], logger: Logger): void {
  for (const problem of problems) {
    logger.warn(inEnglish(problem));
  }
  if (problems.length > 0) {
    void show(problems);
  }
}

async function show(problems: readonly Sentence[]): Promise<void> {
  const open = vscode.l10n.t('Open Settings');
  const text = problems.map(localized).join(' ');
  if ((await vscode.window.showWarningMessage(text, open)) === open) {
    await vscode.commands.executeCommand('workbench.action.openSettings', section);
  }
}
