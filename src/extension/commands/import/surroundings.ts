import { homedir } from 'node:os';
import type { Surroundings } from '../../../domain/settings/folderVariables.ts';
import { foldersOnDisk } from '../../folders/onDisk.ts';

/** Where this window is: what variables for folders stand for in it. */
export function surroundings(): Surroundings {
  return { folders: foldersOnDisk(), userHome: homedir() };
}
