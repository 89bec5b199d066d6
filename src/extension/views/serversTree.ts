import * as vscode from 'vscode';
import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { distinctNames } from '../../domain/roots.ts';
import type { Requester, Requesters } from '../api/requesters.ts';
import type { Clients } from '../gateway/clients.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { folderItem, formerRootItem } from './folderItem.ts';
import type { ClientRow, ExtensionRow, Row, ServerRow, ToolsRow } from './rows.ts';
import { serverItem } from './serverItem.ts';
import { ToolRows, toolItem, toolProblemItem, toolsItem } from './toolItem.ts';

/** Changes that come together are drawn together. */
const burst = { quiet: 20, longest: 100 };

/**
 * Renders the servers, their folders, tools and clients, and the extensions that asked for roots. Rows
 * are read from the servers when asked for; when one server changed, only its own rows are drawn anew.
 */
export class ServersTree implements vscode.TreeDataProvider<Row>, IDisposable {
  private readonly servers: Servers;
  private readonly requesters: Requesters;
  private readonly clients: Pick<Clients, 'of' | 'onDidChange'>;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<Row[] | undefined>());
  /** The editor knows a row by its object, so a server keeps the same row as long as it exists. */
  private readonly rows = new WeakMap<Server | Requester, TopRow>();
  private readonly toolRows = new ToolRows();
  private readonly drawSoon = this.store.add(new Debounce(() => this.draw(), burst));
  /** The servers whose rows are to be drawn; `undefined` among them: all rows are. */
  private readonly changed = new Set<Server | Requester | undefined>();
  /** Whether there were no rows when they were last asked for, or at first. */
  private wasEmpty: boolean;

  readonly onDidChangeTreeData = this.didChange.event;

  constructor(
    servers: Servers,
    requesters: Requesters,
    clients: Pick<Clients, 'of' | 'onDidChange'>,
  ) {
    this.servers = servers;
    this.requesters = requesters;
    this.clients = clients;
    this.wasEmpty = this.isEmpty;
    this.store.add(servers.onDidChange(server => this.refresh(server)));
    this.store.add(requesters.onDidChange(requester => this.refresh(requester)));
    this.store.add(clients.onDidChange(server => this.refresh(server)));
  }

  /** Whether there are no rows. The welcome text then says why: its `when` clauses ask the same. */
  get isEmpty(): boolean {
    return !vscode.workspace.isTrusted || !(this.hasOpenFolders || this.hasOtherFolders);
  }

  /** Draws the rows of a server anew, soon; all rows when no server is given. */
  refresh(server?: Server | Requester): void {
    this.changed.add(server);
    this.drawSoon.request();
  }

  /** Forgets why a server's tools could not be listed: they are asked for again. */
  forgetTools(row: ToolsRow): void {
    this.toolRows.forget(row.server);
    this.didChange.fire([row]);
  }

  getChildren(row?: Row): Row[] | Promise<Row[]> {
    switch (row?.kind) {
      case undefined:
        return this.topRows();
      case 'server':
        return this.rowsBelow(row.server);
      case 'extension':
        return folderRows(row.server);
      case 'tools':
        return this.toolRows.of(row.server);
      default:
        return [];
    }
  }

  getTreeItem(row: Row): vscode.TreeItem | Promise<vscode.TreeItem> {
    switch (row.kind) {
      case 'server':
        return serverItem(row.server);
      case 'extension':
        return row.server.item();
      case 'folder':
        return folderItem(row);
      case 'former-root':
        return formerRootItem(row);
      case 'tools':
        return toolsItem(row);
      case 'tool':
        return toolItem(row);
      case 'tool-problem':
        return toolProblemItem(row);
      case 'client':
        return clientItemOf(row);
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private draw(): void {
    const changed = [...this.changed];
    this.changed.clear();
    const isWhole = changed.includes(undefined) || this.wasEmpty !== this.isEmpty;
    const rows = changed.flatMap(server => (server ? [this.rowOf(server)] : []));
    this.didChange.fire(isWhole ? undefined : rows);
  }

  private topRows(): TopRow[] {
    this.wasEmpty = this.isEmpty;
    const all = this.wasEmpty ? [] : [...this.servers.all, ...this.requesters.all];
    return all.map(server => this.rowOf(server));
  }

  private rowOf(server: Server | Requester): TopRow {
    const row = this.rows.get(server) ?? topRow(server);
    this.rows.set(server, row);
    return row;
  }

  private rowsBelow(server: Server): Row[] {
    return [
      ...folderRows(server),
      ...server.formerRoots.map((root): Row => ({ kind: 'former-root', server, root })),
      ...(server.state.kind === 'running' ? [{ kind: 'tools', server } as const] : []),
      ...this.clients.of(server).map((client): Row => ({ kind: 'client', server, client })),
    ];
  }

  /** Unlike other folders, the window's own are known before the first look at the disk. */
  private get hasOpenFolders(): boolean {
    return (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.scheme === 'file');
  }

  private get hasOtherFolders(): boolean {
    return this.servers.all.some(({ access }) =>
      access.folders.some(({ folder }) => folder.path !== undefined),
    );
  }
}

type TopRow = ServerRow | ExtensionRow;

function topRow(server: Server | Requester): TopRow {
  return 'state' in server ? { kind: 'server', server } : { kind: 'extension', server };
}

function folderRows(server: Server | Requester): Row[] {
  const { folders } = server.access;
  const names = distinctNames(folders.map(({ folder }) => folder));
  return folders.map((access, index) => ({
    kind: 'folder',
    server,
    access,
    name: names[index] ?? access.folder.name,
  }));
}

async function clientItemOf({ client }: ClientRow): Promise<vscode.TreeItem> {
  const { clientItem } = await import('../commands/onDemand.ts');
  return clientItem(client);
}
