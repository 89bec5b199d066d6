import { existsSync, readFileSync, rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { pathBeside } from './folders.ts';

/** The exported activity of this window so far, the oldest first; empty without any. */
export async function exportedActivity(): Promise<Record<string, unknown>[]> {
  const target = vscode.Uri.file(pathBeside('activity.jsonl'));
  const { showSaveDialog } = vscode.window;
  Object.assign(vscode.window, { showSaveDialog: async () => target });
  await vscode.commands.executeCommand('mcpRoots.exportActivity');
  Object.assign(vscode.window, { showSaveDialog });
  const text = existsSync(target.fsPath) ? readFileSync(target.fsPath, 'utf8') : '';
  rmSync(target.fsPath, { force: true });
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));
}
