import { basename, dirname, join, resolve } from 'node:path';

/**
 * A question about the disk: the text of a file, the targets of the links in a folder, or the real
 * path of a path. The caller finds the answer, which is always a list.
 */
export type GitLook = readonly [kind: 'text' | 'links' | 'real', path: string];

/** Work that yields each question and gets the answer from the caller. */
export type Looking<T> = Generator<GitLook, T, readonly string[]>;

/** The facts by which Git finds its settings for every repository. */
export interface GitUser {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds the places outside `.git` that Git runs or reads: the folders of `core.hooksPath`, the
 * targets of hooks that are links, included settings, and programs in the work tree that watch or
 * filter files. They follow from the settings of the user, of the system, and of the repositories
 * and worktrees that contain these folders.
 */
export function* gitPlaces(folders: readonly string[], user: GitUser): Looking<string[]> {
  const shared = yield* settingsIn(userFiles(user), user);
  const places = new Set<string>();
  for (const top of new Set(folders.flatMap(withThoseAbove))) {
    const repository = yield* repositoryAt(top, folders.includes(top));
    const ofGit = repository ? yield* placesOf(top, repository, shared, user) : [];
    for (const place of ofGit) {
      places.add(place).add((yield ['real', place])[0] ?? place);
    }
  }
  return [...places];
}

function withThoseAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...withThoseAbove(above)];
}

function userFiles({ home, env }: GitUser): string[] {
  const { XDG_CONFIG_HOME: ofUser, GIT_CONFIG_SYSTEM: system } = env;
  return [
    ...[join(home, '.gitconfig'), join(ofUser || join(home, '.config'), 'git', 'config')],
    ...(system ? [system] : systemSettings),
  ];
}

/** Git's system settings. The path depends on the prefix that Git was built with. */
const systemSettings = ['', '/usr/local', '/opt/homebrew'].map(prefix => `${prefix}/etc/gitconfig`);

/** A repository's own folder, and the folder that its worktrees share. */
interface Repository {
  readonly own: string;
  readonly common: string;
}

/** The repository whose work tree or own folder is `top`. If `isFuture`, it need not exist yet. */
function* repositoryAt(top: string, isFuture: boolean): Looking<Repository | undefined> {
  const path = join(top, '.git');
  // In a worktree or a submodule, `.git` is a file.
  const link = /^gitdir: (.+)$/m.exec(yield* textOf(path))?.[1];
  for (const own of link === undefined ? [path, top] : [resolve(top, link)]) {
    if (link !== undefined || (yield* textOf(join(own, 'HEAD'))) !== '') {
      const common = (yield* textOf(join(own, 'commondir'))).trim();
      return { own, common: resolve(own, common) };
    }
  }
  return isFuture ? { own: path, common: path } : undefined;
}

function* placesOf(
  top: string,
  { own, common }: Repository,
  shared: readonly Setting[],
  user: GitUser,
): Looking<string[]> {
  const files = [join(common, 'config'), join(own, 'config.worktree')];
  const settings = [...(yield* settingsIn(files, user)), ...shared];
  const named = settings.filter(isHooksPath).map(({ path }) => resolve(top, path));
  // Husky's hooks in `.husky/_` run the files in the folder above.
  const hooks = named.flatMap(path => (basename(path) === '_' ? [path, dirname(path)] : path));
  const run = settings.filter(isProgram).flatMap(({ path }) => path.split(/[\s'";|&]+/));
  // `git-lfs clean` names no file. In other commands, any word may be the script.
  const programs = run.filter(word => /[./]/.test(word)).map(word => resolve(top, word));
  const places = [...hooks, ...programs, ...settings.filter(isInclude).map(includedBy)];
  for (const folder of [...hooks, join(common, 'hooks')]) {
    places.push(...(yield ['links', folder]));
  }
  return places;
}

/** A path or a command in Git's settings. */
interface Setting {
  readonly file: string;
  /** The section in lower case, without the name of a subsection. */
  readonly section: string;
  readonly key: string;
  readonly path: string;
}

/** The most files to read in all. In a repository, files could include each other endlessly. */
const mostFiles = 100;

/** The settings in these files and in all files that they include under any condition. */
function* settingsIn(files: readonly string[], { home }: GitUser): Looking<Setting[]> {
  const found: Setting[] = [];
  const known = new Set(files);
  for (const file of known) {
    const own = settingsOf(file, yield* textOf(file), home);
    found.push(...own);
    const included = own.filter(isInclude).map(includedBy);
    for (const path of included.slice(0, Math.max(0, mostFiles - known.size))) {
      known.add(path);
    }
  }
  return found;
}

function settingsOf(file: string, text: string, home: string): Setting[] {
  let section = '';
  return text.split(/\r?\n/).flatMap(line => {
    const head = /^\s*\[\s*([\w.-]+)[^\]]*\]/.exec(line);
    section = head?.[1]?.toLowerCase() ?? section;
    const rest = line.slice(head?.[0].length ?? 0);
    const value = /^\s*([\w-]+)\s*=\s*(?:"([^"]*)"|([^;#]*))/.exec(rest);
    const path = (value?.[2] ?? value?.[3] ?? '').trim().replace(/^~(?=\/)/, () => home);
    return path === '' ? [] : [{ file, section, key: value?.[1]?.toLowerCase() ?? '', path }];
  });
}

function isHooksPath({ section, key }: Setting): boolean {
  return section === 'core' && key === 'hookspath';
}

/** Whether Git itself runs the setting's program, for example for `git status`. */
function isProgram({ section, key }: Setting): boolean {
  const isFilter = /^filter\b/.test(section) && ['clean', 'smudge', 'process'].includes(key);
  return isFilter || (section === 'core' && key === 'fsmonitor');
}

function isInclude({ section, key }: Setting): boolean {
  return (section === 'include' || section === 'includeif') && key === 'path';
}

function includedBy({ file, path }: Setting): string {
  return resolve(dirname(file), path);
}

function* textOf(path: string): Looking<string> {
  return (yield ['text', path])[0] ?? '';
}
