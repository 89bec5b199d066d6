import * as vscode from 'vscode';
import type { Takeable } from './candidateItems.ts';
import type { SettingsTarget } from './settingsWriter.ts';
import { type TargetItem, targetItems } from './targetItems.ts';

/** Which servers go to which settings; none of the lists is empty. */
export type Targets = readonly (readonly [SettingsTarget, readonly Takeable[]])[];

interface Choice extends vscode.QuickPickItem {
  readonly value: SettingsTarget | 'as-found';
}

/** Asks which settings the servers go to, first of all those where they belong. */
export async function pickTargets(picked: readonly Takeable[]): Promise<Targets | undefined> {
  const scopes = new Set(picked.map(({ source }) => source.scope));
  const [usual = 'user'] = scopes;
  const choices = targetChoices(usual, scopes.size > 1);
  if (choices.length === 1) {
    return [['user', picked]];
  }
  const chosen = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Import Servers'),
    placeHolder: vscode.l10n.t('Where are the servers to be?'),
    ignoreFocusOut: true,
  });
  if (chosen?.value !== 'as-found') {
    return chosen && [[chosen.value, picked]];
  }
  const of = (scope: SettingsTarget) => picked.filter(({ source }) => source.scope === scope);
  return [
    ['workspace', of('workspace')],
    ['user', of('user')],
  ];
}

function targetChoices(usual: SettingsTarget, isMixed: boolean): Choice[] {
  const items: readonly TargetItem[] = targetItems(usual);
  const asFound: Choice = {
    value: 'as-found',
    label: vscode.l10n.t('Where They Come From'),
    detail: vscode.l10n.t('Those of the workspace to its settings, the others to yours.'),
  };
  return [...(isMixed && items.length > 1 ? [asFound] : []), ...items];
}
