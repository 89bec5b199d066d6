import * as vscode from 'vscode';
import type { FolderAccess } from '../../domain/access.ts';
import { printable } from '../../domain/printable.ts';
import { folderText } from '../text.ts';
import type { FolderRow } from './rows.ts';

/**
 * How a folder looks below a server. Its `contextValue` is `folder.allowed` for a root and
 * `folder.` and the reason for any other; what can never be a root has no checkbox.
 */
export function folderItem({ server, access }: FolderRow): vscode.TreeItem {
  const { folder, leftOut } = access;
  const name = printable(folder.name);
  const status = folderText(access, { isLive: server.isLive, told: server.lastExposure });
  const item = new vscode.TreeItem(name);
  item.id = `${server.definition.id} ${folder.uri}`;
  item.contextValue = `folder.${leftOut ?? 'allowed'}`;
  item.description = status;
  item.iconPath = icon(access);
  item.tooltip = printable(`${folder.path ?? folder.uri}: ${status}`);
  item.accessibilityInformation = {
    label: vscode.l10n.t('Folder {0} for {1}: {2}', name, server.definition.label, status),
  };
  if (!leftOut || leftOut === 'denied' || leftOut === 'undecided') {
    item.checkboxState = checkbox(access, server.definition.label);
  }
  return item;
}

function checkbox({ folder, root }: FolderAccess, label: string): vscode.TreeItem['checkboxState'] {
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  const tooltip = root
    ? vscode.l10n.t('Uncheck to keep {0} from {1}', folder.name, label)
    : vscode.l10n.t('Check to let {0} be seen by {1}', folder.name, label);
  return {
    state: root ? Checked : Unchecked,
    tooltip,
    accessibilityInformation: { label: tooltip, role: 'checkbox' },
  };
}

function icon({ leftOut }: FolderAccess): vscode.ThemeIcon {
  switch (leftOut) {
    case undefined:
      return new vscode.ThemeIcon('folder-opened', new vscode.ThemeColor('charts.green'));
    case 'undecided':
      return new vscode.ThemeIcon('question', new vscode.ThemeColor('charts.yellow'));
    case 'denied':
      return new vscode.ThemeIcon('circle-slash');
    default:
      return new vscode.ThemeIcon('warning');
  }
}
