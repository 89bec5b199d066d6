import { depthInDrive, isBelow, keyOf, namesIn, type PathKey, pathKey } from '../paths/pathKey.ts';
import type { PathPlatform } from '../paths/pathNames.ts';
import type { DiskLook, Folder } from './folders.ts';

/** The decision of the user's settings on one folder. The user's answers play no part. */
export interface Ruling {
  /** Why the folder is never a root; `undefined` when the user may be asked. */
  readonly exclusion: 'forbidden' | 'excluded' | undefined;
  /** The existing forbidden paths below the folder. A permission must cover each of them. */
  readonly forbiddenWithin: readonly string[];
  /** True if the folder holds far more than projects: a drive, a home, or a system folder. */
  readonly isWide: boolean;
}

export interface FolderRules {
  rulingOn(folder: Folder): Ruling;
}

/** A path that is never exposed, and the last look at it. Without a look, it counts as existing. */
export interface ForbiddenPath {
  readonly path: string;
  readonly look: DiskLook | undefined;
}

export interface RuleTerms {
  readonly platform: PathPlatform;
  readonly home: string;
  readonly forbidden: readonly ForbiddenPath[];
  readonly isExcluded: (path: string) => boolean;
}

interface Forbidden {
  readonly path: string;
  /** The path and its real path, in the form for comparison. */
  readonly keys: readonly PathKey[];
  readonly exists: boolean;
}

/**
 * The rules of the settings on forbidden and excluded folders.
 *
 * A forbidden path forbids itself and everything in it. The user's home and the root of a drive
 * forbid only themselves, because every project is in them. Folders are compared by given path, by
 * real path and by place on disk.
 */
export class SettingRules implements FolderRules {
  private readonly terms: RuleTerms;
  private readonly home: PathKey;
  private readonly forbidden: readonly Forbidden[];
  /** The device and inode of each forbidden path. Any other path to them is forbidden, too. */
  private readonly forbiddenPlaces: ReadonlySet<string>;
  /** The home and the roots of drives. They are forbidden, but the folders in them are not. */
  private readonly forbiddenAlone: ReadonlySet<PathKey>;
  /** Paths that are forbidden with everything in them. */
  private readonly forbiddenTrees: ReadonlySet<PathKey>;
  /** A cache, because many servers share folders, and every change asks for all rulings again. */
  private readonly rulings = new WeakMap<Folder, Ruling>();

  constructor(terms: RuleTerms) {
    this.terms = terms;
    this.home = pathKey(terms.home, terms.platform);
    this.forbidden = terms.forbidden.map(({ path, look }) => ({
      path,
      keys: this.keysOf([path, look?.realPath]),
      exists: look?.disk !== 'missing',
    }));
    this.forbiddenPlaces = new Set(terms.forbidden.flatMap(({ look }) => look?.place ?? []));
    const homes = this.forbidden.flatMap(({ keys }) => (keys.includes(this.home) ? keys : []));
    const keys = this.forbidden.flatMap(entry => entry.keys);
    const isAlone = (key: PathKey) => this.depth(key) <= 0 || homes.includes(key);
    this.forbiddenAlone = new Set(keys.filter(isAlone));
    this.forbiddenTrees = new Set(keys.filter(key => !isAlone(key)));
  }

  rulingOn(folder: Folder): Ruling {
    const ruling = this.rulings.get(folder) ?? this.judge(folder);
    this.rulings.set(folder, ruling);
    return ruling;
  }

  private judge({ path, realPath, place = '' }: Folder): Ruling {
    const keys = this.keysOf([path, realPath]);
    const isForbidden = this.forbiddenPlaces.has(place) || keys.some(key => this.isForbidden(key));
    const isExcluded = [path, realPath].some(name => name && this.terms.isExcluded(name));
    const forbiddenWithin = this.forbiddenWithin(keys);
    return {
      exclusion: isForbidden ? 'forbidden' : isExcluded ? 'excluded' : undefined,
      forbiddenWithin,
      isWide: keys.some(key => isWide(key, this.home, this.terms.platform)),
    };
  }

  private isForbidden(key: PathKey): boolean {
    // On Windows, `/` in the setting has no drive letter, so it means the root of every drive.
    const isRoot = this.depth(key) <= 0 && this.forbiddenAlone.has(keyOf([]));
    const names = namesIn(key);
    return (
      isRoot ||
      this.forbiddenAlone.has(key) ||
      names.some((_, index) => this.forbiddenTrees.has(keyOf(names.slice(0, index + 1))))
    );
  }

  private forbiddenWithin(keys: readonly PathKey[]): readonly string[] {
    return this.forbidden
      .filter(({ exists }) => exists)
      .filter(entry => entry.keys.some(inner => keys.some(key => isBelow(inner, key))))
      .map(({ path }) => path);
  }

  private depth(key: PathKey): number {
    return depthInDrive(key, this.terms.platform);
  }

  private keysOf(paths: readonly (string | undefined)[]): PathKey[] {
    const known = paths.flatMap(path => path ?? []);
    return [...new Set(known.map(path => pathKey(path, this.terms.platform)))];
  }
}

/**
 * Whether a folder usually holds more than projects: the root of a drive, the user's home, all
 * folders above the home, and the system's folders below the root. Any other folder below the root,
 * like `/app` in a container, was made for a purpose.
 */
function isWide(key: PathKey, home: PathKey, platform: PathPlatform): boolean {
  const depth = depthInDrive(key, platform);
  return (
    depth <= 0 ||
    key === home ||
    isBelow(home, key) ||
    (depth === 1 && systemFolders[platform].has(namesIn(key).at(-1) ?? '')) ||
    (platform !== 'win32' && mountedDrive.test(key))
  );
}

/** The mount points of drives: Windows drives in WSL, and drives of other systems. */
const mountedDrive = /^\/(?:mnt\/[a-z]|volumes\/[^/]+|media\/[^/]+(?:\/[^/]+)?)$/;

const posixFolders =
  'bin boot dev etc home lib lib64 media mnt opt proc root run sbin srv sys tmp usr var';

// The names are in lower case where the system ignores letter case, as in {@link PathKey}.
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
