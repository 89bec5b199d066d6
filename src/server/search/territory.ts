import type { Glob } from '../../domain/glob/glob.ts';
import { type FolderMarks, type FolderTree, repository } from './folderTree.ts';
import { type IgnoreRules, isIgnored, readIgnoreRules } from './ignoreRules.ts';

/** What a search is to look at. */
export interface Wanted {
  /** The folder it searches: the names from the root to it. */
  readonly folder: readonly string[];
  /** Only the files that match, below that folder. */
  readonly include: Glob | undefined;
  /** Not these files and folders. */
  readonly exclude: Glob | undefined;
  /** Whether files count that `.gitignore` files (of the root and below) ignore. */
  readonly includesIgnored: boolean;
}

/** A folder that a search has come to: the names from the root to it, and what is ignored in it. */
export interface Place {
  readonly names: readonly string[];
  readonly rules: IgnoreRules | undefined;
}

/** Which files and folders a search looks at. The one place that decides it. */
export class Territory {
  readonly tree: FolderTree;
  readonly wanted: Wanted;

  constructor(tree: FolderTree, wanted: Wanted) {
    this.tree = tree;
    this.wanted = wanted;
  }

  /** The searched folder, with the rules of those above it, up to the root and never higher. */
  start(): Place {
    const { folder } = this.wanted;
    let rules: IgnoreRules | undefined;
    for (let depth = 0; depth < folder.length && !this.wanted.includesIgnored; depth++) {
      const names = folder.slice(0, depth);
      const marks = this.tree.marksOf(names);
      rules = marks ? this.inside({ names, rules }, marks).rules : rules;
    }
    return { names: folder, rules };
  }

  /** The place with the rules that the folder itself brings. A repository starts with none but its own. */
  inside({ names, rules }: Place, { ignoreText, isRepository }: FolderMarks): Place {
    if (this.wanted.includesIgnored) {
      return { names, rules: undefined };
    }
    const above = isRepository ? this.repositoryRules(names) : rules;
    const own = ignoreText === undefined ? above : readIgnoreRules(ignoreText, names.length, above);
    return { names, rules: own };
  }

  /** Whether the folder is to be searched, once all above it are. The rules are those it lies under. */
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
