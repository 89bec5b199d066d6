import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSamePlace, placeOf } from '../../base/fileIdentity.ts';
import { codeOf } from '../../base/messageOf.ts';
import { isFileUri } from '../../domain/paths/fileUri.ts';
import { canonicalStart, parsePath } from '../../domain/paths/pathInput.ts';
import type { PathOutcome, PathPlatform } from '../../domain/paths/pathNames.ts';
import { PathScope, type ScopeRoot } from '../../domain/paths/pathScope.ts';
import { isInProc, whyNotProc } from '../paths/procFiles.ts';
import type { Disks } from './disks.ts';
import { GitPlacesCache } from './gitPlacesCache.ts';
import { misledRoots, type TakenRoot, wayTo } from './nestedRoots.ts';

/** A root with a known folder. Each use checks whether that folder is in place. */
export interface RootFolder extends ScopeRoot {
  /** The URI or path as the client sent it, or as the options gave it. */
  readonly uri: string;
  /** The `placeOf` of the folder that must be at the path. `undefined`: any folder is right. */
  readonly folder?: string;
  /** The `placeOf` of the folder at the last look. Later, another folder may be at the path. */
  readonly place: string;
  /** Asks the root's disk, if the disk can stop answering. Wait for the result before {@link whyNot}. */
  ask(): Promise<unknown> | undefined;
  /** Looks at the disk. Returns why the root gives no access now; `undefined`: the folder is in place. */
  whyNot(): string | undefined;
  /** Where on the way to a path a silent disk begins. `undefined`: all disks answer. */
  silentOn(path: string): string | undefined;
  /** The paths that Git runs or reads. A change in the root must leave them alone. */
  readonly git: Pick<GitPlacesCache, 'of'>;
}

/** A root that gives no access, and why. */
export interface SkippedRoot {
  readonly uri: string;
  readonly reason: string;
}

/** The roots in force. A root's disk is touched only when the root is used. */
export interface RootFolders {
  readonly scope: PathScope<RootFolder>;
  /** The roots that give no access now. Reading this looks at the disk of each root. */
  readonly skipped: readonly SkippedRoot[];
}

/** A root as a client sent it, or as the options gave it. `uri` and `name` may have any value. */
export interface RootEntry {
  readonly uri?: unknown;
  readonly name?: unknown;
  /** The `placeOf` of the folder that must be at the path. `undefined`: any folder is right. */
  readonly folder?: string | undefined;
}

/** The roots of a session without access. */
export function noRootFolders(platform: PathPlatform): RootFolders {
  return { scope: new PathScope<RootFolder>([], platform), skipped: [] };
}

/**
 * Roots pinned to their folders. A root is taken when it arrives, or when its disk first answers.
 * From then on, it means the real path where its path led. If its path later leads elsewhere, the
 * root gives no access. Otherwise, a program could put a link there and so choose what is shared.
 */
export class PinnedRoots {
  private readonly disks: Disks | undefined;
  /** The paths as sent or given, except paths that can never be used. */
  private readonly paths: readonly string[];
  private readonly platform: PathPlatform;
  private readonly pins: readonly PinnedRoot[];
  /** The roots without a known folder: the disk did not answer, or another folder was there. */
  private open: readonly PinnedRoot[];
  private known: RootFolders;

  /** Takes the roots on disks that answer. Takes each other root when its disk answers. */
  constructor(entries: readonly RootEntry[], platform: PathPlatform, disks?: Disks) {
    this.platform = platform;
    this.disks = disks;
    this.pins = entries.map(entry => new PinnedRoot(entry, platform, disks));
    this.paths = this.pins.flatMap(({ announced }) => announced || []);
    this.open = this.pins;
    this.known = this.inForce();
  }

  /** Takes roots after asking their disks. Waits only briefly for silent disks. */
  static async taken(
    entries: readonly RootEntry[],
    platform: PathPlatform,
    disks: Disks,
  ): Promise<PinnedRoots> {
    const announced = entries.map(({ uri }) => announcedPath(uri, platform));
    await disks.ask(announced.flatMap(found => (found.ok ? [found.path] : [])));
    return new PinnedRoots(entries, platform, disks);
  }

  /** Before a use, asks the disks near the roots that can stop answering. `undefined`: no disk can. */
  ask(): Promise<unknown> | undefined {
    return this.disks?.ask(this.paths);
  }

  /** Whether no root was named. Roots that can't be used count as named. */
  get isEmpty(): boolean {
    return this.pins.length === 0;
  }

  /** The roots in force. The object stays the same until a root's folder becomes known. */
  get folders(): RootFolders {
    if (this.open.some(pin => pin.take())) {
      this.known = this.inForce();
    }
    return this.known;
  }

  private inForce(): RootFolders {
    const { pins, platform } = this;
    const taken = pins.filter(pin => pin.take());
    this.open = pins.filter(({ real, announced }) => real === '' && announced !== '');
    const led = taken.filter(({ folder }) => folder === undefined);
    const misled = misledRoots(led, platform);
    for (const pin of taken) {
      // Judges all roots again: when a root was taken, the disk of a root around it may have been silent.
      pin.isMisled = misled.has(pin);
    }
    const roots = taken.filter(({ isMisled }) => !isMisled);
    return {
      scope: new PathScope<RootFolder>(roots, platform, root => root.whyNot() === undefined),
      get skipped() {
        return pins.flatMap(pin => {
          const reason = pin.whyNot();
          return reason === undefined ? [] : [{ uri: pin.uri, reason }];
        });
      },
    };
  }
}

class PinnedRoot implements RootFolder, TakenRoot {
  readonly uri: string;
  readonly name?: string;
  readonly folder?: string;
  /** Empty if the root can never be used. */
  readonly announced: string;
  /** The real path. Empty until the root is taken. */
  real = '';
  foldsCase: boolean;
  place = '';
  way: readonly string[] = [];
  readonly git = new GitPlacesCache();
  /** Whether a link in another root led out of that root to this root, when this root was taken. */
  isMisled = false;
  private readonly platform: PathPlatform;
  private readonly disks: Disks | undefined;
  /** Always the same list object, because `Disks` has a cache with this object as the key. */
  private readonly asked: readonly string[];
  private readonly problem: string | undefined;

  constructor({ uri, name, folder }: RootEntry, platform: PathPlatform, disks?: Disks) {
    this.uri = typeof uri === 'object' ? '' : String(uri ?? '');
    if (typeof name === 'string') {
      this.name = name;
    }
    if (folder !== undefined) {
      this.folder = folder;
    }
    this.foldsCase = platform !== 'linux';
    this.platform = platform;
    this.disks = disks;
    const announced = announcedPath(uri, platform);
    this.problem = announced.ok ? undefined : announced.reason;
    this.announced = announced.ok ? announced.path : '';
    this.asked = announced.ok ? [announced.path] : [];
  }

  /** Pins the root, if not yet done and if its disk answers. Returns whether the root is pinned. */
  take(): boolean {
    if (this.real === '' && this.announced !== '' && this.silentOn(this.announced) === undefined) {
      if (this.folder === undefined) {
        this.real = canonicalStart(realPathOf(this.announced), this.platform);
        this.way = wayTo(this.announced);
      }
      this.whyNot();
    }
    return this.real !== '';
  }

  whyNot(): string | undefined {
    if (this.problem !== undefined) {
      return this.problem;
    }
    if (this.silentOn(this.announced) !== undefined) {
      return notInPlace.silent;
    }
    if (this.isMisled) {
      return notInPlace.misled;
    }
    try {
      return this.look();
    } catch (error) {
      return diskReason(error);
    }
  }

  ask(): Promise<unknown> | undefined {
    return this.disks?.ask(this.asked);
  }

  silentOn(path: string): string | undefined {
    return this.disks?.silentOn(path);
  }

  private look(): string | undefined {
    const real = canonicalStart(realpathSync.native(this.announced), this.platform);
    if (real !== (this.real || real)) {
      return notInPlace.elsewhere;
    }
    const stats = statSync(real, { bigint: true });
    const place = placeOf(stats);
    if (!stats.isDirectory()) {
      return notInPlace.file;
    }
    // `/proc/self/cwd` differs for each process, and `/dev/fd` holds this server's own files.
    if ([this.announced, real].some(path => /^\/proc(\/|$)/.test(path))) {
      return notInPlace.ofProcess;
    }
    if (isInProc(real, stats)) {
      return whyNotProc;
    }
    if (this.folder !== undefined && !isSamePlace(this.folder, place)) {
      return notInPlace.replaced;
    }
    if (this.platform === 'darwin' && place !== this.place) {
      this.foldsCase = isFoldingCase(real);
    }
    this.real = real;
    this.place = place;
    return undefined;
  }
}

/** The reasons why a root gives no access. */
const notInPlace = {
  silent: 'The disk of the root does not answer now. The server asks the disk again.',
  misled: 'The path of this root goes through a link that leads out of another shared folder.',
  elsewhere: 'The path of the root leads to another place than when the root was shared.',
  missing: 'The root does not exist.',
  file: 'The root is not a folder.',
  ofProcess: 'The path of the root means a different folder for each process.',
  replaced: 'Another folder has replaced the root since the root was shared.',
} as const;

/** Whether `now` has each folder of `before`, in place or not. */
export function areAmong(before: RootFolders, now: RootFolders): boolean {
  const reals = new Set(now.scope.roots.map(({ real }) => real));
  return before.scope.roots.every(({ real }) => reals.has(real));
}

function announcedPath(uri: unknown, platform: PathPlatform): PathOutcome {
  if (typeof uri !== 'string' || !isFileUri(uri)) {
    return { ok: false, reason: 'The URI of the root does not begin with file:.' };
  }
  const parsed = parsePath(uri, platform);
  const isDeep = parsed.ok && parsed.path.split(platform === 'win32' ? '\\' : '/').length > deepest;
  return isDeep ? { ok: false, reason: tooDeep } : parsed;
}

/**
 * The most names in a root's path. The time for a look at a root grows with the square of the
 * number of names: 300 roots within each other took seconds at each use.
 */
const deepest = 64;
const tooDeep = `The root lies more than ${deepest} folders deep. Share a folder above the root.`;

/** The real path. For a missing path, the real path that it would have. A broken link stays as it is. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}

/** Whether the folder is also found under its name in swapped letter case. */
function isFoldingCase(real: string): boolean {
  const other = join(dirname(real), swapCase(basename(real)));
  const [a, b] = [real, other].map(path => statSync(path, { throwIfNoEntry: false }));
  return other !== real && a?.ino === b?.ino && a?.dev === b?.dev;
}

function swapCase(name: string): string {
  return name.replace(/[a-z]|[A-Z]/g, letter => {
    return letter < 'a' ? letter.toLowerCase() : letter.toUpperCase();
  });
}

function diskReason(error: unknown): string {
  const code = codeOf(error) ?? 'unknown error';
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? notInPlace.missing
    : `The root cannot be read (${code}).`;
}
