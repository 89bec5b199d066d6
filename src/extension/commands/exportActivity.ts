import { HumanError } from '../../domain/sentence.ts';
import { toJsonLines } from '../activity/activityFile.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';

/**
 * Writes the activity log to a file of the user's choice, as JSON Lines.
 *
 * @throws {HumanError} when there is nothing in it.
 */
export async function exportActivity({ all }: Pick<ActivityLog, 'all'>): Promise<void> {
  if (all.length === 0) {
    throw new HumanError('There is nothing to export: nothing happened yet.');
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: t('Export Activity'),
    filters: { 'JSON Lines': ['jsonl'] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, 'mcp-roots-activity.jsonl') }),
  });
  if (target) {
    await vscode.workspace.fs.writeFile(target, Buffer.from(toJsonLines(all)));
  }
}
