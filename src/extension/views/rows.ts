import type { FolderAccess } from '../../domain/access.ts';
import type { Server } from '../servers/server.ts';

/** A row of the servers view: a server, or one folder as it stands towards it. */
export type Row = ServerRow | FolderRow;

export interface ServerRow {
  readonly kind: 'server';
  readonly server: Server;
}

export interface FolderRow {
  readonly kind: 'folder';
  readonly server: Server;
  readonly access: FolderAccess;
  /** The folder's name, made distinct from those of the other rows. */
  readonly name: string;
}
