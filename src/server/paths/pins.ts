import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FileIdentity, isSameFile } from '../../base/fileIdentity.ts';
import { systemError } from '../../base/messageOf.ts';
import { canonicalStart } from '../../domain/paths/pathInput.ts';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';

/** An opened file, and the path at which it was opened, as `canonicalStart` spells it. The receiver closes it. */
interface PinnedFile {
  readonly fd: number;
  readonly where: string;
}

/** The same of an opened folder. */
export interface PinnedFolder {
  readonly where: string;
  /** The path that reaches an entry of this very folder, wherever its own path leads by now. */
  at(name: string): string;
  /**
   * There only where nothing but its path holds the folder. Throws when that leads elsewhere by
   * now: to be called before each change, so that hardly any time is left for it.
   */
  recheck?(): void;
}

/**
 * Opens things and tells where they were opened, so that a link which is swapped in between a
 * check of a path and its use gains nothing. Whoever opens checks `where` before anything else.
 * All of it is synchronous. It throws what the system says.
 */
export interface Pin {
  openFile(real: string): PinnedFile;
  /** Runs `work`, which must be synchronous, while the folder is open. */
  inFolder<T>(real: string, work: (folder: PinnedFolder) => T): T;
}

export function pinFor(platform: PathPlatform): Pin {
  return { linux: descriptorPin, darwin: workingFolderPin, win32: identityPin }[platform];
}

/**
 * The pin for folders that are looked into and not changed. On Linux, paths from the working folder
 * cost a quarter less than those through `/proc`, which searches take by the thousand.
 */
export function readingPinFor(platform: PathPlatform): Pin {
  return platform === 'linux' ? workingFolderPin : pinFor(platform);
}

/**
 * Runs `work`, which must be synchronous, while both folders are open. A process has one working
 * folder, so on macOS only the second is held as well as one alone: the first is by its identity.
 */
export function inTwoFolders<T>(
  pin: Pin,
  [first, second]: readonly [string, string],
  work: (first: PinnedFolder, second: PinnedFolder) => T,
): T {
  if (first === second) {
    return pin.inFolder(first, folder => work(folder, folder));
  }
  const outer = pin === workingFolderPin ? identityPin : pin;
  return outer.inFolder(first, a => pin.inFolder(second, b => work(a, b)));
}

/**
 * Opens an entry of a folder for reading, while that is open. A link is refused; the receiver
 * closes what is returned.
 */
export function openEntry(pin: Pin, folder: Pick<PinnedFolder, 'at'>, name: string): number {
  if (pin !== identityPin) {
    return openSync(folder.at(name), flags);
  }
  const { fd, where } = pin.openFile(folder.at(name));
  return orClose(fd, () => {
    if (where !== folder.at(name)) {
      throw systemError('ESTALE');
    }
    return fd;
  });
}

// A pipe would otherwise be waited for, and a terminal would become the server's own.
const flags =
  constants.O_RDONLY |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOCTTY ?? 0);

/** Linux: the kernel tells the path of an open descriptor. */
export const descriptorPin: Pin = {
  openFile(real) {
    const fd = openSync(real, flags);
    return orClose(fd, () => ({ fd, where: readlinkSync(`/proc/self/fd/${fd}`) }));
  },
  inFolder(real, work) {
    const { fd, where } = descriptorPin.openFile(real);
    try {
      return work({ where, at: name => `/proc/self/fd/${fd}/${name}` });
    } finally {
      closeSync(fd);
    }
  },
};

/**
 * macOS, and Linux for folders that are only looked into: the working folder stays the same folder
 * when its path changes. It is one per process, so `work` must not open another in this way.
 */
export const workingFolderPin: Pin = {
  openFile(real) {
    return workingFolderPin.inFolder(dirname(real), ({ where, at }) => {
      const name = basename(real);
      return { fd: openSync(at(name), flags), where: join(where, name) };
    });
  },
  inFolder(real, work) {
    process.chdir(real);
    try {
      return work({ where: process.cwd(), at: name => `./${name}` });
    } finally {
      process.chdir('/');
    }
  },
};

/**
 * Windows: the path is resolved again after opening, and must lead to what was opened. This
 * leaves a gap that needs two swaps within microseconds; nothing without native code closes it.
 */
export const identityPin: Pin = {
  openFile(real) {
    const fd = openSync(real, flags);
    return orClose(fd, () => {
      const where = realPath(real);
      const [opened, named] = [fstatSync(fd, { bigint: true }), statSync(where, { bigint: true })];
      assertSame(opened, named);
      return { fd, where };
    });
  },
  inFolder(real, work) {
    const before = statSync(real, { bigint: true });
    const where = realPath(real);
    const recheck = () => {
      assertSame(before, statSync(realpathSync.native(real), { bigint: true }));
    };
    const result = work({ where, at: name => join(where, name), recheck });
    recheck();
    return result;
  },
};

function realPath(path: string): string {
  return canonicalStart(realpathSync.native(path), 'win32');
}

function assertSame(a: FileIdentity, b: FileIdentity): void {
  if (!isSameFile(a, b)) {
    throw systemError('ESTALE');
  }
}

function orClose<T>(fd: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
