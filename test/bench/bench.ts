import { join } from 'node:path';
import type { NamedPart } from './options.ts';
import type { Product } from './product.ts';
import type { Row } from './row.ts';
import type { Scratch } from './scratch.ts';
import { type Tree, writeTree } from './trees.ts';

/** What every part of the bench works with. */
export interface Bench {
  readonly scratch: Scratch;
  readonly ours: Product;
  /** Another revision of ours: where there is one, ours is compared with that, and with nobody else. */
  readonly before: Product | undefined;
  /** ripgrep, as a program. */
  readonly ripgrep: string;
  /** Fewer rounds: to see that everything works, not to believe the figures. */
  readonly isQuick: boolean;
  /** A tree of that many files, made when it is first asked for. */
  tree(files: number): Tree;
}

/** One thing that is measured, by its name on the command line. */
export interface Part extends NamedPart {
  readonly run: (bench: Bench) => Promise<readonly Row[]>;
}

export function createBench(options: Omit<Bench, 'tree'>): Bench {
  const trees = new Map<number, Tree>();
  return {
    ...options,
    tree(files) {
      const tree = trees.get(files) ?? writeTree(join(options.scratch.folder, `${files}`), files);
      trees.set(files, tree);
      return tree;
    },
  };
}
