import { shown } from '../../domain/shown.ts';
import type { Asked } from '../servers/asked.ts';
import { folderCount, t } from '../text.ts';
import * as vscode from '../vscode.ts';

/** How an extension looks that asked for roots, with what it claims to be and to need them for. */
export function extensionItem(
  { definition: { id, label }, access }: Pick<Asked, 'definition' | 'access'>,
  claims: readonly string[],
): vscode.TreeItem {
  const item = new vscode.TreeItem(shown(label), vscode.TreeItemCollapsibleState.Expanded);
  item.id = id;
  item.contextValue = 'extension';
  item.description = t('extension');
  item.iconPath = new vscode.ThemeIcon('extensions');
  item.tooltip = shown(claims.join('\n'));
  item.accessibilityInformation = {
    label: t('Extension {0} may see {1}.', label, folderCount(access.roots.length)),
  };
  return item;
}
