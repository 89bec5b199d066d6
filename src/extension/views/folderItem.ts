import { type FolderAccess, isAnswerable } from '../../domain/consent/folderAccess.ts';
import { type FolderStatus, folderWords, formerStatus } from '../../domain/consent/statusWords.ts';
import { type Shown, shownLine } from '../../domain/shown.ts';
import { folderStatusOf, shortStatus } from '../folderText.ts';
import { type FolderRow, type FoldersRow, type FormerRootRow, rowIcon } from '../rows.ts';
import { folderCount, spoken, t } from '../text.ts';
import * as vscode from '../vscode.ts';

/**
 * The row of a folder below a server. Its `contextValue` is `folder.allowed` for a root. For
 * another folder, it is `folder.` and the exclusion reason. `.picked` follows if the folder was
 * offered only to this server. If no answer can change the status, the row has no checkbox.
 */
export function folderItem({ server, access, name: rowName }: FolderRow): vscode.TreeItem {
  const name = shownLine(rowName);
  const { label } = server.definition;
  const about = t('Folder {0} for {1}', name, label);
  const item = statusItem(name, about, folderStatusOf(access, server));
  const picked = access.folder.origin === 'picked' ? '.picked' : '';
  item.contextValue = `folder.${access.exclusion ?? 'allowed'}${picked}`;
  item.checkboxState = access.root
    ? checkbox(access, t('Untick to stop sharing {0} with {1}', name, label))
    : checkbox(access, t('Tick to share {0} with {1}', name, label));
  return item;
}

/**
 * The row of folders with the same status, closed at first. Its `contextValue` is
 * `folders.allowed`, or `folders.` and the exclusion reason. The checkbox changes all of them.
 */
export function foldersItem({ server, folders }: FoldersRow): vscode.TreeItem {
  const { label } = server.definition;
  const { access } = folders[0];
  const count = folderCount(folders.length);
  const item = statusItem(count, t('{0} for {1}', count, label), folderStatusOf(access, server));
  item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
  item.contextValue = `folders.${access.exclusion ?? 'allowed'}`;
  item.checkboxState = access.root
    ? checkbox(access, t('Untick to stop sharing all folders with {0}', label))
    : checkbox(access, t('Tick to share all folders with {0}', label));
  return item;
}

/** The row of a root that the server knows, although the folder has left this window. */
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

/** The checkbox of a row; `undefined` when no answer can change the folder's status. */
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
