import type { ServerOptions } from '../serverOptions.ts';
import { registerCheckPath } from './checkPath.ts';
import { registerGetRoots } from './getRoots.ts';
import { registerListDirectory } from './listDirectory.ts';
import { registerReadFile } from './readFile.ts';
import type { ToolSet } from './toolSet.ts';

/** Every tool of the server, in the order in which a client lists them. */
export function registerTools(tools: ToolSet, _options: ServerOptions): void {
  registerGetRoots(tools);
  registerCheckPath(tools);
  registerReadFile(tools);
  registerListDirectory(tools);
}
