import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { descriptorPin, type Pin } from '../../../../src/server/paths/pins.ts';
import { deleteEntry } from '../../../../src/server/writing/deleteEntry.ts';
import { moveEntry } from '../../../../src/server/writing/moveEntry.ts';
import { changeOf } from '../../../../src/server/writing/writableFolder.ts';
import { pins, skipPins } from '../../../support/pins.ts';
import { atEnd } from '../../../support/processes.ts';
import { onlyOn } from '../../../support/systems.ts';
import { said, scopeOver, sharedTree, treeOf } from '../../../support/writing.ts';

type Scope = ReturnType<typeof sharedTree>['scope'];

const unhurried = { signal: new AbortController().signal, progress: () => {} };

async function remove(scope: Scope, path: string, isRecursive = true, pin?: Pin) {
  return said(await deleteEntry(changeOf(scope, path, pin), { isRecursive }, unhurried));
}

async function move(scope: Scope, from: string, to: string, pin?: Pin) {
  const changes = [changeOf(scope, from, pin), changeOf(scope, to, pin)] as const;
  return said(await moveEntry(...changes, unhurried.signal));
}

describe('moving and deleting', {
  skip: onlyOn('posix', 'links need a privilege there'),
}, () => {
  for (const [name, pin] of Object.entries(pins)) {
    test(`${name} moves and deletes files, folders and links`, { skip: skipPins }, async t => {
      const { root, scope } = sharedTree(t, {
        'root/a.txt': 'a',
        'root/sub/b.txt': 'b',
        'root/sub/deep/er/c.txt': 'c',
        'root/other/': '',
      });
      symlinkSync('a.txt', join(root, 'link'));
      deepEqual(
        [
          await move(scope, 'a.txt', 'other/renamed.txt', pin),
          await move(scope, 'sub', 'other/sub', pin),
          await move(scope, 'link', 'moved', pin),
        ],
        [
          { from: join(root, 'a.txt'), to: join(root, 'other/renamed.txt'), type: 'file' },
          { from: join(root, 'sub'), to: join(root, 'other/sub'), type: 'directory' },
          { from: join(root, 'link'), to: join(root, 'moved'), type: 'link' },
        ],
      );
      deepEqual(treeOf(root), {
        moved: '-> a.txt',
        'other/': '',
        'other/renamed.txt': 'a',
        'other/sub/': '',
        'other/sub/b.txt': 'b',
        'other/sub/deep/': '',
        'other/sub/deep/er/': '',
        'other/sub/deep/er/c.txt': 'c',
      });
      deepEqual(
        [
          await remove(scope, 'moved', true, pin),
          await remove(scope, 'other/renamed.txt', false, pin),
          await remove(scope, 'other', true, pin),
        ],
        [
          { path: join(root, 'moved'), type: 'link', entries: 1 },
          { path: join(root, 'other/renamed.txt'), type: 'file', entries: 1 },
          { path: join(root, 'other'), type: 'directory', entries: 6 },
        ],
      );
      deepEqual(treeOf(root), {});
    });

    test(`${name} leaves no file open, whether it moves, deletes or refuses`, {
      skip: skipPins,
    }, async t => {
      const { scope } = sharedTree(t, { 'root/a/b/c.txt': 'c', 'root/d.txt': 'd' });
      const before = readdirSync('/proc/self/fd').length;
      for (let round = 0; round < 20; round++) {
        await move(scope, 'a', 'd.txt', pin);
        await move(scope, 'a', 'a/b/c', pin);
        await move(scope, 'none', 'new', pin);
        await remove(scope, 'a', false, pin);
        await remove(scope, 'none', true, pin);
        await move(scope, 'a', `a/../e`, pin);
        await move(scope, 'e', 'a', pin);
      }
      equal(readdirSync('/proc/self/fd').length, before);
    });
  }

  test('a link is moved and deleted itself, and what it leads to stays', async t => {
    const { top, root, scope } = sharedTree(t, { 'root/sub/a.txt': 'a', 'secret/key': 'secret' });
    symlinkSync('../secret', join(root, 'out'));
    symlinkSync('../secret/none', join(root, 'dangling'));
    symlinkSync('sub', join(root, 'in'));
    await move(scope, 'out', 'sub/out');
    await remove(scope, 'in');
    await remove(scope, 'dangling');
    const links = { 'sub/': '', 'sub/a.txt': 'a', 'sub/out': '-> ../secret' };
    deepEqual(treeOf(root), links);
    deepEqual(await remove(scope, 'sub'), {
      path: join(root, 'sub'),
      type: 'directory',
      entries: 3,
    });
    deepEqual(treeOf(top), { 'root/': '', 'secret/': '', 'secret/key': 'secret' });
  });

  test('a folder with something in it is deleted only when that is asked for', async t => {
    const { root, scope } = sharedTree(t, { 'root/sub/a.txt': 'a', 'root/empty/': '' });
    equal(
      await remove(scope, 'sub', false),
      'cannot be changed. It is a folder with something in it: set recursive to delete all of it.',
    );
    deepEqual(await remove(scope, 'empty', false), {
      path: join(root, 'empty'),
      type: 'directory',
      entries: 1,
    });
    deepEqual(treeOf(root), { 'sub/': '', 'sub/a.txt': 'a' });
  });

  test('nothing that exists is replaced by a move, whatever it is', async t => {
    const { root, scope } = sharedTree(t, {
      'root/a.txt': 'a',
      'root/b.txt': 'b',
      'root/empty/': '',
      'root/sub/': '',
    });
    symlinkSync('none', join(root, 'link'));
    linkSync(join(root, 'a.txt'), join(root, 'same.txt'));
    const before = treeOf(root);
    const moves = [
      ['a.txt', 'b.txt'],
      ['a.txt', 'a.txt'],
      ['a.txt', 'same.txt'],
      ['a.txt', 'link'],
      ['a.txt', 'empty'],
      ['sub', 'empty'],
      ['sub', 'a.txt'],
      ['link', 'empty'],
    ] as const;
    for (const [from, to] of moves) {
      equal(
        await move(scope, from, to),
        'cannot be changed. Something is there already: name a path that is free.',
      );
    }
    deepEqual(treeOf(root), before);
  });

  test('a move says what is in its way', async t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'a', 'root/sub/deep/': '' });
    deepEqual(
      [
        await move(scope, 'none', 'new'),
        await move(scope, 'none/a.txt', 'new'),
        await remove(scope, 'none/a.txt'),
        await move(scope, 'a.txt', 'none/a.txt'),
        await move(scope, 'a.txt', 'a.txt/b'),
        await move(scope, 'sub', 'sub/deep/er'),
        await move(scope, 'sub', 'sub/new'),
      ],
      [
        ...Array(3).fill('does not exist. List its folder to see what does.'),
        'cannot be changed. Its folder does not exist: make that with create-directory.',
        'cannot be changed. A part of it is a file, not a folder.',
        'cannot be changed. A folder cannot be moved into itself.',
        'cannot be changed. A folder cannot be moved into itself.',
      ],
    );
    deepEqual(treeOf(root), { 'a.txt': 'a', 'sub/': '', 'sub/deep/': '' });
  });

  test('nothing goes to another file system', {
    skip: !isOtherDevice('/dev/shm') && 'there is no other file system at hand',
  }, async t => {
    const { root, scope: own } = sharedTree(t, { 'root/a.txt': 'a', 'root/sub/b.txt': 'b' });
    const there = mkdtempSync('/dev/shm/mcp-roots-');
    atEnd(t, () => rmSync(there, { recursive: true }));
    const scope = scopeOver(root, there);
    equal(own.roots.length, 1);
    for (const name of ['a.txt', 'sub']) {
      equal(
        await move(scope, name, join(there, name)),
        'cannot be changed. It would move to another file system: write it anew there, and then delete it here.',
      );
    }
    deepEqual(treeOf(root), { 'a.txt': 'a', 'sub/': '', 'sub/b.txt': 'b' });
  });

  test('a root, and each folder that a root lies in, stays where it is', async t => {
    const { top, root } = sharedTree(t, { 'root/a/b/c.txt': 'c', 'root/free/': '' });
    symlinkSync('root/a', join(top, 'link'));
    symlinkSync('a', join(root, 'to-root'));
    const scope = scopeOver(root, join(root, 'a/b'), join(root, 'to-root'));
    const before = treeOf(top);
    for (const path of ['.', root, 'a', 'a/b', 'to-root', 'to-root/b']) {
      for (const answer of [await remove(scope, path), await move(scope, path, 'free/new')]) {
        match(String(answer), /is shared itself: it stays until it is no longer shared\.$/);
      }
    }
    deepEqual(treeOf(top), before);
  });

  test('what holds something protected is neither moved nor deleted, not even in part', async t => {
    const { root, scope } = sharedTree(t, {
      'root/a/first.txt': 'a',
      'root/a/repo/.git/config': 'c',
      'root/b/worktree/.git': 'gitdir: elsewhere',
      'root/c/.VSCode/': '',
      'root/d/x.txt': 'x',
    });
    symlinkSync('.git', join(root, 'a/repo/link'));
    symlinkSync('../d', join(root, 'd/.vscode'));
    const before = treeOf(root);
    const paths = ['a', 'a/repo', 'a/repo/.git', 'a/repo/.git/config', 'a/repo/link/config'];
    const others = ['b', 'b/worktree', 'b/worktree/.git', 'c', 'c/.VSCode', 'd', 'd/.vscode'];
    for (const path of [...paths, ...others]) {
      for (const answer of [await remove(scope, path), await move(scope, path, 'new')]) {
        match(String(answer), /\.(git|VSCode|vscode)" and all in it is read-only for this server/);
      }
    }
    for (const to of ['.git', '.vscode/x', 'd/.Git', 'a/repo/link/x', 'a/repo/.git/hooks']) {
      match(String(await move(scope, 'd/x.txt', to)), /" and all in it is read-only/);
    }
    deepEqual(treeOf(root), before);
    // A link that leads to something protected is none of it.
    equal(typeof (await remove(scope, 'a/repo/link')), 'object');
  });

  test('what Git keeps is neither moved nor deleted under any name, nor is what holds it', async t => {
    const { root, scope } = sharedTree(t, { 'root/a/b/': '', 'root/x.txt': 'x' });
    execFileSync('git', ['init', '-q', '--bare', join(root, 'a/b/gd')]);
    const before = treeOf(root);
    for (const path of ['a', 'a/b', 'a/b/gd', 'a/b/gd/HEAD', 'a/b/gd/hooks', 'a/b/gd/refs/heads']) {
      for (const answer of [await remove(scope, path), await move(scope, path, 'new')]) {
        match(String(answer), /"gd" and all in it is read-only for this server/, path);
      }
    }
    match(String(await move(scope, 'x.txt', 'a/b/gd/hooks/update')), /"gd" and all in it/);
    deepEqual(treeOf(root), before);
  });

  test('a file system that is mounted in a folder stays, and so does the folder', {
    skip: !isOtherDevice('/dev/shm') && 'there is no other file system at hand',
  }, async t => {
    const { root, scope } = sharedTree(t, { 'root/sub/mounted/': '', 'root/sub/a.txt': 'a' });
    const mounting: Pin = {
      openFile: descriptorPin.openFile,
      inFolder: (real, work) =>
        descriptorPin.inFolder(real, ({ where, at }) => {
          return work({ where, at: name => (name === 'mounted' ? '/dev/shm' : at(name)) });
        }),
    };
    equal(
      await remove(scope, 'sub', true, mounting),
      `cannot be changed. Something is mounted at "${join(root, 'sub/mounted')}": unmount that first.`,
    );
    deepEqual(treeOf(root), { 'sub/': '', 'sub/a.txt': 'a', 'sub/mounted/': '' });
  });

  test('a folder with a name that is no text is left as it was, and the name is said', {
    skip: onlyOn('linux', 'elsewhere, names are text'),
  }, async t => {
    const { root, scope } = sharedTree(t, { 'root/sub/a.txt': 'a', 'root/sub/z.txt': 'z' });
    writeFileSync(Buffer.concat([Buffer.from(join(root, 'sub/caf')), Buffer.from([0xe9])]), 'é');
    const reason = `cannot be changed. A name in it is no text, so this server cannot reach what has it: "${join(root, 'sub/caf\ufffd')}". Rename that first.`;
    deepEqual([await remove(scope, 'sub'), await move(scope, 'sub', 'new')], [reason, reason]);
    equal(readdirSync(join(root, 'sub')).length, 3);
  });

  test('a folder that takes the place of one that was looked through is not emptied', async t => {
    const { top, root, scope } = sharedTree(t, { 'root/sub/deep/a.txt': 'a', 'other/b.txt': 'b' });
    const controller = new AbortController();
    const work = {
      signal: controller.signal,
      // Called first when the innermost folder is empty.
      progress: () => {
        renameSync(join(root, 'sub'), join(root, 'kept'));
        symlinkSync('../other', join(root, 'sub'));
      },
    };
    const deleted = await deleteEntry(changeOf(scope, 'sub'), { isRecursive: true }, work);
    match(String(said(deleted)), / Before that, 1 entry in it had been deleted\.$/);
    deepEqual(treeOf(top), {
      'other/': '',
      'other/b.txt': 'b',
      'root/': '',
      'root/kept/': '',
      'root/kept/deep/': '',
      'root/sub': '-> ../other',
    });
  });

  test('what becomes protected while a folder is being emptied stays', async t => {
    const { root, scope } = sharedTree(t, { 'root/sub/deep/a.txt': 'a' });
    const work = {
      signal: unhurried.signal,
      progress: () => writeFileSync(join(root, 'sub/.git'), 'gitdir: elsewhere'),
    };
    const deleted = await deleteEntry(changeOf(scope, 'sub'), { isRecursive: true }, work);
    match(String(said(deleted)), /is read-only for this server/);
    equal(treeOf(root)['sub/.git'], 'gitdir: elsewhere');
  });

  test('deleting stops when the call is cancelled, and does not start when it was before', async t => {
    const { root, scope } = sharedTree(t, {});
    for (let index = 0; index < 4000; index++) {
      mkdirSync(join(root, `sub/${index % 40}`), { recursive: true });
      writeFileSync(join(root, `sub/${index % 40}/${index}`), '');
    }
    const controller = new AbortController();
    const work = { signal: controller.signal, progress: () => controller.abort() };
    const change = changeOf(scope, 'sub');
    await rejects(deleteEntry(change, { isRecursive: true }, work), { name: 'AbortError' });
    const left = Object.keys(treeOf(root)).length;
    equal(left > 1 && left < 4041, true);
    await rejects(deleteEntry(change, { isRecursive: true }, work), { name: 'AbortError' });
    await rejects(moveEntry(change, changeOf(scope, 'new'), work.signal), { name: 'AbortError' });
    equal(Object.keys(treeOf(root)).length, left);
  });

  test('other work goes on while a large folder is deleted', async t => {
    const { root, scope } = sharedTree(t, {});
    for (let index = 0; index < 5000; index++) {
      mkdirSync(join(root, `sub/${index % 50}`), { recursive: true });
      writeFileSync(join(root, `sub/${index % 50}/${index}`), '');
    }
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const seen: number[] = [];
    const work = {
      signal: unhurried.signal,
      progress: (done: number, total?: number) => seen.push(done / (total ?? 0)),
    };
    await deleteEntry(changeOf(scope, 'sub'), { isRecursive: true }, work);
    clearInterval(timer);
    equal(turns > 3, true);
    deepEqual([seen.at(-1), seen.toSorted((a, b) => a - b)], [1, seen]);
    deepEqual(treeOf(root), {});
  });
});

function isOtherDevice(path: string): boolean {
  const other = statSync(path, { throwIfNoEntry: false });
  return other !== undefined && other.dev !== statSync(import.meta.dirname).dev;
}
