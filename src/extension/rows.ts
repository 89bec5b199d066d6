import type { FolderAccess } from '../domain/consent/folderAccess.ts';
import type { FolderWordRow } from '../domain/consent/statusWords.ts';
import type { Root } from '../domain/roots.ts';
import type { LeftOutServer } from '../domain/settings/serverSettings.ts';
import type { Shown } from '../domain/shown.ts';
import type { Tool } from '../mcp/link/connection.ts';
import type { ClientOfServer, Clients } from './gateway/clients.ts';
import type { Server } from './servers/server.ts';
import type { Servers } from './servers/servers.ts';
import * as vscode from './vscode.ts';

/** A row of the servers view: a server, or something that belongs to a server. */
export type Row =
  | ServerRow
  | ProblemRow
  | FolderRow
  | FoldersRow
  | FormerRootRow
  | ToolsRow
  | ToolRow
  | ToolProblemRow
  | ClientRow;

/** A row of the view. The row of a mistake belongs to no server. */
export type ViewRow = Row | MistakeRow;

/** A server in the settings that is not used because of a mistake. */
export interface MistakeRow {
  readonly kind: 'mistake';
  readonly server?: undefined;
  readonly leftOut: LeftOutServer;
}

interface RowOf<Kind> {
  readonly kind: Kind;
  readonly server: Server;
}

export type ServerRow = RowOf<'server'>;
export type ProblemRow = RowOf<'problem'>;

/** One folder, with the server's access to it. */
export interface FolderRow extends RowOf<'folder'> {
  readonly access: FolderAccess;
  /** The folder's name. It differs from the names in the other rows. */
  readonly name: string;
}

/** Folders of one server with the same status. Their rows are below this row. */
export interface FoldersRow extends RowOf<'folders'> {
  readonly folders: readonly [FolderRow, ...FolderRow[]];
  /** How many rows of this kind of the same server are above this row. */
  readonly nth: number;
}

/** A root that the server knows, although the folder has left this window. */
export interface FormerRootRow extends RowOf<'former-root'> {
  readonly root: Root;
}

/** The row above the tools of the server. The tools are listed when the row is opened. */
export type ToolsRow = RowOf<'tools'>;

export interface ToolRow extends RowOf<'tool'> {
  readonly tool: Tool;
}

export interface ToolProblemRow extends RowOf<'tool-problem'> {
  readonly reason: Shown;
}

/** A client that uses the server through the gateway, or about which the user has answered. */
export interface ClientRow extends RowOf<'client'> {
  readonly client: ClientOfServer;
}

/**
 * Returns the present row for a row that a command got; `undefined` when it is gone. Any extension
 * can pass an invented row. So the row must hold one of our servers, and is looked up there.
 */
export function liveRow(
  handed: unknown,
  servers: Pick<Servers, 'all' | 'leftOut'>,
  clients: Pick<Clients, 'of'>,
): ViewRow | undefined {
  if (typeof handed !== 'object' || handed === null) {
    return undefined;
  }
  const row = handed as ViewRow;
  if (row.kind === 'mistake') {
    return servers.leftOut.includes(row.leftOut) ? row : undefined;
  }
  if (!servers.all.includes(row.server)) {
    return undefined;
  }
  switch (row.kind) {
    case 'folder': {
      const { uri } = row.access.folder;
      const access = row.server.access.folders.find(({ folder }) => folder.uri === uri);
      return access && { ...row, access };
    }
    case 'folders': {
      const rows = row.folders.map(one => liveRow(one, servers, clients));
      const [first, ...others] = foldersIn(rows.filter(one => one !== undefined));
      return first && { ...row, folders: [first, ...others] };
    }
    case 'client': {
      const { session, name } = row.client;
      const present = clients.of(row.server);
      const client =
        present.find(one => session && one.session === session) ??
        present.find(one => one.name === name);
      return client && { ...row, client };
    }
    default:
      return row;
  }
}

/** The icon for the word of a state, in its color; `undefined` for a word without an icon. */
export function rowIcon({ icon, color }: Pick<FolderWordRow, 'icon' | 'color'>) {
  return icon
    ? new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined)
    : undefined;
}

/** The servers of the rows for which a command was called, each once. */
export function serversIn(rows: readonly ViewRow[]): readonly Server[] {
  // VS Code passes all selected rows to a server row's button, even folders of other servers.
  const own = rows.filter(({ kind }) => kind === 'server' || kind === 'problem');
  return [...new Set((own.length > 0 ? own : rows).flatMap(({ server }) => server ?? []))];
}

/** The folders of the rows for which a command was called, each once. */
export function foldersIn(rows: readonly ViewRow[]): readonly FolderRow[] {
  const all = rows.flatMap((row): readonly FolderRow[] => {
    switch (row.kind) {
      case 'folder':
        return [row];
      case 'folders':
        return row.folders;
      default:
        return [];
    }
  });
  const key = ({ server, access }: FolderRow) => `${server.definition.id} ${access.folder.uri}`;
  return [...new Map(all.map(row => [key(row), row])).values()];
}
