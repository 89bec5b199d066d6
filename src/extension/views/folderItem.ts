import * as vscode from 'vscode';
import type { FolderAccess } from '../../domain/access.ts';
import { printable } from '../../domain/printable.ts';
import { folderText } from '../text.ts';
import type { FolderRow } from './rows.ts';

/**
 * How a folder looks below a server. Its `contextValue` is `folder.allowed` for a root and
 * `folder.` and the reason for any other; what can never be a root has no checkbox.
 */
export function folderItem({ server, access, name: rowName }: FolderRow): vscode.TreeItem {
  const { folder, leftOut } = access;
  const name = printable(rowName);
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
    item.checkboxState = checkbox(access, name, server.definition.label);
  }
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
