import { deepEqual, equal } from 'node:assert/strict';
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
  writeFileSync,
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
import { edit, outcomeOf, scopeOver, sharedTree, treeOf, write } from '../../../support/writing.ts';

const { signal } = new AbortController();
const pinned = { skip: skipPins };

describe('writing, editing and making folders', {
  skip: onlyOn('posix', 'links need a privilege there'),
}, () => {
  for (const [name, pin] of Object.entries(pins)) {
    test(`${name} writes, replaces and edits files, and makes folders`, pinned, async t => {
      const { root, scope } = sharedTree(t, { 'root/old.txt': 'old' });
      deepEqual(write(scope, 'a/b/new.txt', 'new', {}, pin), {
        ok: true,
        value: {
          path: join(root, 'a/b/new.txt'),
          isNew: true,
          size: 3,
          note: '',
          createdFolders: [join(root, 'a'), join(root, 'a/b')],
        },
      });
      deepEqual(write(scope, 'old.txt', 'other', {}, pin), {
        ok: true,
        value: { path: join(root, 'old.txt'), isNew: false, size: 5, note: '', createdFolders: [] },
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
        'a/b/new.txt': 'edited',
        'a/c/d/': '',
        'old.txt': 'other',
      });
    });

    test(`${name} keeps byte order mark and line breaks of a replaced file`, pinned, t => {
      const { root, scope } = sharedTree(t, {});
      const path = join(root, 'a.txt');
      const forms: readonly (readonly [before: string, sent: string, after: string])[] = [
        ['\ufeffa\r\nb', 'x\ny\n', '\ufeffx\r\ny\r\n'],
        ['\ufeffa\n', '\ufeffx\n', '\ufeffx\n'],
        ['a\r\n', 'x\r\ny\n', 'x\r\ny\r\n'],
        ['a\r\nb\n', 'x\ny\r\n', 'x\ny\r\n'],
        ['a', 'x\n', 'x\n'],
        ['', '\ufeffx\n', '\ufeffx\n'],
      ];
      for (const [before, sent, after] of forms) {
        writeFileSync(path, before);
        const { ino } = statSync(path);
        const written = write(scope, 'a.txt', sent, {}, pin);
        deepEqual([readFileSync(path, 'utf8'), statSync(path).ino], [after, ino]);
        equal(written.ok && written.value.size, statSync(path).size);
      }
    });

    test(`${name} leaves no file open when it writes or refuses`, pinned, async t => {
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

  test('gives a new file default permissions, and keeps those of a replaced file', async t => {
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

  test('keeps the identity and attributes of a written or edited file', async t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'a longer old text' });
    const path = join(root, 'a.txt');
    // If the file has an access control list, the group bits are the list's.
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

  test('shows a file cut from its hard links to no further user', t => {
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

  test('gives a new file its name only when it is complete', async t => {
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

  test('keeps the owner of a replaced file', { skip: skipOwners }, t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'old' });
    chownSync(join(root, 'a.txt'), 1234, 5678);
    write(scope, 'a.txt', 'new');
    const { uid, gid } = statSync(join(root, 'a.txt'));
    deepEqual([uid, gid, readFileSync(join(root, 'a.txt'), 'utf8')], [1234, 5678, 'new']);
  });

  test('writes through a link that stays inside, and keeps the link', t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'old', 'root/sub/': '' });
    symlinkSync('a.txt', join(root, 'link'));
    symlinkSync('sub/none', join(root, 'dangling'));
    write(scope, 'link', 'new');
    write(scope, 'dangling', 'made');
    deepEqual(treeOf(root), {
      'a.txt': 'new',
      dangling: '-> sub/none',
      link: '-> a.txt',
      'sub/none': 'made',
    });
  });

  test('answers an edit with a diff, and writes nothing in a dry run', async t => {
    const { root, scope } = sharedTree(t, { 'root/sub/a.txt': 'one\ntwo\n' });
    const diff = {
      text: '--- a/sub/a.txt\n+++ b/sub/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n',
      isCut: false,
    };
    const value = { path: join(root, 'sub/a.txt'), replaced: 1, diff, note: '' };
    deepEqual(await edit(scope, 'sub/a.txt', 'two', 'three', true), { ok: true, value });
    deepEqual(treeOf(root), { 'sub/a.txt': 'one\ntwo\n' });
    deepEqual(await edit(scope, 'sub/a.txt', 'two', 'three'), { ok: true, value });
    deepEqual(treeOf(root), { 'sub/a.txt': 'one\nthree\n' });
  });

  test('replaces nothing and makes no folder without permission', t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'old' });
    deepEqual(
      [
        outcomeOf(write(scope, 'a.txt', 'new', { mayReplace: false })),
        outcomeOf(write(scope, 'sub/a.txt', 'new', { mayMakeFolders: false })),
      ],
      ['unusable: putFile.putIn()', 'unusable: putFile.folderFor()'],
    );
    deepEqual(treeOf(root), { 'a.txt': 'old' });
  });

  test('accepts an existing folder, and refuses a file in its place', t => {
    const { root, scope } = sharedTree(t, { 'root/sub/': '', 'root/a.txt': 'a' });
    symlinkSync('sub', join(root, 'link'));
    const make = (path: string) => outcomeOf(makeFolder(changeOf(scope, path)));
    deepEqual(['.', 'sub', 'link'].map(make), [
      { path: root, created: [] },
      { path: join(root, 'sub'), created: [] },
      { path: join(root, 'sub'), created: [] },
    ]);
    deepEqual(['a.txt', 'a.txt/b'].map(make), [
      `unusable: makeFolder.makeOne("${join(root, 'a.txt')}")`,
      'unusable: locate.unreadable.reason()',
    ]);
  });

  test('makes at most a hundred folders at once, to keep the server responsive', t => {
    const { root, scope } = sharedTree(t, {});
    const deep = (levels: number) => 'a/'.repeat(levels);
    const refused = 'unusable: makeFolder.makeAt(100)';
    equal(outcomeOf(makeFolder(changeOf(scope, deep(101)))), refused);
    equal(outcomeOf(write(scope, `${deep(1300)}file`, 'x')), refused);
    deepEqual(treeOf(root), {});
    equal(makeFolder(changeOf(scope, deep(100))).ok, true);
    equal(makeFolder(changeOf(scope, deep(200))).ok, true);
  });

  test('writes to a root that is a link under both of its paths', t => {
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
