import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { infoInside } from '../../src/server/paths/infoInside.ts';
import { openFileInside } from '../../src/server/paths/openInside.ts';
import { PinnedRoots } from '../../src/server/roots/rootFolders.ts';
import { FolderTree } from '../../src/server/search/folderTree.ts';
import { deleteEntry } from '../../src/server/writing/deleteEntry.ts';
import { changeOf } from '../../src/server/writing/writableFolder.ts';
import { edit, outcomeOf, scopeOver, treeOf, write } from './writing.ts';

// Runs with folders mounted for this process only: deletes them, reads the environment, and writes
// to a full disk. It prints the answers and the files left.

const root = process.argv[2] ?? '';
const scope = scopeOver(root);
const unhurried = { signal: new AbortController().signal, progress: () => {} };
const remove = async (path: string) => {
  return outcomeOf(await deleteEntry(changeOf(scope, path), { isRecursive: true }, unhurried));
};
const full = outcomeOf(write(scope, 'small/a.txt', 'b'.repeat(80_000)));
const small = treeOf(join(root, 'small'));
const tree = new FolderTree(scope, root);
const own = ['proc', String(process.pid)];
const info = infoInside(scope, 'proc/self/environ');
const roots = [join(root, 'proc')].map(path => ({ uri: pathToFileURL(path).href }));
console.log(
  JSON.stringify({
    proc: [
      outcomeOf<unknown>(openFileInside(scope, 'proc/self/environ')),
      outcomeOf(await edit(scope, 'proc/self/status', 'Name', 'x', true)),
      tree.visit(own, folder => tree.open(folder, 'environ')) ?? 'unreadable',
      info.ok && (info.value.head ?? 'no head'),
    ],
    root: new PinnedRoots(roots, 'linux').folders.skipped[0]?.reason,
    deleted: [await remove('sub'), await remove('sub/bound'), await remove('sub/file')],
    tree: treeOf(join(root, 'sub')),
    outside: readFileSync(join(root, '../outside/kept.txt'), 'utf8'),
    full,
    shut: [
      outcomeOf(write(scope, 'shut/a.txt', 'new')),
      outcomeOf(await edit(scope, 'shut/a.txt', 'new', 'edited')),
      outcomeOf(write(scope, 'shut/b.txt', 'new')),
      readFileSync(join(root, '../apart/own.txt'), 'utf8'),
    ],
    drafts: Object.entries(small).map(([name, text]) => [name === 'a.txt', text.length]),
  }),
);
