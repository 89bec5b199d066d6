import { basename } from 'node:path';
import type { PathPlatform } from '../../../domain/paths/pathNames.ts';
import { PathScope } from '../../../domain/paths/pathScope.ts';
import type { Root } from '../../../domain/roots.ts';
import { isInFirstRoot, type Launch } from '../../../domain/servers/launch.ts';
import { namesRoots } from '../../../domain/variables/variables.ts';
import type { RootFolder } from '../../roots/rootFolders.ts';
import { announcedPaths } from './childTarget.ts';

/**
 * What a change of roots means to a process that was started for others: nothing that it would not
 * be told of, a restart, or, with the last root, its end. It starts again when it is needed.
 */
export type RootsEffect = 'told' | 'restart' | 'stop';

/** The effect of a change from the roots of its start to those of now. */
export function rootsEffect(
  launch: Launch,
  atStart: readonly RootFolder[],
  now: readonly RootFolder[],
): RootsEffect {
  if (now.length === 0) {
    // Some go on with the roots that they had when they are told of none.
    return launch.type === 'stdio' && atStart.length > 0 ? 'stop' : 'told';
  }
  const [paths, pathsNow] = [announcedPaths(atStart), announcedPaths(now)];
  const isNamed = namesRoots(launch) && paths.join('\0') !== pathsNow.join('\0');
  return isNamed || hasLostItsFolder(launch, atStart, now) ? 'restart' : 'told';
}

/** The roots as a server is told of them. */
export function toldRoots(folders: readonly RootFolder[]): Root[] {
  return folders.map(({ uri, name, announced }) => ({ uri, name: name ?? basename(announced) }));
}

/** Whether it was to work in its first root, since it names no other folder, and is in none now. */
function hasLostItsFolder(
  launch: Launch,
  [first]: readonly RootFolder[],
  now: readonly RootFolder[],
): boolean {
  if (!isInFirstRoot(launch)) {
    return false;
  }
  // Without any root it was started in a folder that is none.
  const platform = process.platform as PathPlatform;
  return first === undefined || new PathScope(now, platform).findReal(first.real) === undefined;
}
