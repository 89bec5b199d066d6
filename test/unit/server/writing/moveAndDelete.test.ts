import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  linkSync,
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
import { outcomeOf, scopeOver, sharedTree, treeOf } from '../../../support/writing.ts';

type Scope = ReturnType<typeof sharedTree>['scope'];

const sharedMemory = statSync('/dev/shm', { throwIfNoEntry: false })?.dev;
const hasOtherDisk = ![undefined, statSync(import.meta.dirname).dev].includes(sharedMemory);
const otherDisk = { skip: !hasOtherDisk && 'there is no other file system at hand' };
const unhurried = { signal: new AbortController().signal, progress: () => {} };

async function remove(scope: Scope, path: string, isRecursive = true, pin?: Pin) {
  return outcomeOf(await deleteEntry(changeOf(scope, path, pin), { isRecursive }, unhurried));
}

async function move(scope: Scope, from: string, to: string, pin?: Pin) {
  const changes = [changeOf(scope, from, pin), changeOf(scope, to, pin)] as const;
  return outcomeOf(await moveEntry(...changes, unhurried.signal));
}

describe('moving and deleting', { skip: onlyOn('posix', 'links need a privilege there') }, () => {
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
        'other/renamed.txt': 'a',
        'other/sub/b.txt': 'b',
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

    test(`${name} leaves no file open`, { skip: skipPins }, async t => {
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

  test('moves and deletes a link itself, and keeps its target', async t => {
    const { top, root, scope } = sharedTree(t, { 'root/sub/a.txt': 'a', 'secret/key': 'secret' });
    symlinkSync('../secret', join(root, 'out'));
    symlinkSync('../secret/none', join(root, 'dangling'));
    symlinkSync('sub', join(root, 'in'));
    await move(scope, 'out', 'sub/out');
    await remove(scope, 'in');
    await remove(scope, 'dangling');
    const links = { 'sub/a.txt': 'a', 'sub/out': '-> ../secret' };
    deepEqual(treeOf(root), links);
    equal(typeof (await remove(scope, 'sub')), 'object');
    deepEqual(treeOf(top), { 'root/': '', 'secret/key': 'secret' });
  });

  test('deletes a folder with contents only on request', async t => {
    const { root, scope } = sharedTree(t, { 'root/sub/a.txt': 'a', 'root/empty/': '' });
    equal(await remove(scope, 'sub', false), 'unusable: deleteEntry.deleteOne()');
    equal(typeof (await remove(scope, 'empty', false)), 'object');
    deepEqual(treeOf(root), { 'sub/a.txt': 'a' });
  });

  test('replaces nothing by a move', async t => {
    const { root, scope } = sharedTree(t, {
      'root/a.txt': 'a',
      'root/b.txt': 'b',
      'root/empty/': '',
      'root/sub/': '',
    });
    symlinkSync('none', join(root, 'link'));
    linkSync(join(root, 'a.txt'), join(root, 'same.txt'));
    const before = treeOf(root);
    const moves = {
      'a.txt': ['b.txt', 'a.txt', 'same.txt', 'link', 'empty'],
      sub: ['empty', 'a.txt'],
      link: ['empty'],
    };
    for (const [from, targets] of Object.entries(moves)) {
      for (const to of targets) {
        equal(await move(scope, from, to), 'unusable: moveEntry.moveNow()');
      }
    }
    deepEqual(treeOf(root), before);
  });

  test('says what is in the way of a move', async t => {
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
        ...Array(3).fill('missing: refusal.seeFolder()'),
        'unusable: targets.findEntry()',
        'unusable: locate.unreadable.reason()',
        ...Array(2).fill('unusable: moveEntry.moveEntry()'),
      ],
    );
    deepEqual(treeOf(root), { 'a.txt': 'a', 'sub/deep/': '' });
  });

  test('moves nothing to another file system', otherDisk, async t => {
    const { root, scope: own } = sharedTree(t, { 'root/a.txt': 'a', 'root/sub/b.txt': 'b' });
    const there = mkdtempSync('/dev/shm/mcp-roots-');
    atEnd(t, () => rmSync(there, { recursive: true }));
    const scope = scopeOver(root, there);
    equal(own.roots.length, 1);
    for (const name of ['a.txt', 'sub']) {
      equal(await move(scope, name, join(there, name)), 'unusable: reasons.reasons.EXDEV()');
    }
    deepEqual(treeOf(root), { 'a.txt': 'a', 'sub/b.txt': 'b' });
  });

  test('keeps a root and every folder above it in place', async t => {
    const { top, root } = sharedTree(t, { 'root/a/b/c.txt': 'c', 'root/free/': '' });
    symlinkSync('root/a', join(top, 'link'));
    symlinkSync('a', join(root, 'to-root'));
    const scope = scopeOver(root, join(root, 'a/b'), join(root, 'to-root'));
    const before = treeOf(top);
    for (const path of ['.', root, 'a', 'a/b', 'to-root', 'to-root/b']) {
      for (const answer of [await remove(scope, path), await move(scope, path, 'free/new')]) {
        match(String(answer), /^unusable: reasons\.staysShared\(/);
      }
    }
    deepEqual(treeOf(top), before);
  });

  test('refuses to move or delete a folder with protected files, even in part', async t => {
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
        match(String(answer), /^unusable: reasons\.refuseReadOnly\(".*\.(git|VSCode|vscode)"\)$/);
      }
    }
    for (const to of ['.git', '.vscode/x', 'd/.Git', 'a/repo/link/x', 'a/repo/.git/hooks']) {
      match(String(await move(scope, 'd/x.txt', to)), /^unusable: reasons\.refuseReadOnly\(/);
    }
    deepEqual(treeOf(root), before);
    // A link to a protected file is not protected itself.
    equal(typeof (await remove(scope, 'a/repo/link')), 'object');
  });

  test('refuses to move or delete a Git repository under any name, or a folder that contains it', async t => {
    const { root, scope } = sharedTree(t, { 'root/a/b/': '', 'root/x.txt': 'x' });
    execFileSync('git', ['init', '-q', '--bare', join(root, 'a/b/gd')]);
    const before = treeOf(root);
    const readOnly = 'unusable: reasons.refuseReadOnly("gd")';
    for (const path of ['a', 'a/b', 'a/b/gd', 'a/b/gd/HEAD', 'a/b/gd/hooks', 'a/b/gd/refs/heads']) {
      for (const answer of [await remove(scope, path), await move(scope, path, 'new')]) {
        equal(answer, readOnly, path);
      }
    }
    equal(await move(scope, 'x.txt', 'a/b/gd/hooks/update'), readOnly);
    deepEqual(treeOf(root), before);
  });

  test('keeps a mounted file system and its folder', otherDisk, async t => {
    const { root, scope } = sharedTree(t, { 'root/sub/mounted/': '', 'root/sub/a.txt': 'a' });
    const mounting: Pin = {
      openFile: descriptorPin.openFile,
      inFolder: (real, work) =>
        descriptorPin.inFolder(real, ({ where, at }) => {
          return work({ where, at: name => (name === 'mounted' ? '/dev/shm' : at(name)) });
        }),
    };
    const refused = `unusable: scanTree.refuseMounted("${join(root, 'sub/mounted')}")`;
    equal(await remove(scope, 'sub', true, mounting), refused);
    deepEqual(treeOf(root), { 'sub/a.txt': 'a', 'sub/mounted/': '' });
  });

  test('leaves a folder with a name that is not text unchanged, and shows the name', {
    skip: onlyOn('linux', 'elsewhere, names are text'),
  }, async t => {
    const { root, scope } = sharedTree(t, { 'root/sub/a.txt': 'a', 'root/sub/z.txt': 'z' });
    writeFileSync(Buffer.concat([Buffer.from(join(root, 'sub/caf')), Buffer.from([0xe9])]), 'é');
    const refused = `unusable: scanTree.scanOne("${join(root, 'sub/caf\ufffd')}")`;
    deepEqual([await remove(scope, 'sub'), await move(scope, 'sub', 'new')], [refused, refused]);
    equal(readdirSync(join(root, 'sub')).length, 3);
  });

  test('does not empty a folder that replaced the checked one', async t => {
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
    match(String(outcomeOf(deleted)), /^unusable: deleteEntry\.afterDeleting\(.*, 1 entry\)$/);
    deepEqual(treeOf(top), {
      'other/b.txt': 'b',
      'root/kept/deep/': '',
      'root/sub': '-> ../other',
    });
  });

  test('keeps files that become protected while a folder is emptied', async t => {
    const { root, scope } = sharedTree(t, { 'root/sub/deep/a.txt': 'a' });
    const work = {
      signal: unhurried.signal,
      progress: () => writeFileSync(join(root, 'sub/.git'), 'gitdir: elsewhere'),
    };
    const deleted = await deleteEntry(changeOf(scope, 'sub'), { isRecursive: true }, work);
    match(String(outcomeOf(deleted)), /\(reasons\.refuseReadOnly\(/);
    equal(treeOf(root)['sub/.git'], 'gitdir: elsewhere');
  });

  test('stops deleting when the call is cancelled, and does not start after a cancel', async t => {
    const { root, scope } = sharedTree(t, filesIn('root/sub', 4000));
    const controller = new AbortController();
    const work = { signal: controller.signal, progress: () => controller.abort() };
    const change = changeOf(scope, 'sub');
    await rejects(deleteEntry(change, { isRecursive: true }, work), { name: 'AbortError' });
    const left = Object.keys(treeOf(root)).length;
    equal(left > 1 && left < 4000, true);
    await rejects(deleteEntry(change, { isRecursive: true }, work), { name: 'AbortError' });
    await rejects(moveEntry(change, changeOf(scope, 'new'), work.signal), { name: 'AbortError' });
    equal(Object.keys(treeOf(root)).length, left);
  });

  test('lets other work run while it deletes a large folder', async t => {
    const { root, scope } = sharedTree(t, filesIn('root/sub', 5000));
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
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

/** That many empty files in forty folders. */
function filesIn(folder: string, count: number): Readonly<Record<string, string>> {
  const names = Array.from({ length: count }, (_, index) => `${folder}/${index % 40}/${index}`);
  return Object.fromEntries(names.map(name => [name, '']));
}
