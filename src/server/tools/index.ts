import type { Limiter } from '../../base/limiter.ts';
import { registerCheckPath } from './checkPath.ts';
import { registerCreateDirectory } from './createDirectory.ts';
import { registerDeletePath } from './deletePath.ts';
import { registerEditFile } from './editFile.ts';
import { registerFileInfo } from './fileInfo.ts';
import { registerFindFiles } from './findFiles.ts';
import { registerGetRoots } from './getRoots.ts';
import { registerListDirectory } from './listDirectory.ts';
import { registerMovePath } from './movePath.ts';
import { registerReadFile } from './readFile.ts';
import { registerReadMedia } from './readMedia.ts';
import { registerSearchText } from './searchText.ts';
import type { ToolSet } from './toolSet.ts';
import { registerWriteFile } from './writeFile.ts';

/** Every tool of the server, in the order in which a client lists them. Those that write come last. */
export function registerTools(tools: ToolSet, searches: Limiter): void {
  registerGetRoots(tools);
  registerCheckPath(tools);
  registerReadFile(tools);
  registerReadMedia(tools);
  registerListDirectory(tools);
  registerFindFiles(tools, searches);
  registerSearchText(tools, searches);
  registerFileInfo(tools);
  registerWriteFile(tools);
  registerEditFile(tools);
  registerCreateDirectory(tools);
  registerMovePath(tools);
  registerDeletePath(tools);
}
