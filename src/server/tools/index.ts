import type { Limiter } from '../../base/limiter.ts';
import { fileInfo } from './fileInfo.ts';
import { listDirectory } from './listDirectory.ts';
import type { BundledTool } from './offerTools.ts';
import { readFile } from './readFile.ts';
import { readMedia } from './readMedia.ts';
import { checkPath, getRoots } from './rootsTools.ts';
import { findFiles, searchText } from './searchTools.ts';
import { createDirectory, deletePath, editFile, movePath, writeFile } from './writingTools.ts';

/** Every tool of the server, in the order in which a client lists them. Those that write come last. */
export function bundledTools(searches: Limiter): readonly BundledTool[] {
  const reading = [getRoots, checkPath, readFile, readMedia, listDirectory];
  const searching = [findFiles(searches), searchText(searches)];
  const writing = [writeFile, editFile, createDirectory, movePath, deletePath];
  return [...reading, ...searching, fileInfo, ...writing];
}
