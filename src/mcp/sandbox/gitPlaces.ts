import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Places outside of `.git` that Git runs or reads in a folder: the one of `core.hooksPath`, the files that
 * hooks link to, and included settings. They are looked up in the settings of the folder's repository, also
 * of a worktree, in the user's and in the system's.
 */
export async function gitPlaces(folder: string): Promise<readonly string[]> {
  const { top, own, common } = await repositoryOf(folder);
  const { XDG_CONFIG_HOME: ofUser, GIT_CONFIG_SYSTEM: system } = process.env;
  const files = [
    ...[join(common, 'config'), join(own, 'config.worktree'), join(homedir(), '.gitconfig')],
    join(ofUser || join(homedir(), '.config'), 'git', 'config'),
    ...(system ? [system] : systemSettings),
  ];
  const settings = (await Promise.all(files.map(file => settingsIn(file)))).flat();
  const named = settings.filter(isOf('core', 'hookspath')).map(({ path }) => resolve(top, path));
  // The hooks of Husky, in `.husky/_`, run the files above them.
  const hooks = named.flatMap(path => (basename(path) === '_' ? [path, dirname(path)] : path));
  const links = await Promise.all([...hooks, join(common, 'hooks')].map(linkedFrom));
  const places = [...hooks, ...settings.filter(isInclude).map(includedBy), ...links.flat()];
  const real = await Promise.all(places.map(path => realpath(path).catch(() => path)));
  return [...new Set([...places, ...real])];
}

/** The system's settings of Git, by the prefix that it was built with. */
const systemSettings = ['', '/usr/local', '/opt/homebrew'].map(prefix => `${prefix}/etc/gitconfig`);

/** The folders of a repository: its own, and the one that its worktrees share. */
interface Repository {
  readonly top: string;
  readonly own: string;
  readonly common: string;
}

/** The repository that a folder is in, or would be the top of. */
async function repositoryOf(folder: string): Promise<Repository> {
  for (let top = folder; ; top = dirname(top)) {
    const path = join(top, '.git');
    // A worktree or a submodule has a file there.
    const link = /^gitdir: (.+)$/m.exec(await textOf(path))?.[1];
    const own = link === undefined ? path : resolve(top, link);
    if (link !== undefined || (await textOf(join(own, 'HEAD'))) !== '') {
      const common = (await textOf(join(own, 'commondir'))).trim();
      return { top, own, common: resolve(own, common) };
    }
    if (dirname(top) === top) {
      const none = join(folder, '.git');
      return { top: folder, own: none, common: none };
    }
  }
}

/** A value of Git's settings that is a path. */
interface Setting {
  readonly file: string;
  /** In lower case and without the name of a subsection, as Git compares it. */
  readonly section: string;
  readonly key: string;
  readonly path: string;
}

/** Git follows as many files that include each other. */
const deepest = 10;

/** The settings of a file and of those that it includes, whatever the conditions. */
async function settingsIn(file: string, depth = 0): Promise<Setting[]> {
  let section = '';
  const own = (await textOf(file)).split(/\r?\n/).flatMap((line): Setting[] => {
    const head = /^\s*\[\s*([\w.-]+)[^\]]*\]/.exec(line);
    section = head?.[1]?.toLowerCase() ?? section;
    const rest = line.slice(head?.[0].length ?? 0);
    const value = /^\s*([\w-]+)\s*=\s*(?:"([^"]*)"|([^;#]*))/.exec(rest);
    const path = inHome((value?.[2] ?? value?.[3] ?? '').trim());
    return path === '' ? [] : [{ file, section, key: value?.[1]?.toLowerCase() ?? '', path }];
  });
  const includes = depth < deepest ? own.filter(isInclude).map(includedBy) : [];
  const included = await Promise.all(includes.map(path => settingsIn(path, depth + 1)));
  return [...own, ...included.flat()];
}

function isOf(section: string, key: string): (setting: Setting) => boolean {
  return setting => setting.section === section && setting.key === key;
}

function isInclude({ section, key }: Setting): boolean {
  return (section === 'include' || section === 'includeif') && key === 'path';
}

function includedBy({ file, path }: Setting): string {
  return resolve(dirname(file), path);
}

/** The targets of the links in a folder, each by its first step. */
async function linkedFrom(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const links = entries.filter(entry => entry.isSymbolicLink());
  return Promise.all(
    links.map(async ({ name }) => resolve(folder, await readlink(join(folder, name)))),
  );
}

function inHome(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
}

/** Empty for what can't be read: Git reads nothing there either. */
function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
