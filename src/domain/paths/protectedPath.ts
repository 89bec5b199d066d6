import type { PathPlatform } from './pathNames.ts';
import type { ScopeRoot } from './pathScope.ts';
import { namesBelow } from './rootPaths.ts';

/**
 * Returns the name in `path` that makes the path read-only; `undefined` when it may be changed.
 * Only names below the root count, because a user may share a `.git` folder on purpose.
 *
 * Other programs run what protected files say (hooks, tasks, settings), so to write one is to run a
 * program. A name is protected whether a folder, a file (`.git` in a worktree) or nothing is there.
 * Git also uses files whose names tell nothing. `gitPlaces` searches the disk for those.
 */
export function protectedName(
  path: string,
  root: ScopeRoot,
  platform: PathPlatform,
): string | undefined {
  let folder = '';
  for (const name of namesBelow(root, path, platform)) {
    if (isProtectedName(name, folder)) {
      return isProtectedName(name) ? name : `${folder}/${name}`;
    }
    folder = name;
  }
  return undefined;
}

/**
 * Whether some file system could take `name` for a protected name, in a folder called `folder`. If
 * `folder` is left out: in any folder.
 */
export function isProtectedName(name: string, folder = ''): boolean {
  const [own, above] = [plainName(name), plainName(folder)];
  return allNames.some(pattern => {
    const at = pattern.indexOf('/');
    return isOf(own, pattern.slice(at + 1)) && (at < 0 || isOf(above, pattern.slice(0, at)));
  });
}

/** Whether some names are protected only in folders called `name`. */
export function holdsProtected(name: string): boolean {
  const folders = protectedNames.map(pattern => pattern.split('/').slice(0, -1).join('/'));
  return folders.some(folder => folder !== '' && isOf(plainName(name), folder));
}

/** A common form for all names that some file system takes for the same name. */
export function plainName(name: string): string {
  // Upper case comes first: like APFS, this unites letters that only share their capital.
  const folded = name.replace(ignored, '').toUpperCase().toLowerCase();
  return folded.replace(/(?<![. ])[. ]+$/, '');
}

/**
 * The places from which editors, agents, shells and Git start programs without a question: a
 * repository's settings and hooks, and what hooks run or include; tasks, containers and settings of
 * editors; servers and hooks of agents; the environment that a shell loads in a folder. A `*`
 * stands for any letters, and a `/` follows a folder's name.
 */
export const protectedNames = [
  ...['.git', '.husky', '.lefthook*', 'lefthook.*', 'lefthook-local.*', '.pre-commit-config.*'],
  ...['prek.toml', '.overcommit.yml', '.vscode', '*.code-workspace', '.devcontainer'],
  ...['.devcontainer.json', '.idea', '.vs', '.zed', '.helix', '.envrc', '.mcp.json', '.claude'],
  ...['.cursor', '.gemini', '.codex', '.github/hooks', '.kiro', '.roo', '.kilocode', '.cline'],
  ...['.clinerules/hooks', '.windsurf', '.amazonq', '.junie', '.qwen', '.opencode'],
  ...['opencode.json*', 'crush.json', '.crush.json', '*.gitconfig'],
] as const;

/**
 * Git's hooks, protected in any folder: a repository elsewhere may keep its hooks there. `update`
 * is missing, because many scripts have that name.
 */
const hookNames = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit'],
  ...['prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-rebase', 'post-checkout'],
  ...['post-merge', 'pre-push', 'pre-receive', 'proc-receive', 'post-receive', 'post-update'],
  ...['reference-transaction', 'push-to-checkout', 'pre-auto-gc', 'post-rewrite'],
  ...['sendemail-validate', 'fsmonitor-watchman', 'post-index-change'],
];
const allNames = [...protectedNames, ...hookNames];

/** Characters in a name that HFS+ ignores when it looks for a file. */
const ignored = /\p{Default_Ignorable_Code_Point}/gu;

function isOf(name: string, pattern: string): boolean {
  return fits(name, pattern) || (name.includes('~') && isShortName(name, pattern));
}

function fits(text: string, pattern: string): boolean {
  const at = pattern.indexOf('*');
  return at === -1
    ? text === pattern
    : text.length >= pattern.length - 1 &&
        text.startsWith(pattern.slice(0, at)) &&
        text.endsWith(pattern.slice(at + 1));
}

/** Whether NTFS could shorten a protected name to this name, with or without a hash in it. */
function isShortName(name: string, pattern: string): boolean {
  const [, start = '', ending = ''] = /^(.+)~\d+(?:\.(.+))?$/.exec(name) ?? [];
  const [, stem = '', last = ''] = /^\.?(.+?)(?:\.([^.]+))?$/.exec(pattern) ?? [];
  const isHashed = fits(start.slice(0, 2), stem.slice(0, 2)) && /^..[\da-f]{4}$/.test(start);
  return fits(ending, last.slice(0, 3)) && (isHashed || fits(start, stem.slice(0, 6)));
}
