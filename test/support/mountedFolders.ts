import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openFileInside } from '../../src/server/paths/openInside.ts';
import { PinnedRoots } from '../../src/server/roots/rootFolders.ts';
import { deleteEntry } from '../../src/server/writing/deleteEntry.ts';
import { changeOf } from '../../src/server/writing/writableFolder.ts';
import { said, scopeOver, treeOf, write } from './writing.ts';

// Run where folders are mounted that nobody else sees: deletes them, reads the environment, and
// writes where there is no place. It prints what was said, and what is there afterwards.

const root = process.argv[2] ?? '';
const scope = scopeOver(root);
const unhurried = { signal: new AbortController().signal, progress: () => {} };
const remove = async (path: string) => {
  return said(await deleteEntry(changeOf(scope, path), { isRecursive: true }, unhurried));
};
const full = said(write(scope, 'small/a.txt', 'b'.repeat(80_000)));
const small = treeOf(join(root, 'small'));
const environ = openFileInside(scope, 'proc/self/environ');
const roots = [join(root, 'proc')].map(path => ({ uri: pathToFileURL(path).href }));
console.log(
  JSON.stringify({
    environ: said<unknown>(environ),
    root: new PinnedRoots(roots, 'linux').folders.skipped[0]?.reason,
    deleted: [await remove('sub'), await remove('sub/bound'), await remove('sub/file')],
    tree: treeOf(join(root, 'sub')),
    outside: readFileSync(join(root, '../outside/kept.txt'), 'utf8'),
    full,
    drafts: Object.entries(small).map(([name, text]) => [name === 'a.txt', text.length]),
  }),
);
