import { type BigIntStats, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { deviceOf } from '../../base/fileIdentity.ts';
import { canonicalStart, parsePath } from '../../domain/paths/pathInput.ts';
import type { PathOutcome, PathPlatform } from '../../domain/paths/pathNames.ts';
import { PathScope, type ScopeRoot } from '../../domain/paths/pathScope.ts';
import { isFileUri } from '../../domain/paths/pathUri.ts';
import type { Disks } from './disks.ts';
import { misledRoots, type TakenRoot, wayTo } from './nestedRoots.ts';

/** A root that names an existing folder. */
export interface RootFolder extends ScopeRoot {
  /** As it was sent or given. */
  readonly uri: string;
  /** Which folder is there now, by whatever name. Another one in its place is the same root. */
  readonly device: bigint;
  readonly inode: bigint;
}

/** A root that gives access to nothing, and why. */
export interface SkippedRoot {
  readonly uri: string;
  readonly reason: string;
}

/** Roots as the disk has them at one moment. */
export interface RootFolders {
  readonly scope: PathScope<RootFolder>;
  readonly skipped: readonly SkippedRoot[];
}

/** A root as it was sent or given; uri and name may be anything. */
export interface RootEntry {
  readonly uri?: unknown;
  readonly name?: unknown;
  /** Which folder it has to be, as `device:inode`; `undefined`: the one that its path leads to. */
  readonly folder?: string | undefined;
}

/** No access. */
export function noRootFolders(platform: PathPlatform): RootFolders {
  return { scope: new PathScope<RootFolder>([], platform), skipped: [] };
}

/** Roots as the disk has them now. Never throws: a root that is no folder is skipped. */
export function prepareRootFolders(
  entries: readonly RootEntry[],
  platform: PathPlatform,
): RootFolders {
  return new PinnedRoots(entries, platform).folders;
}

/**
 * Roots, each of which means for good the folder that its path led to when it was taken. As long as
 * the path leads elsewhere the root gives access to nothing: otherwise, a program that can replace
 * a folder by a link would choose what is shared.
 */
export class PinnedRoots {
  private readonly platform: PathPlatform;
  private readonly pins: readonly PinnedRoot[];
  private seen: Seen;
  private isFresh = false;

  /**
   * Takes the roots, and looks where they lead.
   *
   * @param silent the paths of those on disks that do not answer: they are taken when these do.
   */
  constructor(
    entries: readonly RootEntry[],
    platform: PathPlatform,
    silent: ReadonlySet<string> = new Set(),
  ) {
    this.platform = platform;
    this.pins = entries.map(entry => new PinnedRoot(entry, platform));
    this.hear(this.pins, silent);
    this.seen = this.look();
  }

  /** Takes roots without waiting for disks that do not answer. */
  static async taken(
    entries: readonly RootEntry[],
    platform: PathPlatform,
    disks: Disks,
  ): Promise<PinnedRoots> {
    const paths = entries.flatMap(({ uri }) => {
      const announced = announcedPath(uri, platform);
      return announced.ok ? [announced.path] : [];
    });
    const silent = disks.anyMayFail ? await disks.silent(paths) : undefined;
    return new PinnedRoots(entries, platform, silent);
  }

  /** Asks the disks of which some may not answer, before a look at the folders; `undefined`: none is. */
  ask(disks: Disks): Promise<void> | undefined {
    const unsure = this.pins.filter(
      ({ isSilent, path, real }) =>
        isSilent || [path, real].some(one => one !== undefined && disks.mayFail(one)),
    );
    return unsure.length === 0
      ? undefined
      : disks
          .silent(unsure.flatMap(({ path }) => path ?? []))
          .then(silent => this.hear(unsure, silent));
  }

  private hear(pins: readonly PinnedRoot[], silent: ReadonlySet<string>): void {
    const late = pins.filter(pin => pin.hear(silent));
    if (late.length > 0) {
      const taken = this.pins.flatMap(pin => pin.taken ?? []);
      const misled = misledRoots(taken, this.platform);
      // Also those taken before a root that they lie in, whose disk did not answer then.
      for (const pin of this.pins) {
        pin.isMisled = pin.taken !== undefined && misled.has(pin.taken);
      }
    }
    this.isFresh = false;
  }

  /** The folders that are in place now; the same object as long as they are the same. */
  get folders(): RootFolders {
    // Whatever another process does after the look of a turn, it might do between any look and what
    // comes of it; and a turn is short: the input is taken a few lines at a time, and of the calls
    // that waited few go on in one.
    if (!this.isFresh) {
      this.seen = this.look(this.seen);
      this.isFresh = true;
      // Behind what is resolved in this turn, which a tick alone would come before. Not with
      // `setImmediate`: it comes later, and costs another round of the loop.
      queueMicrotask(() => process.nextTick(this.outdate));
    }
    return this.seen.folders;
  }

  /** Whether all that these gave access to is covered by `next`, whatever is in place now. */
  isCoveredBy(next: PinnedRoots): boolean {
    const reals = new Set(next.pins.map(({ real }) => real));
    return this.pins.every(({ real }) => real === undefined || reals.has(real));
  }

  private readonly outdate = (): void => {
    this.isFresh = false;
  };

  private look(before?: Seen): Seen {
    const parents = new Map<string, string>();
    const found = this.pins.map(pin => pin.find(parents));
    if (before?.found.every((folder, index) => folder === found[index])) {
      return before;
    }
    const roots = found.filter(folder => typeof folder !== 'string');
    const skipped = this.pins.flatMap(({ uri }, index) => {
      const reason = found[index];
      return typeof reason === 'string' ? { uri, reason } : [];
    });
    return { found, folders: { scope: new PathScope(roots, this.platform), skipped } };
  }
}

/** What a look at all roots found: the folder of each, or why there is none. */
interface Seen {
  readonly found: readonly (RootFolder | string)[];
  readonly folders: RootFolders;
}

class PinnedRoot {
  /** As it was sent or given. */
  readonly uri: string;
  private readonly platform: PathPlatform;
  private readonly name: string | undefined;
  private readonly expected: string | undefined;
  private readonly announced: PathOutcome;
  private pinned: string | undefined;
  /** Where it led when it was taken; `undefined` where who shares it says which folder it is. */
  taken: TakenRoot | undefined;
  /** Its disk did not answer when it was last asked. */
  isSilent = false;
  private isTaken = false;
  /** A link in another root led elsewhere when it was taken. */
  isMisled = false;
  private last: RootFolder | undefined;

  constructor({ uri, name, folder }: RootEntry, platform: PathPlatform) {
    this.uri = typeof uri === 'object' ? '' : String(uri ?? '');
    this.platform = platform;
    this.name = typeof name === 'string' ? name : undefined;
    this.expected = folder;
    this.announced = announcedPath(uri, platform);
  }

  /** As it was sent or given; `undefined`: it is none. */
  get path(): string | undefined {
    return this.announced.ok ? this.announced.path : undefined;
  }

  /** Notes whether its disk answers. @returns whether it is taken by this, which is done once. */
  hear(silent: ReadonlySet<string>): boolean {
    const { path, expected, platform } = this;
    this.isSilent = path !== undefined && silent.has(path);
    if (this.isTaken || this.isSilent || path === undefined || expected !== undefined) {
      return false;
    }
    this.isTaken = true;
    this.pinned = canonicalStart(realPathOf(path), platform);
    this.taken = { announced: path, real: this.pinned, way: wayTo(path) };
    return true;
  }

  /** The path to which its own has to lead; `undefined` as long as that never was the expected folder. */
  get real(): string | undefined {
    return this.isMisled ? undefined : this.pinned;
  }

  /**
   * Looks at the disk: the folder, the same object as long as it is the same one, or why there is none.
   *
   * @param parents where the folders lead that hold roots, as far as this look at all roots has found out.
   */
  find(parents: Map<string, string>): RootFolder | string {
    if (!this.announced.ok) {
      return this.announced.reason;
    }
    if (this.isSilent) {
      return 'Its disk does not answer. It is asked again.';
    }
    if (this.isMisled) {
      return 'A link in another shared folder leads to it, and out of that.';
    }
    const { path } = this.announced;
    try {
      if (this.last && this.isWhereItWas(path, this.last, parents)) {
        return this.last;
      }
      const real = canonicalStart(realpathSync.native(path), this.platform);
      if (real !== (this.pinned ?? real)) {
        return 'It leads elsewhere now than when it was shared.';
      }
      const { device, inode, isDirectory } = identityIn(statSync(real, { bigint: true }));
      if (!isDirectory) {
        return 'It is not a folder.';
      }
      if ([path, real].some(isOfProcess)) {
        return 'It does not name the same folder for every process.';
      }
      if (`${device}:${inode}` !== (this.expected ?? `${device}:${inode}`)) {
        return 'It is another folder now than the one that was shared.';
      }
      this.pinned = real;
      if (this.last?.device !== device || this.last.inode !== inode) {
        this.last = this.folderAt({ announced: path, real, device, inode });
      }
      return this.last;
    } catch (error) {
      return diskReason(error);
    }
  }

  /**
   * Whether the path leads where it led, found out without the system's way from the top for each of
   * many roots that stand side by side. `false` says nothing.
   */
  private isWhereItWas(path: string, last: RootFolder, parents: Map<string, string>): boolean {
    const parent = dirname(path);
    const real = parents.get(parent) ?? realpathSync.native(parent);
    parents.set(parent, real);
    if (join(real, basename(path)) !== this.pinned) {
      return false;
    }
    const { device, inode, isDirectory } = identityIn(lstatSync(this.pinned, { bigint: true }));
    return isDirectory && device === last.device && inode === last.inode;
  }

  private folderAt(found: Pick<RootFolder, 'announced' | 'real' | 'device' | 'inode'>): RootFolder {
    const { uri, name, platform } = this;
    const foldsCase = platform === 'win32' || (platform === 'darwin' && isFoldingCase(found.real));
    return { uri, ...(name !== undefined && { name }), ...found, foldsCase };
  }
}

/** Whether the path of a root still leads to its folder. */
export function isInPlace({ announced, real }: RootFolder): boolean {
  try {
    const now = canonicalStart(realpathSync.native(announced), process.platform as PathPlatform);
    return now === real && statSync(real).isDirectory();
  } catch {
    return false;
  }
}

/** Whether each folder of `before` is among those of `now`. */
export function areAmong(before: RootFolders, now: RootFolders): boolean {
  const reals = new Set(now.scope.roots.map(({ real }) => real));
  return before.scope.roots.every(({ real }) => reals.has(real));
}

function announcedPath(uri: unknown, platform: PathPlatform): PathOutcome {
  return typeof uri === 'string' && isFileUri(uri)
    ? parsePath(uri, platform)
    : { ok: false, reason: 'It is not a file: URI.' };
}

/** `/proc/self/cwd` is another folder for each process, `/dev/fd` holds the server's own files. */
function isOfProcess(path: string): boolean {
  return /^\/proc(\/|$)/.test(path);
}

function identityIn(stats: BigIntStats) {
  return { device: deviceOf(stats), inode: stats.ino, isDirectory: stats.isDirectory() };
}

/** Where a path leads, or would lead if it were there: a link to nothing is where it stands. */
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
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? 'It does not exist.'
    : `It cannot be read (${code}).`;
}
