import { createHash } from 'node:crypto';
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { HumanError } from '../../domain/sentence.ts';
import { storedPath } from '../../domain/servers/installStep.ts';
import { removeFolder } from '../process/removeFolder.ts';
import { hasEnded } from '../process/stdio/markedProcesses.ts';

/** The file that marks a copy as complete. The server can't change it to cause a download. */
const markName = 'installed';
/** A file beside the copies. If it exists, the next start installs the server anew. */
const outdatedName = 'outdated';
const day = 24 * 60 * 60_000;
/** How long a complete copy counts as used after its last start, in milliseconds. */
const kept = 30 * day;

/**
 * The folders of sandboxed servers. A folder has the server's home, which only the user removes,
 * and copies: installations of its program. A link, named after the server's key, leads to the
 * folder. If the server is renamed, only the link changes, because a program may remember its own
 * path.
 */
export class ServerStorage {
  readonly path: string;

  /** @param path a folder that nothing else uses. `open` makes it if it is missing. */
  constructor(path: string) {
    this.path = path;
  }

  /** Returns the real path of a server's folder. Makes the folder if it is missing. */
  async open(key: string): Promise<string> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    if (!(await this.find(key))) {
      const made = await mkdtemp(join(this.path, 'server-'));
      // If another window has just made this link, that window's folder is used.
      await symlink(basename(made), this.link(key)).catch(() => rmdir(made));
    }
    const folder = join(this.path, await readlink(this.link(key)));
    // A person may have deleted the home by hand.
    await mkdir(homeIn(folder), { recursive: true, mode: 0o700 });
    return realpath(folder);
  }

  /**
   * Returns the files that a server stored. `home`: paths in its home. `beside`: files beside its
   * program, as paths from the folder that contains the program's package.
   */
  async stored(key: string): Promise<Record<'home' | 'beside', readonly string[]>> {
    const home = homeIn(this.link(key));
    const beside = await Promise.all((await copiesIn(this.link(key))).map(storedIn));
    return {
      home: (await filesIn(home)).map(path => path.slice(home.length + 1)),
      beside: [...new Set(beside.flat())],
    };
  }

  /**
   * Makes the next start install the server anew. A running server goes on. If that installation
   * fails, later starts use the present copy.
   */
  async outdate(key: string): Promise<void> {
    await writeFile(join(await this.open(key), outdatedName), '');
  }

  /**
   * Gives the folder of the key `from` to the key `to`.
   *
   * @throws {HumanError} when `to` already has a folder.
   */
  async move(from: string, to: string): Promise<void> {
    const other = await this.find(to);
    if (other) {
      throw new HumanError(
        'An earlier server of this name left its files in {0}. Move them away.',
        other,
      );
    }
    await ((await this.find(from)) && rename(this.link(from), this.link(to)));
  }

  /** Removes everything that a server stored, and what was installed for it. */
  async remove(key: string): Promise<void> {
    const folder = await this.find(key);
    await rm(this.link(key), { force: true });
    await (folder && removeFolder(folder));
  }

  /** Removes copies that nobody uses, if the server stored no files beside their program. */
  async clearUp(): Promise<void> {
    const folders = (await readdir(this.path)).map(name => join(this.path, name));
    for (const copy of (await Promise.all(folders.map(copiesIn))).flat()) {
      const isWhole = (await modified(join(copy, markName))) !== undefined;
      const isUsed = isWhole
        ? Date.now() - ((await modified(copy)) ?? 0) <= kept
        : !hasEnded(Number(basename(copy).split('-')[1]));
      if (!isUsed && (await storedIn(copy)).length === 0) {
        await removeFolder(copy);
      }
    }
  }

  private find(key: string): Promise<string | undefined> {
    return realpath(this.link(key)).catch(() => undefined);
  }

  private link(key: string): string {
    return join(this.path, createHash('sha256').update(key).digest('hex').slice(0, 16));
  }
}

export function homeIn(folder: string): string {
  return join(folder, 'home');
}

/** Makes a folder for a program's new copy, because a window may still run an earlier copy. */
export function newCopy(folder: string): Promise<string> {
  return mkdtemp(join(folder, `${Date.now()}-${process.pid}-`));
}

/** Whether `outdate` was called for the server. Only the first caller after that gets `true`. */
export function takeOutdated(folder: string): Promise<boolean> {
  return rm(join(folder, outdatedName)).then(
    () => true,
    () => false,
  );
}

/** The newest complete copy, or `undefined`. If a mark is given, only copies with it count. */
export async function findCopy(folder: string, mark?: string): Promise<string | undefined> {
  for (const copy of await copiesIn(folder)) {
    const found = await readFile(join(copy, markName), 'utf8').catch(() => undefined);
    if (found !== undefined && (mark === undefined || found === mark)) {
      return copy;
    }
  }
  return undefined;
}

/** Marks a copy as complete. Files beside the program that change after `at` are the server's. */
export async function markCopy(copy: string, mark: string, at: Date): Promise<void> {
  await writeFile(join(copy, markName), mark);
  await utimes(join(copy, markName), at, at);
}

/**
 * Returns the paths of files that the server wrote beside its program. Their `ctime` is later than
 * the installation. `mtime` would not do, because programs that unpack archives can set it.
 */
async function storedIn(copy: string): Promise<string[]> {
  const installed = (await modified(join(copy, markName))) ?? Number.POSITIVE_INFINITY;
  const found = (await filesIn(copy)).map(async path => {
    const stored = storedPath(path.slice(copy.length));
    const changed = (await lstat(path).catch(() => undefined))?.ctimeMs ?? 0;
    return stored && changed > installed ? [stored] : [];
  });
  return (await Promise.all(found)).flat();
}

/** All files in a folder, without links. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.flatMap(one => (one.isFile() ? [join(one.parentPath, one.name)] : []));
}

/** Returns the copies of a server's program, the newest first. Some may be unfinished. */
async function copiesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const copies = names.filter(name => /^\d+-/.test(name));
  return copies
    .sort()
    .reverse()
    .map(name => join(folder, name));
}

async function modified(path: string): Promise<number | undefined> {
  return (await lstat(path).catch(() => undefined))?.mtimeMs;
}
