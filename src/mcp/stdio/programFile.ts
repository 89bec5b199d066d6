import { lstatSync, statSync } from 'node:fs';

/** Whether a file is at a path, or a link that only the system can follow. */
export function isProgramFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return isAlias(path);
  }
}

/** Aliases of apps from the store of Windows are links that can be run, but not looked behind. */
function isAlias(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false; // It is not there, or in a folder that can't be looked into.
  }
}
