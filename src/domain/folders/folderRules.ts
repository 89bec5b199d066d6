import { depthInDrive, isBelow, keyOf, namesIn, type PathKey, pathKey } from '../paths/pathKey.ts';
import type { PathPlatform } from '../paths/pathNames.ts';
import type { DiskLook, Folder } from './folders.ts';
import { isWide } from './wideFolders.ts';

/** What the user's rules say on one folder, whatever else was answered on it. */
export interface Ruling {
  /** Why it is never a root; `undefined` when the rules allow to ask. */
  readonly leftOut: 'forbidden' | 'excluded' | undefined;
  /** The forbidden paths that exist below it. Exposing it needs a yes to each of them. */
  readonly forbiddenWithin: readonly string[];
  /** Whether it is made to hold more than projects: a drive, the home or above it, or of the system. */
  readonly isWide: boolean;
}

/** Rules on folders that no answer can overrule. */
export interface FolderRules {
  rulingOn(folder: Folder): Ruling;
}

/** A path that is never exposed, and what is there; not known yet counts as being there. */
export interface ForbiddenPath {
  readonly path: string;
  readonly look: DiskLook | undefined;
}

/** What rules are made of. */
export interface RuleTerms {
  readonly platform: PathPlatform;
  readonly home: string;
  readonly forbidden: readonly ForbiddenPath[];
  readonly isExcluded: (path: string) => boolean;
}

interface Forbidden {
  readonly path: string;
  /** Of the path and, where it is another, of the real path. */
  readonly keys: readonly PathKey[];
  readonly exists: boolean;
}

/**
 * The rules of the settings on forbidden and excluded folders.
 *
 * A forbidden path forbids itself and everything in it; the user's home and the root of a drive
 * forbid only themselves, since every project is in them. Folders are compared under the path they
 * were given and under their real one, and by their place on disk.
 */
export class SettingRules implements FolderRules {
  private readonly terms: RuleTerms;
  private readonly home: PathKey;
  private readonly forbidden: readonly Forbidden[];
  private readonly places: ReadonlySet<string>;
  private readonly alone: ReadonlySet<PathKey>;
  private readonly whole: ReadonlySet<PathKey>;
  /** Servers share their folders, and every change asks about all of them again. */
  private readonly known = new WeakMap<Folder, Ruling>();

  constructor(terms: RuleTerms) {
    this.terms = terms;
    this.home = pathKey(terms.home, terms.platform);
    this.forbidden = terms.forbidden.map(({ path, look }) => ({
      path,
      keys: this.keysOf([path, look?.realPath]),
      exists: look?.disk !== 'missing',
    }));
    this.places = new Set(terms.forbidden.flatMap(({ look }) => look?.place ?? []));
    const homes = this.forbidden.flatMap(({ keys }) => (keys.includes(this.home) ? keys : []));
    const keys = this.forbidden.flatMap(entry => entry.keys);
    const isAlone = (key: PathKey) => this.depth(key) <= 0 || homes.includes(key);
    this.alone = new Set(keys.filter(isAlone));
    this.whole = new Set(keys.filter(key => !isAlone(key)));
  }

  rulingOn(folder: Folder): Ruling {
    const ruling = this.known.get(folder) ?? this.judge(folder);
    this.known.set(folder, ruling);
    return ruling;
  }

  private judge({ path, realPath, place = '' }: Folder): Ruling {
    const keys = this.keysOf([path, realPath]);
    const isForbidden = this.places.has(place) || keys.some(key => this.isForbidden(key));
    const isExcluded = [path, realPath].some(name => name && this.terms.isExcluded(name));
    const forbiddenWithin = this.forbiddenWithin(keys);
    return {
      leftOut: isForbidden ? 'forbidden' : isExcluded ? 'excluded' : undefined,
      forbiddenWithin,
      isWide: keys.some(key => isWide(key, this.home, this.terms.platform)),
    };
  }

  private isForbidden(key: PathKey): boolean {
    // On Windows the `/` of the setting is the root of no drive in particular, so of every one.
    const isRoot = this.depth(key) <= 0 && this.alone.has(keyOf([]));
    const names = namesIn(key);
    return (
      isRoot ||
      this.alone.has(key) ||
      names.some((_, index) => this.whole.has(keyOf(names.slice(0, index + 1))))
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
