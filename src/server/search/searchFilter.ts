import {
  type Glob,
  matchesSequence,
  readGlobNames,
  type SequenceStep,
} from '../../domain/glob/glob.ts';
import { type FolderMarks, type FolderTree, repository } from './folderTree.ts';

/** The folder and the globs of a search. */
interface SearchScope {
  /** The searched folder: the names from the root to it. */
  readonly folder: readonly string[];
  /** The files to search, as globs from the searched folder. `undefined`: all files. */
  readonly include: Glob | undefined;
  /** The files and folders to leave out. */
  readonly exclude: Glob | undefined;
  /** Whether to search files that `.gitignore` files (of the root and below) ignore. */
  readonly includesIgnored: boolean;
}

/** A folder reached by a search: the names from the root to it, and its ignore rules. */
export interface SearchPlace {
  readonly names: readonly string[];
  readonly rules: IgnoreRules | undefined;
}

/** Decides which files and folders a search looks at. No other code decides this. */
export class SearchFilter {
  readonly tree: FolderTree;
  readonly wanted: SearchScope;

  constructor(tree: FolderTree, wanted: SearchScope) {
    this.tree = tree;
    this.wanted = wanted;
  }

  /** The searched folder, with the rules of the folders above it, up to the root and never higher. */
  start(): SearchPlace {
    const { folder } = this.wanted;
    let rules: IgnoreRules | undefined;
    for (let depth = 0; depth < folder.length && !this.wanted.includesIgnored; depth++) {
      const names = folder.slice(0, depth);
      const content = this.tree.list(names);
      rules = content ? this.inside({ names, rules }, content).rules : rules;
    }
    return { names: folder, rules };
  }

  /** Adds the folder's own rules. In the top of a repository, drops all rules from above. */
  inside({ names, rules }: SearchPlace, { ignoreText, isRepository }: FolderMarks): SearchPlace {
    if (this.wanted.includesIgnored) {
      return { names, rules: undefined };
    }
    const above = isRepository ? this.repositoryRules(names) : rules;
    const own = ignoreText === undefined ? above : readIgnoreRules(ignoreText, names.length, above);
    return { names, rules: own };
  }

  /** Whether to search a folder below searched folders. `rules` are the ignore rules of those folders. */
  wantsFolder(names: readonly string[], rules: IgnoreRules | undefined): boolean {
    const { folder, include, exclude } = this.wanted;
    return (
      names.at(-1) !== repository &&
      !exclude?.matches(names, folder.length) &&
      (!include || include.mayMatchBelow(names, folder.length)) &&
      !isIgnored(rules, names, true)
    );
  }

  wantsFile(names: readonly string[], rules: IgnoreRules | undefined): boolean {
    const { folder, include, exclude } = this.wanted;
    return (
      names.at(-1) !== repository &&
      (!include || include.matches(names, folder.length)) &&
      !exclude?.matches(names, folder.length) &&
      !isIgnored(rules, names, false)
    );
  }

  private repositoryRules(names: readonly string[]): IgnoreRules | undefined {
    const text = this.tree.excludeTextOf(names);
    return text === undefined ? undefined : readIgnoreRules(text, names.length, undefined);
  }
}

/** The rules of one ignore file, in their order. Rules that can match nothing are left out. */
interface IgnoreRules {
  readonly rules: readonly IgnoreRule[];
  /** The number of names from the root to the folder of the rules. */
  readonly depth: number;
  /** The rules of the folders above. They apply if none of this file's rules matches. */
  readonly above: IgnoreRules | undefined;
}

interface IgnoreRule {
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  readonly matches: (names: readonly string[], depth: number) => boolean;
}

/**
 * Reads a `.gitignore`. Invalid patterns match nothing, as with Git. One difference: in this
 * server, `?` and `[…]` match a character. In Git, they match a byte of UTF-8.
 */
function readIgnoreRules(text: string, depth: number, above: IgnoreRules | undefined): IgnoreRules {
  const lines = `${text.replace(/^\ufeff/, '')}\n`.split(/\r?\n/);
  return { rules: lines.flatMap(line => readRule(line) ?? []), depth, above };
}

/** Whether rules ignore an entry, given by the names from the root to it. The last match decides. */
function isIgnored(
  rules: IgnoreRules | undefined,
  names: readonly string[],
  isFolder: boolean,
): boolean {
  for (let level = rules; level; level = level.above) {
    for (let at = level.rules.length - 1; at >= 0; at--) {
      const rule = level.rules[at];
      if (rule && (isFolder || !rule.isForFolders) && rule.matches(names, level.depth)) {
        return !rule.isNegated;
      }
    }
  }
  return false;
}

function readRule(line: string): IgnoreRule | undefined {
  if (line.startsWith('#')) {
    return undefined;
  }
  const isNegated = line.startsWith('!');
  const pattern = withoutBlanks(line).slice(isNegated ? 1 : 0);
  const isForFolders = pattern.endsWith('/');
  const path = isForFolders ? pattern.slice(0, -1) : pattern;
  const steps = path === '' ? undefined : readGlobNames(path.replace(/^\//, ''));
  if (!steps) {
    return undefined;
  }
  return { isNegated, isForFolders, matches: matcherOf(steps, path.includes('/')) };
}

/** Removes blanks at the end of a line, except a blank after a backslash. */
function withoutBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' && line[end - 2] !== '\\') {
    end -= 1;
  }
  return line.slice(0, end);
}

/** The matcher of a pattern. A pattern without a slash applies to the name alone. */
function matcherOf(steps: readonly SequenceStep[], isPath: boolean): IgnoreRule['matches'] {
  if (isPath) {
    return (names, depth) => matchesSequence(steps, names, depth);
  }
  const [first] = steps;
  const test = typeof first === 'function' ? first : () => true;
  return names => test(names.at(-1) ?? '');
}
