import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { LatestRoots } from '../../src/server/roots/latestRoots.ts';
import { OnceInTurn } from '../../src/server/roots/onceInTurn.ts';
import { noRootFolders, type RootFolders } from '../../src/server/roots/rootFolders.ts';
import { tempFolder } from '../support/temp.ts';

function entryOf(path: string, name = 'a') {
  return { uri: pathToFileURL(path).href, name };
}

function realOf({ scope }: RootFolders) {
  return scope.roots.map(({ real }) => real);
}

test('the same list is prepared once, another one anew', t => {
  const folder = tempFolder(t);
  const roots = new LatestRoots('linux');
  const first = roots.prepare([entryOf(folder)]);
  equal(roots.prepare([entryOf(folder)]), first);
  deepEqual(
    roots.prepare([entryOf(folder, 'b')]).scope.roots.map(({ name }) => name),
    ['b'],
  );
});

test('a folder that was replaced is prepared anew', async t => {
  const folder = tempFolder(t);
  const path = join(folder, 'root');
  mkdirSync(path);
  const roots = new LatestRoots('linux');
  const first = roots.prepare([entryOf(path)]);
  await turn();
  renameSync(path, join(folder, 'moved'));
  mkdirSync(path);
  const second = roots.prepare([entryOf(path)]);
  notEqual(second.scope.roots[0]?.inode, first.scope.roots[0]?.inode);
});

test('a link that leads elsewhere is followed anew, and so is one to a folder that was moved', async t => {
  const folder = tempFolder(t);
  const [one, two, link] = ['one', 'two', 'link'].map(name => join(folder, name));
  const linkTo = (path = '') => {
    rmSync(link ?? '', { force: true });
    symlinkSync(path, link ?? '');
  };
  mkdirSync(one ?? '');
  mkdirSync(two ?? '');
  linkTo(one);
  const roots = new LatestRoots('linux');
  const seen = [realOf(roots.prepare([entryOf(link ?? '')]))];
  await turn();
  linkTo(two);
  seen.push(realOf(roots.prepare([entryOf(link ?? '')])));
  await turn();
  renameSync(two ?? '', `${two}-moved`);
  linkTo(`${two}-moved`);
  seen.push(realOf(roots.prepare([entryOf(link ?? '')])));
  deepEqual(seen, [[one], [two], [`${two}-moved`]]);
});

test('what was no folder may be one with the next call', async t => {
  const path = join(tempFolder(t), 'root');
  const roots = new LatestRoots('linux');
  const seen = [realOf(roots.prepare([entryOf(path)]))];
  await turn();
  mkdirSync(path);
  seen.push(realOf(roots.prepare([entryOf(path)])));
  deepEqual(seen, [[], [path]]);
});

test('one look serves the calls of one turn, and no failed one does', async () => {
  const folders = noRootFolders('linux');
  const answers = [false, true, false];
  const once = new OnceInTurn(() => answers.shift() ?? false);
  const seen = [once.isTrueOf(folders), once.isTrueOf(folders)];
  await Promise.resolve();
  seen.push(once.isTrueOf(folders));
  await turn();
  seen.push(once.isTrueOf(folders));
  deepEqual(seen, [false, true, true, false]);
});
