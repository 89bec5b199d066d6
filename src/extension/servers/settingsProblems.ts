import * as vscode from 'vscode';
import type { IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { inEnglish, type Sentence } from '../../domain/sentence.ts';
import { Setting } from '../ids.ts';
import { localized } from '../text.ts';
import type { Servers } from './servers.ts';

/** Tells the user of mistakes in the settings, each in a sentence of its own. */
export function reportSettingsProblems(servers: Servers, logger: Logger): IDisposable {
  return servers.onDidFindProblems(problems => {
    for (const problem of problems) {
      logger.warn(inEnglish(problem));
    }
    void show(problems);
  });
}

async function show(problems: readonly Sentence[]): Promise<void> {
  const open = vscode.l10n.t('Open Settings');
  const text = problems.map(localized).join(' ');
  if ((await vscode.window.showWarningMessage(text, open)) === open) {
    await vscode.commands.executeCommand('workbench.action.openSettings', Setting.servers);
  }
}
