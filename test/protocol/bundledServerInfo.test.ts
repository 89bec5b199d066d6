import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, statSync, symlinkSync, truncateSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, refusedFor, rootOf, type TestClient } from '../support/bundledServer.ts';
import { atEnd } from '../support/processes.ts';
import { onlyOn, skipLinks } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const posix = { skip: onlyOn('posix', 'there are no such files') };

describe('file-info', { concurrency: true }, () => {
  const folder = tempFolder({ after: clean => after(clean as () => void) });
  const root = join(folder, 'root');
  let client: TestClient;
  const info = (path: string) => client.call('file-info', { path });
  const facts = async (path: string) => (await info(path)).structuredContent ?? {};

  before(async () => {
    writeTree(folder, { 'root/sub/a.txt': 'text\n' });
    client = await connect({ after: () => {} }, 'SDK 2 (modern)', { roots: [rootOf(root)] });
  });
  after(() => client.close());

  test('gives type, size, dates and permissions of a file', posix, async () => {
    writeTree(root, { 'notes.md': '# Notes\n' });
    const [path, date] = [join(root, 'notes.md'), new Date('2026-01-02T03:04:05.000Z')];
    chmodSync(path, 0o640);
    utimesSync(path, date, date);
    const created = statSync(path).birthtime.toISOString();
    const result = await info('notes.md');
    deepEqual(result.structuredContent, {
      path,
      root: rootOf(root).uri,
      type: 'file',
      size: 8,
      mimeType: 'text/markdown',
      created,
      modified: date.toISOString(),
      // Looking at the first bytes is reading, which may have changed this one.
      accessed: result.structuredContent?.['accessed'],
      mode: '0640',
      permissions: 'rw-r-----',
    });
    const lines = [
      `${path}: file, text/markdown, 8 bytes`,
      `Created ${created}`,
      `Modified ${date.toISOString()}`,
      `Accessed ${result.structuredContent?.['accessed']}`,
      'Permissions rw-r----- (0640)',
      `In the root ${rootOf(root).uri}`,
    ];
    equal(result.content[0]?.text, lines.join('\n'));
  });

  test('describes folders and the root itself', async () => {
    for (const given of ['.', root, `${rootOf(root).uri}/`]) {
      const { path, type, size, mimeType } = await facts(given);
      deepEqual([path, type, size, mimeType], [root, 'directory', undefined, undefined]);
    }
    equal((await facts('sub'))['path'], join(root, 'sub'));
  });

  test('describes a pipe or socket without opening it', posix, async t => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const server = createServer().listen(join(root, 'socket'));
    atEnd(t, () => server.close());
    await new Promise(resolve => server.once('listening', resolve));
    equal((await facts('pipe'))['type'], 'pipe');
    equal((await facts('socket'))['type'], 'socket');
    equal((await facts('pipe'))['mimeType'], undefined);
  });

  test('describes a device', {
    skip:
      onlyOn('linux', 'it takes mknod') || (process.getuid?.() !== 0 && 'only root may make one'),
  }, async () => {
    execFileSync('mknod', [join(root, 'device'), 'c', '1', '3']);
    equal((await facts('device'))['type'], 'device');
  });

  test('follows links in the roots, and names their targets', { skip: skipLinks }, async () => {
    symlinkSync('sub', join(root, 'to-sub'));
    symlinkSync('to-sub/a.txt', join(root, 'to-a'));
    deepEqual(
      [(await facts('to-a'))['path'], (await facts('to-sub'))['path']],
      [join(root, 'sub/a.txt'), join(root, 'sub')],
    );
  });

  test('says what is wrong with a path that cannot be looked at', { skip: skipLinks }, async () => {
    symlinkSync('circle', join(root, 'circle'));
    symlinkSync('nowhere', join(root, 'broken'));
    const beneath =
      process.platform === 'win32' ? 'refusal.seeFolder()' : 'locate.unreadable.reason()';
    for (const [path, reason] of [
      ['none.txt', 'refusal.seeFolder()'],
      ['broken', 'refusal.seeFolder()'],
      // Windows does not tell why there is nothing.
      ['sub/a.txt/x', beneath],
      ['circle', 'locate.followLink.reason()'],
    ] as const) {
      equal(refusedFor(await info(path)), reason, path);
    }
  });

  test('describes an unreadable and a huge file, too', async () => {
    writeTree(root, { 'closed.txt': 'closed', 'huge.bin': '', 'empty.txt': '' });
    chmodSync(join(root, 'closed.txt'), 0);
    truncateSync(join(root, 'huge.bin'), 2 ** 32 + 1);
    const [closed, huge, empty] = await Promise.all(
      ['closed.txt', 'huge.bin', 'empty.txt'].map(facts),
    );
    deepEqual([closed?.['type'], closed?.['size']], ['file', 6]);
    // Root can read it anyway.
    ok([undefined, 'text/plain'].includes(closed?.['mimeType'] as string | undefined));
    deepEqual([huge?.['size'], huge?.['mimeType']], [2 ** 32 + 1, 'application/octet-stream']);
    deepEqual([empty?.['size'], empty?.['mimeType']], [0, 'text/plain']);
  });

  test('recognizes a text when its first bytes end within a character', async () => {
    for (const start of ['', 'a', 'aa']) {
      writeTree(root, { 'text.md': start + '\u20ac'.repeat(2000) });
      equal((await facts('text.md'))['mimeType'], 'text/markdown');
    }
  });
});
