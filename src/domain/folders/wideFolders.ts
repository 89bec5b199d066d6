import { depthInDrive, isBelow, namesIn, type PathKey } from '../paths/pathKey.ts';
import type { PathPlatform } from '../paths/pathNames.ts';

/**
 * Whether a folder is made to hold more than projects: the root of a drive, the user's home and all
 * above it, and what the system keeps directly below the root. Any other folder there, as `/app` in
 * a container, is somebody's own.
 */
export function isWide(key: PathKey, home: PathKey, platform: PathPlatform): boolean {
  const depth = depthInDrive(key, platform);
  return (
    depth <= 0 ||
    key === home ||
    isBelow(home, key) ||
    (depth === 1 && systemFolders[platform].has(namesIn(key).at(-1) ?? '')) ||
    (platform !== 'win32' && mountedDrive.test(key))
  );
}

/** Where the drives of Windows are under WSL, and those of others. */
const mountedDrive = /^\/(?:mnt\/[a-z]|volumes\/[^/]+|media\/[^/]+(?:\/[^/]+)?)$/;

const posixFolders =
  'bin boot dev etc home lib lib64 media mnt opt proc root run sbin srv sys tmp usr var';

// As keys are: in lower case where letter case makes no difference.
const systemFolders: Readonly<Record<PathPlatform, ReadonlySet<string>>> = {
  linux: new Set(posixFolders.split(' ')),
  darwin: new Set([
    ...posixFolders.split(' '),
    'applications',
    'library',
    'private',
    'system',
    'users',
    'volumes',
  ]),
  win32: new Set(['program files', 'program files (x86)', 'programdata', 'users', 'windows']),
};
