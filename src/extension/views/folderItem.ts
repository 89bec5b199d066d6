import { type FolderAccess, isAnswerable } from '../../domain/consent/folderAccess.ts';
import { folderWords, formerStatus } from '../../domain/consent/statusWords.ts';
import { type Shown, shownLine } from '../../domain/shown.ts';
import { folderStatusOf, shortStatus } from '../folderText.ts';
import { folderCount, spoken, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { type FolderRow, type FoldersRow, type FormerRootRow, rowIcon } from './rows.ts';

/**
 * The row of a folder below a server. Its `contextValue` is `folder.allowed` for a root and
 * `folder.` and the reason for any other; where no answer can change it, there is no checkbox.
 */
export function folderItem({ server, access, name: rowName }: FolderRow): vscode.TreeItem {
  const name = shownLine(rowName);
  const { label } = server.definition;
  const status = folderStatusOf(access, server);
  const text = shortStatus(status);
  const item = new vscode.TreeItem(name);
  item.contextValue = `folder.${access.exclusion ?? 'allowed'}`;
  item.description = text;
  item.iconPath = rowIcon(folderWords[status.word]);
  item.accessibilityInformation = {
    label: t('Folder {0} for {1}: {2}.', name, label, spoken(text)),
  };
  if (isAnswerable(access)) {
    const tooltip = access.root
      ? t('Uncheck to keep {0} from {1}', name, label)
      : t('Check to let {0} be seen by {1}', name, label);
    item.checkboxState = checkbox(access, tooltip);
  }
  return item;
}

/**
 * The row of folders that stand alike, closed at first. The `contextValue` is that of one of them
 * with `folders.` in front, and the checkbox is about all.
 */
export function foldersItem({ server, folders }: FoldersRow): vscode.TreeItem {
  const { label } = server.definition;
  const { access } = folders[0];
  const count = folderCount(folders.length);
  const status = folderStatusOf(access, server);
  const text = shortStatus(status);
  const item = new vscode.TreeItem(count, vscode.TreeItemCollapsibleState.Collapsed);
  item.contextValue = `folders.${access.exclusion ?? 'allowed'}`;
  item.description = text;
  item.iconPath = rowIcon(folderWords[status.word]);
  item.accessibilityInformation = {
    label: t('{0} for {1}: {2}.', count, label, spoken(text)),
  };
  if (isAnswerable(access)) {
    const tooltip = access.root
      ? t('Uncheck to keep all of them from {0}', label)
      : t('Check to let all of them be seen by {0}', label);
    item.checkboxState = checkbox(access, tooltip);
  }
  return item;
}

/** The row of a root that the server knows and that is no folder of this window any more. */
export function formerRootItem({ server, root }: FormerRootRow): vscode.TreeItem {
  const name = shownLine(root.name);
  const text = shortStatus(formerStatus);
  const item = new vscode.TreeItem(name);
  item.contextValue = 'former-root';
  item.description = text;
  item.iconPath = rowIcon(folderWords[formerStatus.word]);
  item.accessibilityInformation = {
    label: t('Folder {0} for {1}: {2}.', name, server.definition.label, spoken(text)),
  };
  return item;
}

function checkbox({ root }: FolderAccess, tooltip: Shown): vscode.TreeItem['checkboxState'] {
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  return {
    state: root ? Checked : Unchecked,
    tooltip,
    accessibilityInformation: { label: tooltip, role: 'checkbox' },
  };
}
