import * as vscode from 'vscode';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { distinctNames } from '../../domain/roots.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { folderItem } from './folderItem.ts';
import type { Row } from './rows.ts';
import { serverItem } from './serverItem.ts';

/** Renders the servers and their folders. It keeps no state: rows are read from the servers when asked for. */
export class ServersTree implements vscode.TreeDataProvider<Row>, IDisposable {
  private readonly servers: Servers;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<void>());

  readonly onDidChangeTreeData = this.didChange.event;

  constructor(servers: Servers) {
    this.servers = servers;
    this.store.add(servers.onDidChange(() => this.didChange.fire()));
  }

  getChildren(row?: Row): Row[] {
    if (!row) {
      return hasFoldersToShow() ? this.servers.all.map(server => ({ kind: 'server', server })) : [];
    }
    return row.kind === 'server' ? folderRows(row.server) : [];
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return row.kind === 'server' ? serverItem(row.server) : folderItem(row);
  }

  dispose(): void {
    this.store.dispose();
  }
}

function folderRows(server: Server): Row[] {
  const { folders } = server.access;
  const names = distinctNames(folders.map(({ folder }) => folder));
  return folders.map((access, index) => ({
    kind: 'folder',
    server,
    access,
    name: names[index] ?? access.folder.name,
  }));
}

/** When there are none, the view's welcome text says why; its `when` clauses ask the same. */
function hasFoldersToShow(): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return vscode.workspace.isTrusted && folders.some(({ uri }) => uri.scheme === 'file');
}
