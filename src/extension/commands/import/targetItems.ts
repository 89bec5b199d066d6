import * as vscode from 'vscode';
import type { SettingsTarget } from './settingsWriter.ts';

/** One kind of settings to pick. */
export interface TargetItem extends vscode.QuickPickItem {
  readonly value: SettingsTarget;
}

/** The settings that can be written in this window, the usual ones first. */
export function targetItems(usual: SettingsTarget): TargetItem[] {
  const user: TargetItem = {
    value: 'user',
    label: vscode.l10n.t('User'),
    detail: vscode.l10n.t('In your own settings, for every window.'),
  };
  if (!hasWorkspace()) {
    return [user];
  }
  const workspace: TargetItem = {
    value: 'workspace',
    label: vscode.l10n.t('Workspace'),
    detail: vscode.l10n.t('In the settings of this workspace, which others may share.'),
  };
  return usual === 'user' ? [user, workspace] : [workspace, user];
}

function hasWorkspace(): boolean {
  const { workspaceFolders, workspaceFile } = vscode.workspace;
  return workspaceFile !== undefined || (workspaceFolders?.length ?? 0) > 0;
}
