import type { Folder } from '../../domain/folders/folders.ts';
import type { Server } from '../servers/server.ts';

/** A server, and the folders that wait for the user's answer on it. */
export interface Waiting {
  readonly server: Server;
  readonly folders: readonly Folder[];
}

/** The folders that wait at running servers. Before a start, its own question asks. */
export function waitingFolders(servers: readonly Server[]): Waiting[] {
  return servers
    .filter(({ isLive, access }) => isLive && access.waiting.length > 0)
    .map(server => ({ server, folders: server.access.waiting }));
}
