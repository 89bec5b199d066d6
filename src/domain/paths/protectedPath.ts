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
  return protectedForms.test(`/${plainName(folder)}/${plainName(name)}`);
}

/** Whether `name` is that of a folder in which some names are protected that are not so elsewhere. */
export function holdsProtected(name: string): boolean {
  return holders.test(`/${plainName(name)}`);
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
  ...['opencode.json*', 'crush.json', '.crush.json'],
] as const;

const protectedForms = formsOf(protectedNames);
const holders = formsOf(protectedNames.flatMap(name => name.split('/').slice(0, -1)));

/** Characters of a name that HFS+ passes over when it looks for a file. */
const ignored = /\p{Default_Ignorable_Code_Point}/gu;

function formsOf(names: readonly string[]): RegExp {
  const forms = names.map(name => name.split('/').map(formOf).join('/'));
  return new RegExp(`/(?:${forms.join('|')})$`);
}

/** A name, or what NTFS could have made of it; its second short form when the first is taken. */
function formOf(name: string): string {
  const [, stem = '', ending] = /^\.?(.+?)(?:\.([^.]+))?$/.exec(name) ?? [];
  const start = `(?:${literal(stem.slice(0, 6))}|${literal(stem.slice(0, 2))}[\\da-f]{4})`;
  const end = ending === undefined ? '' : `\\.${literal(ending.slice(0, 3))}`;
  return `(?:${literal(name)}|${start}~\\d+${end})`;
}

function literal(text: string): string {
  return text.replaceAll('.', '\\.').replaceAll('*', '[^/]*');
}
