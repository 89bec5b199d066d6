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

/** An open file, and its path when opened, as `canonicalStart` spells it. The caller closes it. */
interface PinnedFile {
  readonly fd: number;
  readonly where: string;
}

/** An open folder. */
export interface PinnedFolder {
  readonly where: string;
  /** A path to an entry of the opened folder, even if the folder's own path now leads elsewhere. */
  at(name: string): string;
  /**
   * Throws if the folder's path now leads to another folder. Present only if `at` uses this path.
   * Call it right before each change, to leave little time for a swap.
   */
  recheck?(): void;
}

/**
 * Opens files and folders, and reports in `where` which real path was opened. The caller checks
 * `where` before any use. So an attacker gains nothing by putting a link in the path after an
 * earlier check. All methods are synchronous and throw the system's errors.
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
 * Returns the {@link Pin} for opening folders that are only read. On Linux, paths from the working
 * folder take a quarter less time than paths through `/proc`. Searches use thousands of paths.
 */
export function readingPinFor(platform: PathPlatform): Pin {
  return platform === 'linux' ? workingFolderPin : pinFor(platform);
}

/**
 * Runs `work`, which must be synchronous, while both folders are open. A process has one working
 * folder. So on macOS, the second folder is the working folder, and `identityPin` opens the first.
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

/** Opens an entry of an open folder for reading, but no link. The caller closes the descriptor. */
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

// Without these flags, a pipe would block, and a terminal would send its signals to this server.
const flags =
  constants.O_RDONLY |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOCTTY ?? 0);

/** Pins files on Linux: the kernel reports the path of an open descriptor. */
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
 * The pin of macOS, and of Linux for folders that are only read. The working folder stays the same
 * when its path changes. A process has only one, so `work` must not open a folder with this pin.
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
 * The pin of Windows. Resolves the path again after opening, and compares the file there with the
 * opened file. Two swaps within microseconds stay unnoticed. Only native code could notice them.
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
