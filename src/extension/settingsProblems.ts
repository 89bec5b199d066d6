import { DisposableStore, type IDisposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { inEnglish } from '../domain/sentence.ts';
import type { Toasts } from './consent/toasts.ts';
import { showSettingsProblems } from './definitionFiles/showSettingsProblems.ts';
import { reportFailure } from './registerCommand.ts';
import { type SettingsProblem, settings } from './settings.ts';
import * as vscode from './vscode.ts';

const section = 'mcpRoots';

/**
 * Shows the user the mistakes in the settings, now and whenever they are different ones, each as a
 * sentence of its own.
 *
 * @param log has all of them, and can be shown.
 */
export function reportSettingsProblems(
  toasts: Toasts,
  log: Logger & { show(): void },
): IDisposable {
  const store = new DisposableStore();
  let reported: readonly SettingsProblem[] = [];
  const report = () => {
    const { problems } = settings;
    if (wordsOf(problems) === wordsOf(reported)) {
      return;
    }
    reported = problems;
    for (const { text } of problems) {
      log.warn(inEnglish(text));
    }
    if (problems.length > 0) {
      void reportFailure(log, () =>
        showSettingsProblems(problems, () => reported === problems, toasts, log),
      );
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

function wordsOf(problems: readonly SettingsProblem[]): string {
  return JSON.stringify(problems.map(({ text }) => text));
}
