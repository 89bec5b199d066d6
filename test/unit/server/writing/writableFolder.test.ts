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
  said,
  scopeOver,
  sharedTree,
  treeOf,
  write,
} from '../../../support/writing.ts';

describe('writing, editing and making folders', {
  skip: onlyOn('posix', 'links need a privilege there'),
}, () => {
  test('through links that lead out, nothing is written or made, and nothing is told', async t => {
    const { top, root, scope } = sharedTree(t, { 'secret/key': 'secret' });
    symlinkSync('../secret/key', join(root, 'file'));
    symlinkSync('../secret/none', join(root, 'dangling'));
    symlinkSync('../secret', join(root, 'folder'));
    const before = treeOf(top);
    const paths = ['file', 'dangling', 'folder', 'folder/key', 'folder/none', 'folder/a/b'];
    const answers: unknown[] = [];
    for (const path of paths) {
      answers.push(
        said(write(scope, path, 'x')),
        said(await edit(scope, path, 'secret', 'x')),
        said(makeFolder(changeOf(scope, path))),
      );
    }
    deepEqual(treeOf(top), before);
    equal(new Set(answers).size, 1);
    match(String(answers[0]), /^is outside the folders shared with this server\./);
  });

  test('what is no regular file that may be written to is refused, and why', async t => {
    const { root, scope } = sharedTree(t, { 'root/sub/': '', 'root/fixed': 'fixed' });
    chmodSync(join(root, 'fixed'), 0o444);
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const paths = ['.', 'sub', 'fixed', 'pipe', 'fixed/below'];
    const reasons = [
      'cannot be changed. It is a folder.',
      'cannot be changed. It is a folder.',
      'cannot be changed. It is read-only: nobody may write to it, until somebody changes its mode.',
      'cannot be changed. It is no regular file, but a pipe, a socket or a device.',
      'cannot be used. A part of it is a file, not a folder.',
    ];
    deepEqual(
      paths.map(path => said(write(scope, path, 'x'))),
      reasons,
    );
    deepEqual(
      await Promise.all(paths.map(async path => said(await edit(scope, path, 'fixed', 'x')))),
      reasons,
    );
    equal(readFileSync(join(root, 'fixed'), 'utf8'), 'fixed');
  });

  test('.git and .vscode are read-only, also where they do not exist and through links', async t => {
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
        said(write(scope, path, 'x')),
        said(await edit(scope, path, 'old', 'x')),
        said(await edit(scope, path, 'old', 'x', true)),
        said(makeFolder(changeOf(scope, path))),
      );
    }
    for (const answer of answers) {
      match(
        String(answer),
        /^cannot be changed\. "\.(git|GIT|vscode|VsCode)" and all in it is read-only for this server, because other programs run what is written there\.$/,
      );
    }
    deepEqual(treeOf(root), before);
  });

  test('what Git keeps is read-only under any name, unless it is the root', async t => {
    const { root, scope } = sharedTree(t, { 'root/sub/': '', 'root/like/HEAD': 'no folders' });
    execFileSync('git', ['init', '-q', `--separate-git-dir=${join(root, '.bare')}`, root]);
    execFileSync('git', ['init', '-q', '--bare', join(root, 'sub/gd')]);
    symlinkSync('gd', join(root, 'sub/link'));
    const before = treeOf(root);
    for (const path of ['.bare/config', '.bare/hooks/post', 'sub/gd/HEAD', 'sub/link/new/x']) {
      const answers = [
        said(write(scope, path, 'x')),
        said(write(scope, path, 'x', { mayMakeFolders: false })),
        said(makeFolder(changeOf(scope, path.replace(/x?$/, 'made')))),
      ];
      for (const answer of answers.filter(
        answer => !String(answer).includes('createDirectories'),
      )) {
        match(String(answer), /"(\.bare|gd)" and all in it is read-only for this server, because/);
      }
    }
    for (const isDryRun of [true, false]) {
      const edited = await edit(scope, '.bare/config', 'core', 'x', isDryRun);
      match(String(said(edited)), /"\.bare" and all in it is read-only for this server/);
    }
    deepEqual(treeOf(root), before);
    equal(write(scope, 'like/new', 'x').ok, true);
    const shared = scopeOver(join(root, '.bare'));
    equal(write(shared, 'description', 'x').ok, true);
  });

  test('no change makes a repository of Git out of a folder, whichever part comes last', async t => {
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
      match(
        String(said(answer)),
        /^cannot be changed\. With it, ".+" would be a repository to Git, which runs what is written there: use another name\.$/,
      );
    }
    deepEqual(treeOf(top), before);
    equal(write(scope, 'bag/HEAD', 'no folder of objects').ok, true);
    equal(write(scope, 'head/heads', 'another name').ok, true);
  });

  test('two servers at once make no repository, and who sees it takes back what it made', {
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
          match(
            made.message,
            /^".+" cannot be changed\. With it, ".+" would be a repository to Git/,
          );
          const { [`d/${theirs}`]: file, [`d/${theirs}/`]: folder, ...rest } = treeOf(root);
          deepEqual(rest, before, `${mine}, ${theirs} at step ${step}`);
        }
      }
      equal(seen > 0, true, `${mine}, ${theirs}`);
    }
  });

  test('a path that ends as that of a folder is no file', async t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'a' });
    for (const path of ['x/', 'a.txt/', 'a.txt/.', 'x//']) {
      const answers = [said(write(scope, path, 'x')), said(await edit(scope, path, 'a', 'b'))];
      const reason =
        'cannot be changed. It ends as the path of a folder: name the file without that.';
      deepEqual(answers, [reason, reason], path);
    }
    deepEqual(treeOf(root), { 'a.txt': 'a' });
  });

  test('what is no UTF-8 text, missing or too large is not edited', async t => {
    const { root, scope } = sharedTree(t, { 'root/large': 'x'.repeat(8 * 1024 * 1024 + 1) });
    writeFileSync(join(root, 'latin'), Buffer.from('caf\u00e9', 'latin1'));
    writeFileSync(join(root, 'binary'), 'a\0b');
    deepEqual(
      await Promise.all(
        ['latin', 'binary', 'large', 'none'].map(async path =>
          said(await edit(scope, path, 'a', 'b')),
        ),
      ),
      [
        'cannot be changed. It is not UTF-8 text (binary, or another encoding).',
        'cannot be changed. It is not UTF-8 text (binary, or another encoding).',
        'cannot be changed. It is larger than 8 MB, which is too large to be edited here.',
        'does not exist. List its folder to see what does.',
      ],
    );
  });

  test('half of a character is refused, because it could not be written', async t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': '\u{1f600}' });
    equal(
      said(await edit(scope, 'a.txt', '\ud83d', '')),
      'cannot be changed. The text holds half of a character (a lone surrogate).',
    );
    equal(readFileSync(join(root, 'a.txt'), 'utf8'), '\u{1f600}');
  });
});
