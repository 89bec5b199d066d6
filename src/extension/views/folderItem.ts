import * as vscode from 'vscode';
import { type FolderAccess, isAnswerable } from '../../domain/consent/folderAccess.ts';
import { printable } from '../../domain/printable.ts';
import { folderDetails, folderText, formerText } from '../folderText.ts';
import type { FolderRow, FormerRootRow } from './rows.ts';

/**
 * How a folder looks below a server. Its `contextValue` is `folder.allowed` for a root and
 * `folder.` and the reason for any other; where no answer can change it, there is no checkbox.
 */
export function folderItem({ server, access, name: rowName }: FolderRow): vscode.TreeItem {
  const { folder, exclusion } = access;
  const name = printable(rowName);
  const status = folderText(access, server);
  const item = new vscode.TreeItem(name);
  item.id = `${server.definition.id} ${folder.uri}`;
  item.contextValue = `folder.${exclusion ?? 'allowed'}`;
  item.description = status;
  item.iconPath = icon(access);
  const place = printable(`${folder.path ?? folder.uri}: ${status}`);
  item.tooltip = [place, ...folderDetails(access)].join('\n');
  item.accessibilityInformation = {
    label: vscode.l10n.t('Folder {0} for {1}: {2}', name, server.definition.label, status),
  };
  if (isAnswerable(access)) {
    item.checkboxState = checkbox(access, name, server.definition.label);
  }
  return item;
}

/** How a root looks that the server knows and that is no folder of this window any more. */
export function formerRootItem({ server, root }: FormerRootRow): vscode.TreeItem {
  const name = printable(root.name);
  const status = formerText(root.uri, server);
  const item = new vscode.TreeItem(name);
  item.id = `${server.definition.id} former ${root.uri}`;
  item.contextValue = 'former-root';
  item.description = status;
  item.iconPath = new vscode.ThemeIcon('history');
  item.tooltip = printable(`${root.uri}: ${status}`);
  item.accessibilityInformation = {
    label: vscode.l10n.t('Folder {0} for {1}: {2}', name, server.definition.label, status),
  };
  return item;
}

function checkbox(
  { root }: FolderAccess,
  name: string,
  label: string,
): vscode.TreeItem['checkboxState'] {
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  const tooltip = root
    ? vscode.l10n.t('Uncheck to keep {0} from {1}', name, label)
    : vscode.l10n.t('Check to let {0} be seen by {1}', name, label);
  return {
    state: root ? Checked : Unchecked,
    tooltip,
    accessibilityInformation: { label: tooltip, role: 'checkbox' },
  };
}

function icon({ exclusion }: FolderAccess): vscode.ThemeIcon {
  switch (exclusion) {
    case undefined:
      return new vscode.ThemeIcon('folder-opened', new vscode.ThemeColor('charts.green'));
    case 'undecided':
      return new vscode.ThemeIcon('question', new vscode.ThemeColor('charts.yellow'));
    case 'denied':
      return new vscode.ThemeIcon('circle-slash');
    case 'forbidden':
      return new vscode.ThemeIcon('shield');
    case 'not-offered':
    case 'excluded':
    case 'duplicate':
      return new vscode.ThemeIcon('folder');
    default:
      return new vscode.ThemeIcon('warning');
  }
}
