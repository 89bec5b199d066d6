import type { Glob } from '../../domain/glob/glob.ts';
import type { FolderTree } from '../search/folderTree.ts';
import { type Entry, entriesOf, namesIn } from './names.ts';

/** An entry on the way through a tree. */
export interface TreeEntry {
  readonly entry: Entry;
  /** The names from the top of the tree to the folder that holds it. */
  readonly folder: readonly string[];
  /** Whether it is a folder on whose entries the walk would go on, had they been readable. */
  readonly isUnread?: true;
}

/** What a walk is to come across. */
export interface TreeWalkOptions {
  readonly tree: FolderTree;
  /** How many levels: 1 is what the top of the tree itself holds. */
  readonly depth: number;
  readonly exclude?: Glob | undefined;
}

/**
 * Walks through a tree by name, each folder before what it holds. Links are not followed, and a
 * folder is used only if what was opened is really in its place.
 */
export class TreeWalk {
  /** Whether the top of the tree could be read. */
  readonly isReadable: boolean;
  private readonly options: TreeWalkOptions;
  /** What is known to come, the next one at the end. */
  private readonly ahead: TreeEntry[];
  private passed = 0;

  constructor(options: TreeWalkOptions) {
    this.options = options;
    const first = this.entriesIn([]);
    this.isReadable = first !== undefined;
    this.ahead = first?.reverse() ?? [];
  }

  /** How many entries it has come across. */
  get count(): number {
    return this.passed;
  }

  /** The next entry, in one synchronous step; `undefined` at the end. */
  next(): TreeEntry | undefined {
    const next = this.ahead.pop();
    this.passed += next ? 1 : 0;
    if (next?.entry.type !== 'directory' || next.folder.length + 1 >= this.options.depth) {
      return next;
    }
    const inside = this.entriesIn([...next.folder, next.entry.name]);
    for (const entry of inside?.reverse() ?? []) {
      this.ahead.push(entry);
    }
    return inside ? next : { ...next, isUnread: true };
  }

  private entriesIn(folder: readonly string[]): TreeEntry[] | undefined {
    const { tree, exclude } = this.options;
    const names = tree.visit(folder, namesIn);
    return (
      names &&
      entriesOf(names)
        .filter(({ name }) => !exclude?.matches([...folder, name], 0))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(entry => ({ entry, folder }))
    );
  }
}
