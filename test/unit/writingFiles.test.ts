import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { descriptorPin, type Pin } from '../../src/server/paths/pins.ts';
import { editFile } from '../../src/server/writing/editFile.ts';
import { changeOf } from '../../src/server/writing/heldFolder.ts';
import { makeFolder } from '../../src/server/writing/makeFolders.ts';
import { writeFile } from '../../src/server/writing/writeFile.ts';
import { pins, skipPins } from '../support/pins.ts';
import { said, scopeOver, sharedTree, treeOf } from '../support/writing.ts';

type Scope = ReturnType<typeof sharedTree>['scope'];

function write(scope: Scope, path: string, text: string, options = {}, pin?: Pin) {
  return writeFile(changeOf(scope, path, pin), {
    bytes: Buffer.from(text),
    mayReplace: true,
    mayMakeFolders: true,
    ...options,
  });
}

function edit(scope: Scope, path: string, oldText: string, newText: string, isDryRun = false) {
  const edits = [{ oldText, newText }];
  return editFile(changeOf(scope, path), { edits, isDryRun }, signal);
}

const { signal } = new AbortController();

describe('writing, editing and making folders', {
  skip: process.platform === 'win32' && 'links need a privilege there',
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
      const edited = await editFile(change, { edits, isDryRun: false }, signal);
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

  test('a replaced file stays with its owner', {
    skip: process.getuid?.() !== 0 && 'only root may give files away',
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

  test('a hard link is cut from the file outside, instead of changing that', t => {
    const { top, root, scope } = sharedTree(t, { 'secret/key': 'secret' });
    linkSync(join(top, 'secret/key'), join(root, 'a.txt'));
    write(scope, 'a.txt', 'new');
    equal(readFileSync(join(top, 'secret/key'), 'utf8'), 'secret');
    equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'new');
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

  test('an edit that is cancelled while it is worked on writes nothing', async t => {
    const text = 'some text\n'.repeat(500_000);
    const { root, scope } = sharedTree(t, { 'root/a.txt': `${text}end` });
    const cancelled = new AbortController();
    const edits = Array.from({ length: 500 }, (_, n) => ({
      oldText: n === 0 ? 'end' : `end${n}`,
      newText: `end${n + 1}`,
    }));
    const fileEdit = { edits, isDryRun: false };
    const edited = editFile(changeOf(scope, 'a.txt'), fileEdit, cancelled.signal);
    // Other work goes on: otherwise this would come too late.
    setImmediate(() => cancelled.abort());
    await rejects(edited, { name: 'AbortError' });
    equal(readFileSync(join(root, 'a.txt'), 'utf8').endsWith('\nend'), true);
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

  test('a file that somebody else wrote to meanwhile is not replaced by an edit', {
    skip: skipPins,
  }, async t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'one' });
    // The one who interferes comes in when the folder is held, through the way it is reached.
    let reached = 0;
    const interfering: Pin = {
      openFile: descriptorPin.openFile,
      inFolder: (real, work) =>
        descriptorPin.inFolder(real, ({ where, at }) => {
          const meddle = (name: string) => {
            if (name.endsWith('.tmp')) {
              reached += 1;
              writeFileSync(join(root, 'a.txt'), 'two');
            }
            return at(name);
          };
          return work({ where, at: meddle });
        }),
    };
    const edits = [{ oldText: 'one', newText: 'mine' }];
    const change = changeOf(scope, 'a.txt', interfering);
    const edited = await editFile(change, { edits, isDryRun: false }, signal);
    equal(said(edited), 'cannot be changed. Somebody wrote to it at the same time: read it again.');
    deepEqual([reached, treeOf(root)], [1, { 'a.txt': 'two' }]);
  });

  test('when writing fails, the file stays as it was and no draft is left', {
    skip: skipPins,
  }, t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'old' });
    // A folder takes the place of the file at the last moment, so that it cannot be replaced.
    const failing: Pin = {
      openFile: descriptorPin.openFile,
      inFolder: (real, work) =>
        descriptorPin.inFolder(real, ({ where, at }) => {
          const meddle = (name: string) => {
            if (name.endsWith('.tmp')) {
              execFileSync('mv', [join(root, 'a.txt'), join(root, 'kept.txt')]);
              mkdirSync(join(root, 'a.txt'));
            }
            return at(name);
          };
          return work({ where, at: meddle });
        }),
    };
    const written = write(scope, 'a.txt', 'new', {}, failing);
    equal(
      said(written),
      'cannot be changed. It changed while it was being worked on: look at it, and try again.',
    );
    deepEqual(treeOf(root), { 'a.txt/': '', 'kept.txt': 'old' });
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
