import { deepEqual, equal, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { SkippedRoot } from '../../src/server/roots/rootFolders.ts';
import { connect, RawSession, refusedFor, rootOf, serverMain } from '../support/bundledServer.ts';
import { patience } from '../support/patience.ts';
import { skipLinks } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { said } from '../support/texts.ts';

describe('where the roots come from', { concurrency: true }, () => {
  test('a client without roots gets the folders of --root only', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'one/a.txt': 'a', 'two/b.txt': 'b', 'c.txt': 'c' });
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    const client = await connect(t, 'SDK 2 (modern)', {
      args: ['--root', one, '--root', rootOf(two).uri],
    });
    const { structuredContent = {} } = await client.call('get-roots');
    deepEqual(
      [structuredContent['source'], structuredContent['filePaths']],
      ['options', [one, two]],
    );
    equal((await client.call('read-file', { path: 'a.txt' })).content[0]?.text, 'a');
    equal((await client.call('read-file', { path: join(two, 'b.txt') })).content[0]?.text, 'b');
    equal((await client.call('read-file', { path: join(folder, 'c.txt') })).isError, true);
  });

  test('a client’s roots count inside --root, and the others say why they do not', {
    skip: skipLinks,
  }, async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'ws/app/a.txt': 'a', 'ws_evil/b.txt': 'b', 'secret/key': 'k' });
    symlinkSync(join(folder, 'secret'), join(folder, 'ws', 'link'));
    const roots = ['ws/app', 'ws_evil', 'ws/link'].map(name => rootOf(join(folder, name)));
    const client = await connect(t, 'SDK 2 (modern)', {
      roots,
      args: ['--root', join(folder, 'ws')],
    });
    const { structuredContent = {}, content } = await client.call('get-roots');
    const { source, limitedTo, roots: inForce, skipped } = structuredContent;
    deepEqual(
      [source, limitedTo, inForce],
      ['client-within-options', [join(folder, 'ws')], [roots[0]]],
    );
    const why = (skipped as readonly SkippedRoot[]).map(({ uri, reason }) => [uri, said(reason)]);
    deepEqual(
      why,
      roots.slice(1).map(({ uri }) => [uri, 'rootSources.beyondLimit()']),
    );
    match(content[0]?.text ?? '', / --root .*ws\n/);
    equal((await client.call('list-directory', { path: folder })).isError, true);
    equal((await client.call('read-file', { path: 'a.txt' })).isError, undefined);
  });

  test('a root wider than --root is cut to --root', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'ws/docs/a.txt': 'a', 'ws/b.txt': 'b', 'other/c.txt': 'c' });
    const args = ['ws/docs', 'other'].flatMap(name => ['--root', join(folder, name)]);
    const client = await connect(t, 'SDK 2 (modern)', {
      roots: [rootOf(join(folder, 'ws'))],
      args,
    });
    const { structuredContent = {} } = await client.call('get-roots');
    deepEqual(
      [structuredContent['filePaths'], structuredContent['skipped']],
      [[join(folder, 'ws', 'docs')], []],
    );
    equal((await client.call('read-file', { path: 'a.txt' })).content[0]?.text, 'a');
    for (const path of ['ws/b.txt', 'other/c.txt']) {
      equal((await client.call('read-file', { path: join(folder, path) })).isError, true);
    }
  });

  test('with --without-roots=allow a client without roots reaches everything', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': 'a' });
    const client = await connect(t, 'SDK 2 (modern)', { args: ['--without-roots=allow'] });
    equal((await client.call('get-roots')).structuredContent?.['source'], 'anything');
    const path = join(folder, 'a.txt');
    equal((await client.call('read-file', { path })).content[0]?.text, 'a');
    equal((await client.call('read-file', { path: '/proc/self/environ' })).isError, true);
  });

  test('an empty list of roots means no access with any option', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': 'a' });
    for (const [options, reason] of [
      [['--root', folder], /rootsView\.limitsOnly/],
      [['--without-roots=allow'], /^refusal\.noneShared\(\)$/],
      [[], /^refusal\.noneShared\(\)$/],
    ] as const) {
      const client = await connect(t, 'SDK 2 (modern)', { roots: [], args: options });
      for (const [tool, path] of [
        ['read-file', join(folder, 'a.txt')],
        ['list-directory', '/'],
      ] as const) {
        match(refusedFor(await client.call(tool, { path })), reason, options.join());
      }
    }
  });
});

describe('the command line of the bundled server', { concurrency: true }, () => {
  test('must name folders as roots, or the server ends with the reason at once', t => {
    const folder = tempFolder(t);
    writeTree(folder, { file: '' });
    for (const [root, reason] of [
      ['missing', 'rootFolders.notInPlace.missing()'],
      ['file', 'rootFolders.notInPlace.file()'],
      ['~/x', 'pathInput.'],
    ] as const) {
      const options = { cwd: folder, encoding: 'utf8', timeout: patience } as const;
      const ended = spawnSync(process.execPath, [serverMain, `--root=${root}`], options);
      deepEqual([ended.status, ended.stdout], [2, '']);
      const why = said(ended.stderr.trim());
      equal(why.startsWith(`rootSources.refuse.message("${root}", ${reason}`), true, why);
    }
  });

  test('is summed up on stderr, with a warning when it shares everything', async t => {
    const folder = tempFolder(t);
    await new RawSession(t, ['--root', folder]).stderrHas(`${JSON.stringify(folder)} (--root)`);
    await new RawSession(t, ['--without-roots', 'allow']).stderrHas('--without-roots=allow');
  });
});
