import * as vscode from 'vscode';
import type { GrantScope } from '../../domain/consent/grants.ts';

/** Asks how long an answer holds; `undefined` when the user leaves without saying. */
export async function pickScope(title: string): Promise<GrantScope | undefined> {
  const items: (vscode.QuickPickItem & { scope: GrantScope })[] = [
    {
      scope: 'workspace',
      label: vscode.l10n.t('In This Workspace'),
      detail: vscode.l10n.t('Remembered whenever this workspace is open.'),
    },
    {
      scope: 'session',
      label: vscode.l10n.t('For This Session'),
      detail: vscode.l10n.t('Forgotten when this window closes.'),
    },
    {
      scope: 'always',
      label: vscode.l10n.t('Always'),
      detail: vscode.l10n.t('Remembered for these folders in every workspace.'),
    },
  ];
  const placeHolder = vscode.l10n.t('How long does this answer hold?');
  const options = { title, placeHolder, ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(items, options))?.scope;
}
