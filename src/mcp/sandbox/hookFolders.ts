import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isAtOrBelow } from '../../domain/sandbox/systemPlaces.ts';

/**
 * Where else than in its `.git` the repository in a folder has its hooks, as far as that lies in the
 * folder: what `core.hooksPath` says in its own settings, those of the user, or those of the repository
 * that a worktree belongs to. Files that these include are not read. (git-config, core.hooksPath.)
 */
export async function hookFolders(folder: string): Promise<readonly string[]> {
  const own = await gitFolder(join(folder, '.git'));
  const { XDG_CONFIG_HOME: named } = process.env;
  const settings = [
    ...(own === undefined ? [] : [join(own, 'config'), join(own, 'config.worktree')]),
    join(homedir(), '.gitconfig'),
    join(named || join(homedir(), '.config'), 'git', 'config'),
  ];
  const texts = await Promise.all(settings.map(textOf));
  const places = texts.flatMap(hooksPaths).map(path => resolve(folder, inHome(path)));
  return [...new Set(places)].filter(path => path !== folder && isAtOrBelow(path, folder));
}

/** The folder with the settings: of a worktree, that of the repository it belongs to. */
async function gitFolder(path: string): Promise<string | undefined> {
  const link = /^gitdir: (.+)$/m.exec(await textOf(path))?.[1];
  if (link === undefined) {
    return path;
  }
  const own = resolve(dirname(path), link);
  const common = (await textOf(join(own, 'commondir'))).trim();
  return common === '' ? own : resolve(own, common);
}

/** What `hooksPath` is set to in the section `core`, in any letter case. */
function hooksPaths(text: string): string[] {
  const found: string[] = [];
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    section = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line)?.[1]?.toLowerCase() ?? section;
    const value = /(?:^|\])\s*hookspath\s*=\s*(?:"([^"]*)"|([^;#]*))/i.exec(line);
    const path = (value?.[1] ?? value?.[2])?.trim();
    if (section === 'core' && path) {
      found.push(path);
    }
  }
  return found;
}

function inHome(path: string): string {
  return path.startsWith('~/') && !isAbsolute(path) ? join(homedir(), path.slice(2)) : path;
}

/** Empty for what can't be read: Git reads nothing there either. */
function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
