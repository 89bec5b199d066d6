import {
  type Glob,
  matchesSequence,
  readGlobNames,
  type SequenceStep,
} from '../../domain/glob/glob.ts';
import { type FolderMarks, type FolderTree, repository } from './folderTree.ts';

/** The folder and the globs of a search. */
interface SearchScope {
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
export interface SearchPlace {
  readonly names: readonly string[];
  readonly rules: IgnoreRules | undefined;
}

/** Decides which files and folders a search looks at: nothing else does. */
export class SearchFilter {
  readonly tree: FolderTree;
  readonly wanted: SearchScope;

  constructor(tree: FolderTree, wanted: SearchScope) {
    this.tree = tree;
    this.wanted = wanted;
  }

  /** The searched folder, with the rules of those above it, up to the root and never higher. */
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

  /** The place with the rules that the folder itself brings. A repository starts with none but its own. */
  inside({ names, rules }: SearchPlace, { ignoreText, isRepository }: FolderMarks): SearchPlace {
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

/** The rules of one ignore file, as far as they can match anything, in their order. */
interface IgnoreRules {
  readonly rules: readonly IgnoreRule[];
  /** The number of names from the root to the folder of the rules. */
  readonly depth: number;
  /** The rules that count where these say nothing. */
  readonly above: IgnoreRules | undefined;
}

interface IgnoreRule {
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  readonly matches: (names: readonly string[], depth: number) => boolean;
}

/**
 * Reads a `.gitignore`. What Git does not understand matches nothing, as with Git. One difference:
 * `?` and `[…]` stand for a character here, for a byte of its UTF-8 there.
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

/** Blanks at the end do not count, except one that is escaped. */
function withoutBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' && !isEscaped(line, end - 1)) {
    end -= 1;
  }
  return line.slice(0, end);
}

function isEscaped(line: string, at: number): boolean {
  let start = at;
  while (line[start - 1] === '\\') {
    start -= 1;
  }
  return (at - start) % 2 === 1;
}

/** A pattern without a slash is about the name alone. */
function matcherOf(steps: readonly SequenceStep[], isPath: boolean): IgnoreRule['matches'] {
  if (isPath) {
    return (names, depth) => matchesSequence(steps, names, depth);
  }
  const [first] = steps;
  const test = typeof first === 'function' ? first : () => true;
  return names => test(names.at(-1) ?? '');
}
