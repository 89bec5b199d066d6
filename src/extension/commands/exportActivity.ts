import * as vscode from 'vscode';
import { HumanError } from '../../domain/errors.ts';
import { toJsonLines } from '../activity/activityFile.ts';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { CommandContext } from './commandContext.ts';

/** `exportActivity`: writes what the activity log remembers to a file of the user's choice, as JSON Lines. */
export function registerExportActivity({ logger, activity }: CommandContext): vscode.Disposable {
  return registerCommand(logger, Command.exportActivity, async () => {
    if (activity.all.length === 0) {
      throw new HumanError('There is nothing to export: no server was told of a folder yet.');
    }
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const target = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Export Activity'),
      filters: { 'JSON Lines': ['jsonl'] },
      ...(folder && { defaultUri: vscode.Uri.joinPath(folder, 'mcp-roots-activity.jsonl') }),
    });
    if (target) {
      await vscode.workspace.fs.writeFile(target, Buffer.from(toJsonLines(activity.all)));
    }
  });
}
