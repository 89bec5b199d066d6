import type { Limiter } from '../../base/limiter.ts';
import { registerFileInfo } from './fileInfo.ts';
import { registerListDirectory } from './listDirectory.ts';
import { registerReadFile } from './readFile.ts';
import { registerReadMedia } from './readMedia.ts';
import { registerCheckPath, registerGetRoots } from './rootsTools.ts';
import { registerFindFiles, registerSearchText } from './searchTools.ts';
import type { ToolSet } from './toolSet.ts';
import {
  registerCreateDirectory,
  registerDeletePath,
  registerEditFile,
  registerMovePath,
  registerWriteFile,
} from './writingTools.ts';

/** Registers every tool, in the order of `tools/list`. Tools that write come last. */
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
