import { type FolderAccess, isAnswerable } from '../../domain/consent/folderAccess.ts';
import { type FolderStatus, folderWords, formerStatus } from '../../domain/consent/statusWords.ts';
import { type Shown, shownLine } from '../../domain/shown.ts';
import { folderStatusOf, shortStatus } from '../folderText.ts';
import { folderCount, spoken, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { type FolderRow, type FoldersRow, type FormerRootRow, rowIcon } from './rows.ts';

/**
 * The row of a folder below a server. Its `contextValue` is `folder.allowed` for a root and
 * `folder.` and the reason for any other, followed by `.picked` where it was offered to this server
 * alone; where no answer can change it, there is no checkbox.
 */
export function folderItem({ server, access, name: rowName }: FolderRow): vscode.TreeItem {
  const name = shownLine(rowName);
  const { label } = server.definition;
  const about = t('Folder {0} for {1}', name, label);
  const item = statusItem(name, about, folderStatusOf(access, server));
  const picked = access.folder.origin === 'picked' ? '.picked' : '';
  item.contextValue = `folder.${access.exclusion ?? 'allowed'}${picked}`;
  item.checkboxState = access.root
    ? checkbox(access, t('Uncheck to keep {0} from {1}', name, label))
    : checkbox(access, t('Check to let {0} be seen by {1}', name, label));
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
  const item = statusItem(count, t('{0} for {1}', count, label), folderStatusOf(access, server));
  item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
  item.contextValue = `folders.${access.exclusion ?? 'allowed'}`;
  item.checkboxState = access.root
    ? checkbox(access, t('Uncheck to keep all of them from {0}', label))
    : checkbox(access, t('Check to let all of them be seen by {0}', label));
  return item;
}

/** The row of a root that the server knows and that is no folder of this window any more. */
export function formerRootItem({ server, root }: FormerRootRow): vscode.TreeItem {
  const name = shownLine(root.name);
  const about = t('Folder {0} for {1}', name, server.definition.label);
  const item = statusItem(name, about, formerStatus);
  item.contextValue = 'former-root';
  return item;
}

function statusItem(label: Shown, about: Shown, status: FolderStatus): vscode.TreeItem {
  const text = shortStatus(status);
  const item = new vscode.TreeItem(label);
  item.description = text;
  item.iconPath = rowIcon(folderWords[status.word]);
  item.accessibilityInformation = { label: t('{0}: {1}.', about, spoken(text)) };
  return item;
}

/** `undefined` where no answer can change how the folder stands. */
function checkbox(access: FolderAccess, tooltip: Shown): vscode.TreeItem['checkboxState'] {
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  return isAnswerable(access)
    ? {
        state: access.root ? Checked : Unchecked,
        tooltip,
        accessibilityInformation: { label: tooltip, role: 'checkbox' },
      }
    : undefined;
}
