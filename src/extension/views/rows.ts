import type { FolderAccess } from '../../domain/consent/folderAccess.ts';
import type { FolderWordRow } from '../../domain/consent/statusWords.ts';
import type { Root } from '../../domain/roots.ts';
import type { LeftOutServer } from '../../domain/settings/serverSettings.ts';
import type { Shown } from '../../domain/shown.ts';
import type { Tool } from '../../mcp/connection.ts';
import type { ClientOfServer, Clients } from '../gateway/clients.ts';
import type { Server } from '../servers/server.ts';
import * as vscode from '../vscode.ts';

/** A row of the servers view: a server, or something that belongs to one. */
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

/** A row as the view has it: no command is about a mistake but the one that shows it. */
export type ViewRow = Row | MistakeRow;

/** A server of the settings that a mistake leaves out. */
export interface MistakeRow {
  readonly kind: 'mistake';
  readonly server?: undefined;
  readonly leftOut: LeftOutServer;
}

export interface ServerRow {
  readonly kind: 'server';
  readonly server: Server;
}

export interface ProblemRow {
  readonly kind: 'problem';
  readonly server: Server;
}

/** One folder, with what the server may see of it. */
export interface FolderRow {
  readonly kind: 'folder';
  readonly server: Server;
  readonly access: FolderAccess;
  /** The folder's name, made distinct from those of the other rows. */
  readonly name: string;
}

/** Folders of one server that stand alike, shown as one row above theirs. */
export interface FoldersRow {
  readonly kind: 'folders';
  readonly server: Server;
  readonly folders: readonly [FolderRow, ...FolderRow[]];
  /** The count of such rows above it, below the same server. */
  readonly nth: number;
}

/** A root that the server was told of, and that is no folder of this window any more. */
export interface FormerRootRow {
  readonly kind: 'former-root';
  readonly server: Server;
  readonly root: Root;
}

/** The row above the tools of the server: they are listed when it is opened. */
export interface ToolsRow {
  readonly kind: 'tools';
  readonly server: Server;
}

export interface ToolRow {
  readonly kind: 'tool';
  readonly server: Server;
  readonly tool: Tool;
}

export interface ToolProblemRow {
  readonly kind: 'tool-problem';
  readonly server: Server;
  readonly reason: Shown;
}

/** A client that uses the server through the gateway, or was answered about. */
export interface ClientRow {
  readonly kind: 'client';
  readonly server: Server;
  readonly client: ClientOfServer;
}

/** True if what was handed over, which anybody can make up, is such a row. */
export function isMistake(handed: unknown): boolean {
  return (handed as ViewRow | null | undefined)?.kind === 'mistake';
}

/**
 * The row as it is now; `undefined` when there is none. Anybody can make up a row. So only its owner is
 * taken from it, which has to be one of these very objects, and all else is looked up there.
 */
export function liveRow(
  handed: unknown,
  owners: readonly Server[],
  clients: Pick<Clients, 'of'>,
): Row | undefined {
  if (typeof handed !== 'object' || handed === null) {
    return undefined;
  }
  const row = handed as Row;
  if (!owners.includes(row.server)) {
    return undefined;
  }
  switch (row.kind) {
    case 'folder': {
      const { uri } = row.access.folder;
      const access = row.server.access.folders.find(({ folder }) => folder.uri === uri);
      return access && { ...row, access };
    }
    case 'folders': {
      const rows = row.folders.map(one => liveRow(one, owners, clients));
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

/** The icon for a word, in its color; `undefined`: none. */
export function rowIcon({ icon, color }: Pick<FolderWordRow, 'icon' | 'color'>) {
  return icon
    ? new vscode.ThemeIcon(icon, color ? new vscode.ThemeColor(color) : undefined)
    : undefined;
}

/** The rows of folders that a command is about which was called on these rows, each once. */
export function foldersIn(rows: readonly Row[]): readonly FolderRow[] {
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
