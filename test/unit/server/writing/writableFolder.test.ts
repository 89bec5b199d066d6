import { deepEqual, equal, match } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { PathScope } from '../../../../src/domain/paths/pathScope.ts';
import type { Pin } from '../../../../src/server/paths/pins.ts';
import type { Outcome } from '../../../../src/server/paths/refusal.ts';
import type { RootFolder } from '../../../../src/server/roots/rootFolders.ts';
import { makeFolder } from '../../../../src/server/writing/makeFolder.ts';
import { moveEntry } from '../../../../src/server/writing/moveEntry.ts';
import { changeOf } from '../../../../src/server/writing/writableFolder.ts';
import { skipPins } from '../../../support/pins.ts';
import { onlyOn } from '../../../support/systems.ts';
import {
  edit,
  meddlingPin,
  outcomeOf,
  reasonOf,
  scopeOver,
  sharedTree,
  treeOf,
  write,
} from '../../../support/writing.ts';

describe('writing, editing and making folders', {
  skip: onlyOn('posix', 'links need a privilege there'),
}, () => {
  test('writes, makes and reveals nothing through links that lead out', async t => {
    const { top, root, scope } = sharedTree(t, { 'secret/key': 'secret' });
    symlinkSync('../secret/key', join(root, 'file'));
    symlinkSync('../secret/none', join(root, 'dangling'));
    symlinkSync('../secret', join(root, 'folder'));
    const before = treeOf(top);
    const paths = ['file', 'dangling', 'folder', 'folder/key', 'folder/none', 'folder/a/b'];
    const answers: unknown[] = [];
    for (const path of paths) {
      answers.push(
        outcomeOf(write(scope, path, 'x')),
        outcomeOf(await edit(scope, path, 'secret', 'x')),
        outcomeOf(makeFolder(changeOf(scope, path))),
      );
    }
    deepEqual(treeOf(top), before);
    equal(new Set(answers).size, 1);
    equal(answers[0], `outside: refusal.outside("${root}")`);
  });

  test('refuses everything but a writable regular file, with the reason', async t => {
    const { root, scope } = sharedTree(t, { 'root/sub/': '', 'root/fixed': 'fixed' });
    chmodSync(join(root, 'fixed'), 0o444);
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const paths = ['.', 'sub', 'fixed', 'pipe', 'fixed/below'];
    const reasons = [
      ...Array(2).fill('unusable: refusal.isFolder()'),
      'unusable: storeFile.unwritable()',
      'unusable: refusal.notRegular()',
      'unusable: locate.unreadable.reason()',
    ];
    deepEqual(
      paths.map(path => outcomeOf(write(scope, path, 'x'))),
      reasons,
    );
    deepEqual(
      await Promise.all(paths.map(async path => outcomeOf(await edit(scope, path, 'fixed', 'x')))),
      reasons,
    );
    equal(readFileSync(join(root, 'fixed'), 'utf8'), 'fixed');
  });

  test('keeps .git and .vscode read-only, even if missing and through links', async t => {
    const { root, scope } = sharedTree(t, { 'root/.git/config': 'old', 'root/sub/': '' });
    symlinkSync('.git', join(root, 'link'));
    symlinkSync('sub', join(root, '.vscode'));
    const before = treeOf(root);
    const paths = [
      '.git/config',
      '.git/hooks/pre-commit',
      '.GIT/x',
      'link/config',
      'link/new',
      '.vscode/tasks.json',
      'sub/.git',
      'sub/.VsCode/deep/er',
    ];
    const answers: unknown[] = [];
    for (const path of paths) {
      answers.push(
        outcomeOf(write(scope, path, 'x')),
        outcomeOf(await edit(scope, path, 'old', 'x')),
        outcomeOf(await edit(scope, path, 'old', 'x', true)),
        outcomeOf(makeFolder(changeOf(scope, path))),
      );
    }
    for (const answer of answers) {
      match(String(answer), /^unusable: reasons\.refuseReadOnly\("\.(git|GIT|vscode|VsCode)"\)$/);
    }
    deepEqual(treeOf(root), before);
  });

  test('keeps a Git repository read-only under any name, unless it is the root', async t => {
    const { root, scope } = sharedTree(t, { 'root/sub/': '', 'root/like/HEAD': 'no folders' });
    execFileSync('git', ['init', '-q', `--separate-git-dir=${join(root, '.bare')}`, root]);
    execFileSync('git', ['init', '-q', '--bare', join(root, 'sub/gd')]);
    symlinkSync('gd', join(root, 'sub/link'));
    const before = treeOf(root);
    for (const path of ['.bare/config', '.bare/hooks/post', 'sub/gd/HEAD', 'sub/link/new/x']) {
      const answers = [
        outcomeOf(write(scope, path, 'x')),
        outcomeOf(write(scope, path, 'x', { mayMakeFolders: false })),
        outcomeOf(makeFolder(changeOf(scope, path.replace(/x?$/, 'made')))),
      ];
      for (const answer of answers.filter(one => one !== 'unusable: putFile.folderFor()')) {
        match(String(answer), /^unusable: reasons\.refuseReadOnly\("(\.bare|gd)"\)$/);
      }
    }
    for (const isDryRun of [true, false]) {
      const edited = await edit(scope, '.bare/config', 'core', 'x', isDryRun);
      equal(outcomeOf(edited), 'unusable: reasons.refuseReadOnly(".bare")');
    }
    deepEqual(treeOf(root), before);
    equal(write(scope, 'like/new', 'x').ok, true);
    const shared = scopeOver(join(root, '.bare'));
    equal(write(shared, 'description', 'x').ok, true);
  });

  test('lets no change turn a folder into a Git repository, in any order', async t => {
    const { top, root, scope } = sharedTree(t, {
      'root/head/objects/': '',
      'root/head/refs/': '',
      'root/objects/HEAD': 'ref: refs/heads/main',
      'root/objects/refs': 'a file that may be run counts, too',
      'root/refs/HEAD': 'ref: refs/heads/main',
      'root/worktree/HEAD': 'ref: refs/heads/main',
      'root/common/commondir': '../elsewhere',
      'root/bag/part': 'ref: refs/heads/main',
      'root/bag/refs/heads/main': '',
      'whole/HEAD': 'ref: refs/heads/main',
      'whole/objects/': '',
    });
    symlinkSync('../none', join(root, 'refs/objects'));
    symlinkSync('refs', join(root, 'link'));
    const before = treeOf(top);
    const move = (from: string, to: string) => {
      const { signal } = new AbortController();
      return moveEntry(changeOf(scope, from), changeOf(scope, to), signal);
    };
    const whole = scopeOver(join(top, 'whole'));
    const answers: readonly Outcome<unknown>[] = [
      write(scope, 'head/HEAD', 'ref: refs/heads/main'),
      write(scope, 'head/Head', 'ref: refs/heads/main'),
      write(scope, 'head/HE\u200cAD', 'ref: refs/heads/main'),
      await move('bag/part', 'head/HEAD'),
      makeFolder(changeOf(scope, 'objects/objects/pack')),
      write(scope, 'objects/objects/info', ''),
      await move('bag', 'objects/objects'),
      write(scope, 'refs/refs/heads/main', ''),
      makeFolder(changeOf(scope, 'link/refs')),
      await move('bag/refs', 'link/refs'),
      write(scope, 'worktree/commondir', '../common'),
      write(scope, 'common/HEAD', 'ref: refs/heads/main'),
      makeFolder(changeOf(whole, 'refs')),
      write(whole, 'Refs/heads/main', ''),
    ];
    for (const answer of answers) {
      match(String(outcomeOf(answer)), /^unusable: reasons\.makesRepository\(".+"\)$/);
    }
    deepEqual(treeOf(top), before);
    equal(write(scope, 'bag/HEAD', 'no folder of objects').ok, true);
    equal(write(scope, 'head/heads', 'another name').ok, true);
  });

  test('keeps two servers from making a repository together: one undoes its part', {
    skip: skipPins,
  }, async t => {
    const { signal } = new AbortController();
    type Way = readonly [string, (scope: PathScope<RootFolder>, pin?: Pin) => Outcome<unknown>];
    const others: readonly Way[] = [
      ['HEAD', (scope, pin) => write(scope, 'd/HEAD', 'ref: refs/heads/main', {}, pin)],
      ['objects', (scope, pin) => makeFolder(changeOf(scope, 'd/objects', pin))],
      ['refs', (scope, pin) => makeFolder(changeOf(scope, 'd/refs', pin))],
    ];
    const move = (from: string, to: string) => (scope: PathScope<RootFolder>, pin?: Pin) =>
      moveEntry(changeOf(scope, from, pin), changeOf(scope, to, pin), signal);
    const ways = [
      ...others,
      ['HEAD', move('part', 'd/HEAD')],
      ['objects', move('bag', 'd/objects')],
    ] as const;
    const pairs = ways.flatMap(([mine, make]) =>
      others.filter(([part]) => part !== mine).map(other => [mine, make, other] as const),
    );
    for (const [mine, make, [theirs, makeTheirs]] of pairs) {
      const third = others.map(([part]) => part).find(part => ![mine, theirs].includes(part));
      let seen = 0;
      for (let step = 1, isReached = true; isReached; step++) {
        const { root, scope } = sharedTree(t, {
          [`root/d/${third}`]: 'anything that is there counts',
          'root/bag/x': 'x',
          'root/part': 'ref: refs/heads/main',
        });
        const before = treeOf(root);
        let left = step;
        isReached = false;
        let other: Outcome<unknown> | undefined;
        const pin = meddlingPin(
          () => {
            isReached = true;
            other = makeTheirs(scopeOver(root));
          },
          () => --left === 0,
        );
        const made = await make(scope, pin);
        const there = [mine, theirs].filter(part => existsSync(join(root, 'd', part)));
        const expected = [...(made.ok ? [mine] : []), ...(other?.ok ? [theirs] : [])];
        deepEqual(there, expected, `${mine}, ${theirs} at step ${step}`);
        equal(there.length < 2, true, `${mine}, ${theirs} at step ${step}`);
        if (!made.ok && other?.ok) {
          seen += 1;
          match(reasonOf(made), /^reasons\.makesRepository\(/);
          const { [`d/${theirs}`]: file, [`d/${theirs}/`]: folder, ...rest } = treeOf(root);
          deepEqual(rest, before, `${mine}, ${theirs} at step ${step}`);
        }
      }
      equal(seen > 0, true, `${mine}, ${theirs}`);
    }
  });

  test('refuses a file path that ends like a folder’s', async t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'a' });
    for (const path of ['x/', 'a.txt/', 'a.txt/.', 'x//']) {
      const answers = [
        outcomeOf(write(scope, path, 'x')),
        outcomeOf(await edit(scope, path, 'a', 'b')),
      ];
      const reason = 'unusable: targets.endsAsFolder()';
      deepEqual(answers, [reason, reason], path);
    }
    deepEqual(treeOf(root), { 'a.txt': 'a' });
  });

  test('edits no file that is missing, too large or not UTF-8', async t => {
    const { root, scope } = sharedTree(t, { 'root/large': 'x'.repeat(8 * 1024 * 1024 + 1) });
    writeFileSync(join(root, 'latin'), Buffer.from('caf\u00e9', 'latin1'));
    writeFileSync(join(root, 'binary'), 'a\0b');
    deepEqual(
      await Promise.all(
        ['latin', 'binary', 'large', 'none'].map(async path =>
          outcomeOf(await edit(scope, path, 'a', 'b')),
        ),
      ),
      [
        ...Array(2).fill('unusable: refusal.notText()'),
        'unusable: replaceInFile.readText(8 MB)',
        'missing: refusal.seeFolder()',
      ],
    );
  });

  test('refuses half of a character, which cannot be written', async t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': '\u{1f600}' });
    equal(outcomeOf(await edit(scope, 'a.txt', '\ud83d', '')), 'unusable: storeFile.encode()');
    equal(readFileSync(join(root, 'a.txt'), 'utf8'), '\u{1f600}');
  });
});
