import { deepEqual, equal, match } from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { makeFolder } from '../../../../src/server/writing/makeFolder.ts';
import { replaceInFile } from '../../../../src/server/writing/replaceInFile.ts';
import { changeOf } from '../../../../src/server/writing/writableFolder.ts';
import { patience } from '../../../support/patience.ts';
import { pins, skipPins } from '../../../support/pins.ts';
import { atEnd } from '../../../support/processes.ts';
import { onlyOn, skipOwners } from '../../../support/systems.ts';
import { edit, said, scopeOver, sharedTree, treeOf, write } from '../../../support/writing.ts';

const { signal } = new AbortController();

describe('writing, editing and making folders', {
  skip: onlyOn('posix', 'links need a privilege there'),
}, () => {
  for (const [name, pin] of Object.entries(pins)) {
    test(`${name} writes, replaces and edits files, and makes folders`, {
      skip: skipPins,
    }, async t => {
      const { root, scope } = sharedTree(t, { 'root/old.txt': 'old' });
      deepEqual(write(scope, 'a/b/new.txt', 'new', {}, pin), {
        ok: true,
        value: {
          path: join(root, 'a/b/new.txt'),
          isNew: true,
          createdFolders: [join(root, 'a'), join(root, 'a/b')],
        },
      });
      deepEqual(write(scope, 'old.txt', 'other', {}, pin), {
        ok: true,
        value: { path: join(root, 'old.txt'), isNew: false, createdFolders: [] },
      });
      const edits = [{ oldText: 'new', newText: 'edited' }];
      const change = changeOf(scope, 'a/b/new.txt', pin);
      const edited = await replaceInFile(change, { edits, isDryRun: false }, signal);
      equal(edited.ok && edited.value.replaced, 1);
      deepEqual(makeFolder(changeOf(scope, 'a/c/d', pin)), {
        ok: true,
        value: { path: join(root, 'a/c/d'), created: [join(root, 'a/c'), join(root, 'a/c/d')] },
      });
      deepEqual(treeOf(root), {
        'a/': '',
        'a/b/': '',
        'a/b/new.txt': 'edited',
        'a/c/': '',
        'a/c/d/': '',
        'old.txt': 'other',
      });
    });

    test(`${name} leaves no file open, whether it writes or refuses`, {
      skip: skipPins,
    }, async t => {
      const { scope } = sharedTree(t, { 'root/a.txt': 'a' });
      const before = readdirSync('/proc/self/fd').length;
      for (let round = 0; round < 20; round++) {
        write(scope, 'a.txt', 'a', {}, pin);
        write(scope, '.', 'a', {}, pin);
        write(scope, 'a.txt/b', 'a', {}, pin);
        makeFolder(changeOf(scope, 'a.txt', pin));
        await edit(scope, 'a.txt', 'missing', 'b');
      }
      equal(readdirSync('/proc/self/fd').length, before);
    });
  }

  test('a new file has the permissions of a new file, a replaced one those that it had', async t => {
    const { root, scope } = sharedTree(t, { 'root/run.sh': 'old', 'root/secret': 'old' });
    chmodSync(join(root, 'run.sh'), 0o755);
    chmodSync(join(root, 'secret'), 0o600);
    write(scope, 'run.sh', 'new');
    write(scope, 'secret', 'new');
    await edit(scope, 'secret', 'new', 'newer');
    write(scope, 'plain', 'new');
    const modes = ['run.sh', 'secret', 'plain'].map(
      name => statSync(join(root, name)).mode & 0o777,
    );
    deepEqual(modes, [0o755, 0o600, 0o666 & ~process.umask()]);
  });

  test('a written or edited file stays the same, with all that the system keeps of it', async t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'a longer old text' });
    const path = join(root, 'a.txt');
    // The bits of the group are those of an access control list, where there is one.
    chmodSync(path, 0o660);
    const identity = () => {
      const { dev, ino, mode } = statSync(path);
      return { dev, ino, mode };
    };
    const before = identity();
    write(scope, 'a.txt', 'new');
    deepEqual([identity(), treeOf(root)], [before, { 'a.txt': 'new' }]);
    await edit(scope, 'a.txt', 'new', 'newer and longer');
    deepEqual([identity(), treeOf(root)], [before, { 'a.txt': 'newer and longer' }]);
  });

  test('a file that is cut from its hard links is readable to nobody who could not read it', t => {
    const modes = [0o664, 0o660, 0o640, 0o755, 0o604, 0o600];
    const now = modes.map(mode => {
      const { root, scope } = sharedTree(t, { 'root/a.txt': 'old' });
      chmodSync(join(root, 'a.txt'), mode);
      linkSync(join(root, 'a.txt'), join(root, 'b.txt'));
      write(scope, 'a.txt', 'new');
      deepEqual(treeOf(root), { 'a.txt': 'new', 'b.txt': 'old' });
      return statSync(join(root, 'a.txt')).mode & 0o777;
    });
    deepEqual(now, [0o644, 0o600, 0o600, 0o755, 0o604, 0o600]);
  });

  test('a new file has its name only when it is whole', async t => {
    const { root, scope } = sharedTree(t, {});
    const path = join(root, 'a.txt');
    const seen = new Int32Array(new SharedArrayBuffer(4));
    const watcher = new Worker(watchSizes, { eval: true, workerData: { path, seen, size } });
    atEnd(t, () => watcher.terminate());
    const sizes = new Promise((resolve, reject) => {
      watcher.once('message', resolve);
      watcher.once('error', reject);
    });
    const whole = Array.from({ length: 20 }, (_, round) => size + round);
    for (const [round, length] of whole.entries()) {
      write(scope, 'a.txt', 'x'.repeat(length));
      // Otherwise a busy machine might give the watcher no turn.
      Atomics.wait(seen, 0, round, patience);
      rmSync(path);
    }
    write(scope, 'a.txt', 'end');
    deepEqual(await sizes, [...whole, 3]);
  });

  test('a replaced file stays with its owner', {
    skip: skipOwners,
  }, t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'old' });
    chownSync(join(root, 'a.txt'), 1234, 5678);
    write(scope, 'a.txt', 'new');
    const { uid, gid } = statSync(join(root, 'a.txt'));
    deepEqual([uid, gid, readFileSync(join(root, 'a.txt'), 'utf8')], [1234, 5678, 'new']);
  });

  test('a file is written through a link that stays inside, and the link stays', t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'old', 'root/sub/': '' });
    symlinkSync('a.txt', join(root, 'link'));
    symlinkSync('sub/none', join(root, 'dangling'));
    write(scope, 'link', 'new');
    write(scope, 'dangling', 'made');
    deepEqual(treeOf(root), {
      'a.txt': 'new',
      dangling: '-> sub/none',
      link: '-> a.txt',
      'sub/': '',
      'sub/none': 'made',
    });
  });

  test('a hard link is cut from the file outside, instead of changing that', t => {
    const { top, root, scope } = sharedTree(t, { 'secret/key': 'secret' });
    linkSync(join(top, 'secret/key'), join(root, 'a.txt'));
    write(scope, 'a.txt', 'new');
    equal(readFileSync(join(top, 'secret/key'), 'utf8'), 'secret');
    equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'new');
  });

  test('an edit answers with a diff, and a dry run writes nothing', async t => {
    const { root, scope } = sharedTree(t, { 'root/sub/a.txt': 'one\ntwo\n' });
    const diff = {
      text: '--- a/sub/a.txt\n+++ b/sub/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n',
      isCut: false,
    };
    const value = { path: join(root, 'sub/a.txt'), replaced: 1, diff };
    deepEqual(await edit(scope, 'sub/a.txt', 'two', 'three', true), { ok: true, value });
    deepEqual(treeOf(root), { 'sub/': '', 'sub/a.txt': 'one\ntwo\n' });
    deepEqual(await edit(scope, 'sub/a.txt', 'two', 'three'), { ok: true, value });
    deepEqual(treeOf(root), { 'sub/': '', 'sub/a.txt': 'one\nthree\n' });
  });

  test('without leave, nothing is replaced and no folder is made', t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'old' });
    deepEqual(
      [
        said(write(scope, 'a.txt', 'new', { mayReplace: false })),
        said(write(scope, 'sub/a.txt', 'new', { mayMakeFolders: false })),
      ],
      [
        'cannot be changed. It exists: set overwrite to replace it.',
        'cannot be changed. Its folder does not exist: set createDirectories, or make it with create-directory.',
      ],
    );
    deepEqual(treeOf(root), { 'a.txt': 'old' });
  });

  test('a folder that exists is no failure, and a file is no folder', t => {
    const { root, scope } = sharedTree(t, { 'root/sub/': '', 'root/a.txt': 'a' });
    symlinkSync('sub', join(root, 'link'));
    const make = (path: string) => said(makeFolder(changeOf(scope, path)));
    deepEqual(['.', 'sub', 'link'].map(make), [
      { path: root, created: [] },
      { path: join(root, 'sub'), created: [] },
      { path: join(root, 'sub'), created: [] },
    ]);
    deepEqual(['a.txt', 'a.txt/b'].map(make), [
      `cannot be changed. ${JSON.stringify(join(root, 'a.txt'))} is there already, and is no folder.`,
      'cannot be used. A part of it is a file, not a folder.',
    ]);
  });

  test('more than a hundred folders are not made at once, for the server would answer nothing else', t => {
    const { root, scope } = sharedTree(t, {});
    const deep = (levels: number) => 'a/'.repeat(levels);
    const refused = /^cannot be changed\. It takes more than 100 new folders\./;
    match(String(said(makeFolder(changeOf(scope, deep(101))))), refused);
    match(String(said(write(scope, `${deep(1300)}file`, 'x'))), refused);
    deepEqual(treeOf(root), {});
    equal(makeFolder(changeOf(scope, deep(100))).ok, true);
    equal(makeFolder(changeOf(scope, deep(200))).ok, true);
  });

  test('a root that is a link is written to under both of its names', t => {
    const { top, root } = sharedTree(t, {});
    symlinkSync('root', join(top, 'link'));
    const scope = scopeOver(join(top, 'link'));
    write(scope, join(top, 'link/a'), 'a');
    write(scope, join(root, 'b'), 'b');
    deepEqual(treeOf(root), { a: 'a', b: 'b' });
    equal(lstatSync(join(top, 'link')).isSymbolicLink(), true);
  });
});

const size = 2_000_000;

/** Counts the whole sizes that a file has had, and tells all that it had, once one is 3. */
const watchSizes = `
  const { statSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const { path, seen, size } = workerData;
  const sizes = new Set();
  while (!sizes.has(3)) {
    const now = statSync(path, { throwIfNoEntry: false })?.size;
    if (now >= size && !sizes.has(now)) {
      Atomics.add(seen, 0, 1);
      Atomics.notify(seen, 0);
    }
    if (now !== undefined) {
      sizes.add(now);
    }
  }
  parentPort.postMessage([...sizes]);
`;
