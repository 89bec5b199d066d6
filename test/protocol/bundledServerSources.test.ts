import { deepEqual, equal, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { connect, RawSession, rootOf, serverMain } from '../support/bundledServer.ts';
import { patience } from '../support/patience.ts';
import { skipLinks } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('where the roots come from', { concurrency: true }, () => {
  test('a client without roots gets the folders given by --root, and nothing else', async t => {
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
    const outside = await client.call('read-file', { path: join(folder, 'c.txt') });
    match(outside.content[0]?.text ?? '', /is outside the folders/);
  });

  test('of the roots of a client those inside --root are in force, and the others say why', {
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
    const reason =
      'It has nothing in common with the folders that the server was started with (--root).';
    const { structuredContent = {}, content } = await client.call('get-roots');
    deepEqual(structuredContent, {
      ...structuredContent,
      source: 'client-within-options',
      limitedTo: [join(folder, 'ws')],
      roots: [roots[0]],
      skipped: roots.slice(1).map(({ uri }) => ({ uri, reason })),
    });
    match(content[0]?.text ?? '', /Limited by --root to what is in .*ws\n/);
    equal((await client.call('list-directory', { path: folder })).isError, true);
    equal((await client.call('read-file', { path: 'a.txt' })).isError, undefined);
  });

  test('of a root that is wider than --root, what --root leaves of it is in force', async t => {
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

  test('with --without-roots=allow an empty list of roots still means no access', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': 'a' });
    const client = await connect(t, 'SDK 2 (modern)', {
      roots: [],
      args: ['--without-roots=allow'],
    });
    const read = await client.call('read-file', { path: join(folder, 'a.txt') });
    match(read.content[0]?.text ?? '', /No folder is shared/);
  });
});

describe('the command line of the bundled server', { concurrency: true }, () => {
  test('a root that is no folder ends it with the reason, before it serves anything', t => {
    const folder = tempFolder(t);
    writeTree(folder, { file: '' });
    const start = (root: string) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [serverMain, `--root=${root}`],
        { cwd: folder, encoding: 'utf8', timeout: patience },
      );
      return { status, stdout, stderr };
    };
    deepEqual(start('missing'), {
      status: 2,
      stdout: '',
      stderr: '"missing" cannot be a root. It does not exist.\n',
    });
    deepEqual(
      [start('file').stderr, start('~/x').stderr],
      [
        '"file" cannot be a root. It is not a folder.\n',
        '"~/x" cannot be a root. It starts with "~", which is not expanded: write the whole path.\n',
      ],
    );
  });

  test('what it serves is said on stderr', async t => {
    const folder = tempFolder(t);
    const session = new RawSession(t, ['--root', folder]);
    await session.stderrHas(
      `serves the files in ${JSON.stringify(folder)} (--root) over stdio, for reading.`,
    );
  });

  test('serving everything is warned of on stderr', async t => {
    const session = new RawSession(t, ['--without-roots', 'allow']);
    await session.stderrHas('[warn] A client that names no roots may reach every file');
  });
});
