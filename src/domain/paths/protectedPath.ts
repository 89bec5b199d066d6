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
  return namesBelow(root, path, platform).find(isProtectedName);
}

/** Whether some file system that a root may lie on could take `name` for a protected one. */
export function isProtectedName(name: string): boolean {
  const plain = plainName(name);
  return protectedSet.has(plain) || isShortName(plain);
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
 * hooks, and what these can be made to include; tasks, containers and settings of editors; servers and
 * hooks of agents; the environment that a shell takes over on entering the folder.
 */
export const protectedNames = [
  ...['.git', '.husky', '.vscode', '.devcontainer', '.idea', '.zed', '.envrc'],
  ...['.mcp.json', '.claude', '.cursor', '.gemini', '.codex'],
] as const;

const protectedSet: ReadonlySet<string> = new Set(protectedNames);
/** Characters of a name that HFS+ passes over when it looks for a file. */
const ignored = /\p{Default_Ignorable_Code_Point}/gu;

/** Whether NTFS could have made it of a protected name; the second form when the first is taken. */
function isShortName(plain: string): boolean {
  const [, start, ending] = /^(.+)~\d+(?:\.(.+))?$/.exec(plain) ?? [];
  return (
    start !== undefined &&
    protectedNames.some(name => {
      const [, stem = '', last] = name.split('.');
      const isHashed = start.startsWith(stem.slice(0, 2)) && /^..[\da-f]{4}$/.test(start);
      return ending === last?.slice(0, 3) && (start === stem.slice(0, 6) || isHashed);
    })
  );
}
