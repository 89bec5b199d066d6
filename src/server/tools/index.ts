import type { McpServer } from '@modelcontextprotocol/server';
import type { SessionRoots } from '../sessionRoots.ts';
import { registerCheckPath } from './checkPath.ts';
import { registerGetRoots } from './getRoots.ts';
import { registerListDirectory } from './listDirectory.ts';
import { registerReadFile } from './readFile.ts';

/** Every tool of the server, in the order in which a client lists them. */
export function registerTools(server: McpServer, roots: SessionRoots): void {
  registerGetRoots(server, roots);
  registerCheckPath(server, roots);
  registerReadFile(server, roots);
  registerListDirectory(server, roots);
}
