import type { PathPlatform } from './pathNames.ts';
import type { ScopeRoot } from './pathScope.ts';
import { namesBelow } from './rootPaths.ts';

/**
 * The name in `path` that makes it read-only, as it is spelled there; `undefined` when it may be
 * changed. Only names below the root count: whoever shares a `.git` folder as a root, means it.
 *
 * These say what other programs run (hooks, tasks, settings), so that writing there would be running a
 * program. It does not matter whether they exist, or are files (as in a worktree).
 * Git's files under other names cannot be told from a path: they are looked up on disk.
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
 * Whether some file system that a root may lie on could take `name` for a protected one, in a folder of
 * that name; left out: in one whose name does not matter.
 */
export function isProtectedName(name: string, folder = ''): boolean {
  const [own, above] = [plainName(name), plainName(folder)];
  return allNames.some(pattern => {
    const at = pattern.indexOf('/');
    return isOf(own, pattern.slice(at + 1)) && (at < 0 || isOf(above, pattern.slice(0, at)));
  });
}

/** Whether `name` is that of a folder in which some names are protected that are not so elsewhere. */
export function holdsProtected(name: string): boolean {
  const folders = protectedNames.map(pattern => pattern.split('/').slice(0, -1).join('/'));
  return folders.some(folder => folder !== '' && isOf(plainName(name), folder));
}

/** Equal for names that some file system takes for one. */
export function plainName(name: string): string {
  // The way over capitals makes one letter of those that have only their capital in common, as
  // APFS does.
  const folded = name.replace(ignored, '').toUpperCase().toLowerCase();
  return folded.replace(/(?<![. ])[. ]+$/, '');
}

/**
 * From where editors, agents, shells and Git start programs by themselves: the repository's settings and
 * hooks, what these run or can be made to include; tasks, containers and settings of editors; servers and
 * hooks of agents; the environment that a shell takes over on entering the folder. A `*` stands for any
 * letters, and a `/` behind the name of a folder.
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
 * Git's hooks, which a repository elsewhere may have in any folder. `update` is left out, because many
 * scripts are called so.
 */
const hookNames = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit'],
  ...['prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-rebase', 'post-checkout'],
  ...['post-merge', 'pre-push', 'pre-receive', 'proc-receive', 'post-receive', 'post-update'],
  ...['reference-transaction', 'push-to-checkout', 'pre-auto-gc', 'post-rewrite'],
  ...['sendemail-validate', 'fsmonitor-watchman', 'post-index-change'],
];
const allNames = [...protectedNames, ...hookNames];

/** Characters of a name that HFS+ passes over when it looks for a file. */
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

/** Whether NTFS could have made it of a protected name; the second form when the first is taken. */
function isShortName(name: string, pattern: string): boolean {
  const [, start = '', ending = ''] = /^(.+)~\d+(?:\.(.+))?$/.exec(name) ?? [];
  const [, stem = '', last = ''] = /^\.?(.+?)(?:\.([^.]+))?$/.exec(pattern) ?? [];
  const isHashed = fits(start.slice(0, 2), stem.slice(0, 2)) && /^..[\da-f]{4}$/.test(start);
  return fits(ending, last.slice(0, 3)) && (isHashed || fits(start, stem.slice(0, 6)));
}
