import { homedir } from 'node:os';
import type { PathContext } from '../domain/folders/folderSettings.ts';

/** The rules for paths on this machine. */
export function pathContext(): PathContext {
  const { platform } = process;
  const isKnown = platform === 'win32' || platform === 'darwin';
  return { home: homedir(), platform: isKnown ? platform : 'linux' };
}
