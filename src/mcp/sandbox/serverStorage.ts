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

/** Outside the files that the server can change: it must not cause an installation with the network. */
const markName = 'installed';
/** Beside the copies. */
const outdatedName = 'outdated';
const day = 24 * 60 * 60_000;
/** How long a copy stays without a start, in milliseconds. An unfinished copy goes at once. */
const kept = 30 * day;

/**
 * The folders of sandboxed servers, by their keys. Each has a home, which goes by the user's word
 * alone, and copies of the program. A link leads to the folder: when a server is renamed, only the
 * link changes, because a program may remember its own path.
 */
export class ServerStorage {
  readonly path: string;

  /** @param path of a folder that nothing else uses. Made when it is needed. */
  constructor(path: string) {
    this.path = path;
  }

  /** The real path of a server's folder, which is made if it is missing. */
  async open(key: string): Promise<string> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    if (!(await this.find(key))) {
      const made = await mkdtemp(join(this.path, 'server-'));
      // Another window may have been first.
      await symlink(basename(made), this.link(key)).catch(() => rmdir(made));
    }
    const folder = join(this.path, await readlink(this.link(key)));
    // A person may have deleted the home by hand.
    await mkdir(homeIn(folder), { recursive: true, mode: 0o700 });
    return realpath(folder);
  }

  /** Files that a server stored: in its home, and beside its program, as paths from the package on. */
  async stored(key: string): Promise<Record<'home' | 'beside', readonly string[]>> {
    const home = homeIn(this.link(key));
    const beside = await Promise.all((await copiesIn(this.link(key))).map(storedIn));
    return {
      home: (await filesIn(home)).map(path => path.slice(home.length + 1)),
      beside: [...new Set(beside.flat())],
    };
  }

  /**
   * Makes the next start install the server anew. A running copy goes on. If that start fails,
   * later starts use the copy that is installed now.
   */
  async outdate(key: string): Promise<void> {
    await writeFile(join(await this.open(key), outdatedName), '');
  }

  /**
   * Gives a server's folder to another key.
   *
   * @throws {HumanError} when that key has a folder.
   */
  async move(from: string, to: string): Promise<void> {
    const other = await this.find(to);
    if (other) {
      throw new HumanError('A server of this name left its files in {0}. Move the files.', other);
    }
    await ((await this.find(from)) && rename(this.link(from), this.link(to)));
  }

  /** Removes everything that a server stored, and what was installed for it. */
  async remove(key: string): Promise<void> {
    const folder = await this.find(key);
    await rm(this.link(key), { force: true });
    await (folder && removeFolder(folder));
  }

  /** Removes copies that nobody runs, if nothing was stored beside their program. */
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

/** A place for another copy of a program: an earlier copy may run in another window. */
export function newCopy(folder: string): Promise<string> {
  return mkdtemp(join(folder, `${Date.now()}-${process.pid}-`));
}

/** Whether to install a server anew. Only the first caller gets `true`. */
export function takeOutdated(folder: string): Promise<boolean> {
  return rm(join(folder, outdatedName)).then(
    () => true,
    () => false,
  );
}

/** The last whole copy with this mark, or with any mark; `undefined` without a copy. */
export async function findCopy(folder: string, mark?: string): Promise<string | undefined> {
  for (const copy of await copiesIn(folder)) {
    const found = await readFile(join(copy, markName), 'utf8').catch(() => undefined);
    if (found !== undefined && (mark === undefined || found === mark)) {
      return copy;
    }
  }
  return undefined;
}

/** Marks a copy as whole. The server stored everything that is written beside its program later. */
export async function markCopy(copy: string, mark: string, at: Date): Promise<void> {
  await writeFile(join(copy, markName), mark);
  await utimes(join(copy, markName), at, at);
}

/**
 * The paths of files that were written beside the program of a copy after its installation. Programs that
 * unpack archives can set a file's time of contents, but not the time of its last change.
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

/** Copies that are installed, or being installed, for a server: the last one first. */
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
