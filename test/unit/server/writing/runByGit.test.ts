import { deepEqual, equal, match } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { PathScope } from '../../../../src/domain/paths/pathScope.ts';
import type { Outcome } from '../../../../src/server/paths/refusal.ts';
import { GitPlacesCache } from '../../../../src/server/roots/gitPlacesCache.ts';
import type { RootFolder } from '../../../../src/server/roots/rootFolders.ts';
import { deleteEntry } from '../../../../src/server/writing/deleteEntry.ts';
import { makeFolder } from '../../../../src/server/writing/makeFolder.ts';
import { moveEntry } from '../../../../src/server/writing/moveEntry.ts';
import { changeOf } from '../../../../src/server/writing/writableFolder.ts';
import { skipLinks, skipPipes } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';
import { edit, reasonOf, scopeOver, sharedTree, treeOf, write } from '../../../support/writing.ts';

const { signal } = new AbortController();

/** The name that refuses a change; `undefined`: the change succeeds. */
function refusedFor(outcome: Outcome<unknown>): string | undefined {
  const reason = outcome.ok ? undefined : reasonOf(outcome);
  return reason?.replace(/^reasons\.refuseReadOnly\("(.*)"\)$/, '$1');
}

async function move(scope: PathScope<RootFolder>, from: string, to: string) {
  return refusedFor(await moveEntry(changeOf(scope, from), changeOf(scope, to), signal));
}

async function remove(scope: PathScope<RootFolder>, path: string) {
  const call = { signal, progress: () => {} };
  return refusedFor(await deleteEntry(changeOf(scope, path), { isRecursive: true }, call));
}

describe('files outside of .git that Git runs or reads are read-only', () => {
  test('hooks and included settings, existing or not', async t => {
    const { root, scope } = sharedTree(t, {
      'root/.git/HEAD': 'ref: refs/heads/main',
      'root/.git/config': '[core]\nhooksPath = tools/hooks\n[include]\npath = ../conf/git\n',
      'root/tools/hooks/update': 'old',
      'root/tools/other': 'old',
      'root/conf/git': '[core]\nhooksPath = later/hooks\n',
      'root/evil/hooks/update': 'x',
    });
    const before = treeOf(root);
    deepEqual(
      [
        refusedFor(write(scope, 'tools/hooks/update', 'x')),
        refusedFor(write(scope, 'tools/hooks/new/a', 'x')),
        refusedFor(await edit(scope, 'tools/hooks/update', 'old', 'x')),
        refusedFor(write(scope, 'conf/git', 'x')),
        refusedFor(makeFolder(changeOf(scope, 'tools/hooks/a'))),
        await remove(scope, 'tools/hooks/update'),
        await remove(scope, 'tools'),
        await move(scope, 'tools', 'tools2'),
        await move(scope, 'conf', 'conf2'),
        await move(scope, 'evil', 'later'),
        await move(scope, 'evil/hooks/update', 'tools/hooks/a'),
      ],
      [
        ...['tools/hooks', 'tools/hooks', 'tools/hooks', 'conf/git'],
        ...Array(4).fill('tools/hooks'),
        ...['conf/git', 'later/hooks', 'tools/hooks'],
      ],
    );
    deepEqual(treeOf(root), before);
    equal(refusedFor(write(scope, 'tools/other', 'x')), undefined);
    equal(refusedFor(makeFolder(changeOf(scope, 'later'))), undefined);
    equal(refusedFor(makeFolder(changeOf(scope, 'later/hooks'))), 'later/hooks');
  });

  test('by settings of a repository below the root, above it, and in another root', async t => {
    const top = tempFolder(t, {
      '.git/HEAD': 'x',
      '.git/config': '[core]\nhooksPath = root/of-top',
      'root/proj/.git/HEAD': 'x',
      'root/proj/.git/config': '[core]\nhooksPath = hooks',
      'root/proj/a/': '',
      'other/.git/HEAD': 'x',
      'other/.git/config': '[core]\nhooksPath = ../root/shared',
    });
    const scope = scopeOver(join(top, 'root'), join(top, 'other'));
    deepEqual(
      ['of-top/a', 'proj/hooks/a', 'shared/a', 'proj/a/b'].map(path =>
        refusedFor(write(scope, path, 'x')),
      ),
      ['of-top', 'proj/hooks', 'shared', undefined],
    );
  });

  test('targets of hooks, and links to hooks', { skip: skipLinks }, async t => {
    const { root, scope } = sharedTree(t, {
      'root/.git/HEAD': 'x',
      'root/.git/config': '[core]\nhooksPath = link',
      'root/.git/hooks/': '',
      'root/real/': '',
      'root/check': 'old',
    });
    symlinkSync('real', join(root, 'link'));
    symlinkSync('../../check', join(root, '.git/hooks/pre-commit'));
    const refused = ['real/a', 'link/a', 'check'].map(path => refusedFor(write(scope, path, 'x')));
    deepEqual(refused, ['real', 'real', 'check']);
    equal(await move(scope, 'link', 'link2'), 'link');
  });

  test('hooks and settings by name, of a repository beside them', t => {
    const { scope } = sharedTree(t, {
      'root/a/.git/HEAD': 'x',
      'root/a/.git/config': '[core]\nhooksPath = ../b\n[include]\npath = ../../team.gitconfig\n',
      'root/b/post-commit': 'x',
    });
    deepEqual(
      ['b/post-commit', 'b/pre-push', 'team.gitconfig', 'b/update'].map(path =>
        refusedFor(write(scope, path, 'x')),
      ),
      ['post-commit', 'pre-push', 'team.gitconfig', undefined],
    );
  });

  test('programs of the work tree in settings, but not each word of a command', t => {
    const { scope } = sharedTree(t, {
      'root/a/.git/HEAD': 'x',
      'root/a/.git/config':
        '[core]\nfsmonitor = tools/watch -x\n[filter "lfs"]\nclean = git-lfs clean -- %f\n' +
        '[filter "b"]\nsmudge = node smudge.js\nprocess = "sh ./bin/p; true"\nrequired = a.b\n',
      'root/a/clean/': '',
    });
    deepEqual(
      ['tools/watch', 'smudge.js', 'bin/p', 'clean/a', 'tools/x', 'a.b'].map(path =>
        refusedFor(write(scope, `a/${path}`, 'x')),
      ),
      ['a/tools/watch', 'a/smudge.js', 'a/bin/p', undefined, undefined, undefined],
    );
  });

  test('but not the shared folder itself: a shared hooks folder is meant', async t => {
    const top = tempFolder(t);
    writeTree(top, { '.git/HEAD': 'x', '.git/config': '[core]\nhooksPath = hooks', 'hooks/': '' });
    const scope = scopeOver(join(top, 'hooks'));
    equal(refusedFor(write(scope, 'update', 'x')), undefined);
  });

  test('a folder cannot get a protected name if it has files to protect', async t => {
    const { root, scope } = sharedTree(t, {
      'root/evil/hooks/a.json': 'x',
      'root/other/.github/hooks/a.json': 'x',
      'root/.clinerules/a': '',
      'root/file': '',
    });
    equal(await move(scope, 'evil', '.github'), '.github');
    equal(await move(scope, 'evil/hooks', '.clinerules/hooks'), '.clinerules/hooks');
    equal(await move(scope, 'other/.github', 'x'), join(root, 'other/.github/hooks'));
    match(String(await remove(scope, 'other')), /hooks$/);
    equal(refusedFor(write(scope, '.github/hooks/a.json', 'x')), '.github/hooks');
    equal(refusedFor(write(scope, '.github/workflows/a.yml', 'x')), undefined);
    equal(await move(scope, '.clinerules/a', '.clinerules/b'), undefined);
    equal(existsSync(join(root, 'evil/hooks/a.json')), true);
  });
});

test('reads settings of Git again after a second, not for each change', t => {
  const folder = tempFolder(t);
  const hooksIn = (path: string) =>
    writeTree(folder, { '.git/HEAD': 'x', '.git/config': `[core]\nhooksPath = ${path}` });
  let now = 0;
  const cache = new GitPlacesCache(() => now);
  hooksIn('a');
  const first = cache.of([folder]);
  equal(first.includes(join(folder, 'a')), true);
  hooksIn('b');
  now = 999;
  equal(cache.of([folder]), first);
  equal(cache.of([folder, join(folder, 'x')]).includes(join(folder, 'b')), true);
  writeFileSync(join(folder, '.git/config'), `${' '.repeat(1 << 20)}\n[core]\nhooksPath = c`);
  now = 2_000;
  const named = ['a', 'b', 'c'].map(name => cache.of([folder]).includes(join(folder, name)));
  deepEqual(named, [false, false, false]);
});

test('does not wait for settings of Git in a pipe or endless file', {
  skip: skipPipes,
}, t => {
  const folder = tempFolder(t);
  const heads = { 'pipe/.git/HEAD': 'x', 'endless/.git/HEAD': 'x', 'plain/.git/HEAD': 'x' };
  writeTree(folder, { ...heads, 'plain/.git/config': '[core]\nhooksPath = hooks' });
  execFileSync('mkfifo', [join(folder, 'pipe/.git/config')]);
  symlinkSync('/dev/zero', join(folder, 'endless/.git/config'));
  const named = ['pipe', 'endless', 'plain'].map(name => join(folder, name));
  const places = new GitPlacesCache().of(named);
  const own = places.filter(place => place.startsWith(folder));
  deepEqual(own, [join(folder, 'plain/hooks')]);
});
