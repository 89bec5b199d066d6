import type { FolderAccess } from '../../domain/consent/folderAccess.ts';
import type { Root } from '../../domain/roots.ts';
import type { Tool } from '../../mcp/connection.ts';
import type { Server } from '../servers/server.ts';

/** A row of the servers view: a server, or something that belongs to one. */
export type Row = ServerRow | FolderRow | FormerRootRow | ToolsRow | ToolRow | ToolProblemRow;

export interface ServerRow {
  readonly kind: 'server';
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

/** Why there are no tools to show. */
export interface ToolProblemRow {
  readonly kind: 'tool-problem';
  readonly server: Server;
  readonly reason: string;
}
