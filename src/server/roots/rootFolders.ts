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

/** A root whose folder is known. Whether that is in place, is looked at with each use. */
export interface RootFolder extends ScopeRoot {
  /** As it was sent or given. */
  readonly uri: string;
  /** The place that it has to have; `undefined`: that of what its path leads to. */
  readonly folder?: string;
  /** The folder that was there at the last look. Another one in its place is the same root. */
  readonly place: string;
  /** Asks its disk, if that can fail, whether it answers: to be waited for before {@link whyNot}. */
  ask(): Promise<unknown> | undefined;
  /** Looks at the disk: why the root gives access to nothing now; `undefined`: it is in place. */
  whyNot(): string | undefined;
  /** The place on the way to a path where a disk begins that does not answer; `undefined`: none. */
  silentOn(path: string): string | undefined;
  /** For changes in it. */
  readonly git: Pick<GitPlacesCache, 'of'>;
}

/** A root that gives access to nothing, and why. */
export interface SkippedRoot {
  readonly uri: string;
  readonly reason: string;
}

/** Roots that are in force. The disk of each is looked at when the root is used, and no sooner. */
export interface RootFolders {
  readonly scope: PathScope<RootFolder>;
  /** Looks at all roots. */
  readonly skipped: readonly SkippedRoot[];
}

/** A root as it was sent or given; uri and name may be anything. */
export interface RootEntry {
  readonly uri?: unknown;
  readonly name?: unknown;
  /** The place that it has to have; `undefined`: that of what its path leads to. */
  readonly folder?: string | undefined;
}

/** No access. */
export function noRootFolders(platform: PathPlatform): RootFolders {
  return { scope: new PathScope<RootFolder>([], platform), skipped: [] };
}

/**
 * Roots, each of which means for good the folder that its path led to when it was taken. As long as
 * the path leads elsewhere the root gives access to nothing: otherwise, a program that can replace
 * a folder by a link would choose what is shared.
 */
export class PinnedRoots {
  private readonly disks: Disks | undefined;
  /** As they were sent or given; not those that can never be used. */
  private readonly paths: readonly string[];
  private readonly platform: PathPlatform;
  private readonly pins: readonly PinnedRoot[];
  /** The roots whose folder is not known yet: its disk did not answer, or another folder was there. */
  private open: readonly PinnedRoot[];
  private known: RootFolders;

  /** Takes the roots whose disks answer; the others are taken when these do. */
  constructor(entries: readonly RootEntry[], platform: PathPlatform, disks?: Disks) {
    this.platform = platform;
    this.disks = disks;
    this.pins = entries.map(entry => new PinnedRoot(entry, platform, disks));
    this.paths = this.pins.flatMap(({ announced }) => announced || []);
    this.open = this.pins;
    this.known = this.inForce();
  }

  /** Takes roots without waiting for disks that do not answer. */
  static async taken(
    entries: readonly RootEntry[],
    platform: PathPlatform,
    disks: Disks,
  ): Promise<PinnedRoots> {
    const announced = entries.map(({ uri }) => announcedPath(uri, platform));
    await disks.ask(announced.flatMap(found => (found.ok ? [found.path] : [])));
    return new PinnedRoots(entries, platform, disks);
  }

  /** Asks the disks near the roots that may not answer, before a use; `undefined`: none is. */
  ask(): Promise<unknown> | undefined {
    return this.disks?.ask(this.paths);
  }

  /** Whether none was named, not even one that can't be used. */
  get isEmpty(): boolean {
    return this.pins.length === 0;
  }

  /** The roots in force; the same object until a root is taken whose folder was not known before. */
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
      // Also one taken before a root that it lies in, whose disk did not answer then.
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
  /** Empty when it can never be used. */
  readonly announced: string;
  /** Empty as long as it is not taken. */
  real = '';
  foldsCase: boolean;
  place = '';
  way: readonly string[] = [];
  readonly git = new GitPlacesCache();
  /** A link in another root led elsewhere when it was taken. */
  isMisled = false;
  private readonly platform: PathPlatform;
  private readonly disks: Disks | undefined;
  /** The same list each time: what is known of its disks is known by it. */
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

  /** Pins it to the folder that its path leads to, once; where it is said which one, to no other. */
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
      return 'Its disk does not answer. It is asked again.';
    }
    if (this.isMisled) {
      return 'A link in another shared folder leads to it, and out of that.';
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
      return 'It leads elsewhere now than when it was shared.';
    }
    const stats = statSync(real, { bigint: true });
    const place = placeOf(stats);
    if (!stats.isDirectory()) {
      return 'It is not a folder.';
    }
    if ([this.announced, real].some(isOfProcess)) {
      return 'It does not name the same folder for every process.';
    }
    if (isInProc(real, stats)) {
      return whyNotProc;
    }
    if (this.folder !== undefined && !isSamePlace(this.folder, place)) {
      return 'It is another folder now than the one that was shared.';
    }
    if (this.platform === 'darwin' && place !== this.place) {
      this.foldsCase = isFoldingCase(real);
    }
    this.real = real;
    this.place = place;
    return undefined;
  }
}

/** Whether each folder of `before` is among those of `now`, whatever is in place. */
export function areAmong(before: RootFolders, now: RootFolders): boolean {
  const reals = new Set(now.scope.roots.map(({ real }) => real));
  return before.scope.roots.every(({ real }) => reals.has(real));
}

function announcedPath(uri: unknown, platform: PathPlatform): PathOutcome {
  if (typeof uri !== 'string' || !isFileUri(uri)) {
    return { ok: false, reason: 'It is not a file: URI.' };
  }
  const parsed = parsePath(uri, platform);
  const isDeep = parsed.ok && parsed.path.split(platform === 'win32' ? '\\' : '/').length > deepest;
  return isDeep ? { ok: false, reason: tooDeep } : parsed;
}

/**
 * The most names in the path of a root. A look at a root takes the system a time that grows with their
 * square: 300 roots within each other took seconds, at each use.
 */
const deepest = 64;
const tooDeep = `It lies more than ${deepest} folders deep. Share a folder above it.`;

/** `/proc/self/cwd` is another folder for each process, `/dev/fd` holds the server's own files. */
function isOfProcess(path: string): boolean {
  return /^\/proc(\/|$)/.test(path);
}

/** The real path, as it is or would be if something were there: a link to nothing is where it stands. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}

/** Whether the folder is found under its own name in the other letter case. */
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
    ? 'It does not exist.'
    : `It cannot be read (${code}).`;
}
