import { closeSync, fstatSync, lstatSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import { attempt } from '../paths/openInside.ts';
import { openEntry, type Pin, type PinnedFolder, readingPinFor } from '../paths/pins.ts';
import { isInProc } from '../paths/procFiles.ts';
import type { RootFolder } from '../roots/rootFolders.ts';

/** The entries of a folder for a search, without links, pipes and devices. Unsorted. */
export interface FolderContent extends FolderMarks {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** The number of entries with names that are not UTF-8. */
  readonly nameless: number;
}

/** The facts of a folder that decide which entries are ignored. */
export interface FolderMarks {
  /** The text of the folder's `.gitignore`, if that file has a usual size. */
  readonly ignoreText: string | undefined;
  /** Whether the folder is the top of a repository. */
  readonly isRepository: boolean;
}

/** A regular file, opened for reading. The receiver closes it. */
export interface SearchedFile {
  readonly fd: number;
  readonly size: number;
}

/**
 * The folders in a top folder, each given by the names from the top to it.
 *
 * A folder is used only if its path was really opened and is in the roots. So an attacker gains
 * nothing by replacing a folder with a link. All methods are synchronous. The result `undefined`
 * means that the folder can't be read, or that its path leads elsewhere.
 */
export class FolderTree {
  readonly scope: PathScope<RootFolder>;
  private readonly root: string;
  private readonly pin: Pin;

  /** `root`: the real path of the top folder, which is a root or lies in a root. */
  constructor(
    scope: PathScope<RootFolder>,
    root: string,
    pin: Pin = readingPinFor(scope.platform),
  ) {
    this.scope = scope;
    this.root = root;
    this.pin = pin;
  }

  /** Runs `work`, which must be synchronous, while the folder is open. */
  visit<T>(names: readonly string[], work: (folder: PinnedFolder) => T): T | undefined {
    const real = join(this.root, ...names);
    if (!this.scope.find(real) || this.isSilent(names)) {
      return undefined;
    }
    const run = (folder: PinnedFolder) => (folder.where === real ? work(folder) : undefined);
    return attempt(() => this.pin.inFolder(real, run));
  }

  /** Whether the names lead to a silent disk. */
  isSilent(names: readonly string[]): boolean {
    const real = join(this.root, ...names);
    return this.scope.find(real)?.silentOn(real) !== undefined;
  }

  /** Opens a file of a visited folder. `undefined`: the file is not a readable regular file. */
  open(folder: PinnedFolder, name: string): SearchedFile | undefined {
    const fd = attempt(() => openEntry(this.pin, folder, name));
    if (fd === undefined) {
      return undefined;
    }
    const stats = fstatSync(fd);
    if (stats.isFile() && !isInProc(`/proc/self/fd/${fd}`, stats)) {
      return { fd, size: stats.size };
    }
    closeSync(fd);
    return undefined;
  }

  list(names: readonly string[]): FolderContent | undefined {
    return this.visit(names, folder => {
      const entries = readdirSync(folder.at('.'), { withFileTypes: true });
      const named = entries.filter(({ name }) => isName(folder, name));
      const files = named.filter(entry => entry.isFile()).map(({ name }) => name);
      const folders = named.filter(entry => entry.isDirectory()).map(({ name }) => name);
      const isRepository = folders.includes(repository) || files.includes(repository);
      const ignoreText = files.includes(ignoreFile) ? this.text(folder, ignoreFile) : undefined;
      const nameless = entries.length - named.length;
      return { files, folders, nameless, ignoreText, isRepository };
    });
  }

  /** The ignore rules that a repository keeps outside of its ignore files (`.git/info/exclude`). */
  excludeTextOf(names: readonly string[]): string | undefined {
    return this.visit([...names, repository, 'info'], folder => this.text(folder, 'exclude'));
  }

  private text(folder: PinnedFolder, name: string): string | undefined {
    const file = this.open(folder, name);
    if (!file) {
      return undefined;
    }
    try {
      const bytes = Buffer.alloc(file.size > maxIgnoreSize ? 0 : file.size);
      return bytes.toString('utf8', 0, readInto(file.fd, bytes));
    } finally {
      closeSync(file.fd);
    }
  }
}

/**
 * Whether a name from `readdir` leads to an entry. If a name is not UTF-8, Node returns replacement
 * characters, and the result leads nowhere.
 */
export function isName(folder: Pick<PinnedFolder, 'at'>, name: string): boolean {
  // A long name with replacement characters may be too long for the system.
  return !name.includes('\ufffd') || attempt(() => isThere(folder, name)) === true;
}

function isThere(folder: Pick<PinnedFolder, 'at'>, name: string): boolean {
  return lstatSync(folder.at(name), { throwIfNoEntry: false }) !== undefined;
}

const ignoreFile = '.gitignore';
/** The name of a repository's Git folder, or of the file that points to that folder. */
export const repository = '.git';

/** The largest ignore file that is read, in bytes. Usual ignore files are far smaller. */
const maxIgnoreSize = 128 * 1024;

/** Reads a file from `start` until the buffer is full or the file ends. Returns the number of bytes. */
export function readInto(fd: number, bytes: Uint8Array, start = 0): number {
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(fd, bytes, length, bytes.length - length, start + length);
    if (read === 0) {
      break;
    }
    length += read;
  }
  return length;
}
