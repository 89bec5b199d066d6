import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, rootOf, type TestClient, type ToolResult } from '../support/bundledServer.ts';
import { effort } from '../support/effort.ts';
import { atEnd } from '../support/processes.ts';
import { skipSwapping, startSwapping } from '../support/swapper.ts';
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

  test('tells of a file what it is, how large, how old, and who may use it', posix, async () => {
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

  test('tells of folders, and of the root itself', async () => {
    for (const [given, path] of [
      ['sub', join(root, 'sub')],
      ['.', root],
      [root, root],
      [`${rootOf(root).uri}/`, root],
    ] as const) {
      const { path: real, type, size, mimeType } = await facts(given);
      deepEqual(
        { real, type, size, mimeType },
        {
          real: path,
          type: 'directory',
          size: undefined,
          mimeType: undefined,
        },
      );
    }
  });

  test('tells of what is neither file nor folder, without opening it', posix, async t => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const server = createServer().listen(join(root, 'socket'));
    atEnd(t, () => server.close());
    await new Promise(resolve => server.once('listening', resolve));
    equal((await facts('pipe'))['type'], 'pipe');
    equal((await facts('socket'))['type'], 'socket');
    equal((await facts('pipe'))['mimeType'], undefined);
  });

  test('tells of a device', {
    skip:
      onlyOn('linux', 'it takes mknod') || (process.getuid?.() !== 0 && 'only root may make one'),
  }, async () => {
    execFileSync('mknod', [join(root, 'device'), 'c', '1', '3']);
    equal((await facts('device'))['type'], 'device');
  });

  test('follows links in the roots, and says where they lead', { skip: skipLinks }, async () => {
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
    const results = await Promise.all(
      ['none.txt', 'broken', 'sub/a.txt/x', 'circle', '~/x'].map(info),
    );
    deepEqual(results.map(textOf), [
      '"none.txt" does not exist. List its folder to see what does.',
      '"broken" does not exist. List its folder to see what does.',
      // Windows does not tell why there is nothing.
      process.platform === 'win32'
        ? '"sub/a.txt/x" does not exist. List its folder to see what does.'
        : '"sub/a.txt/x" cannot be used. A part of it is a file, not a folder.',
      '"circle" cannot be used. Its links lead in a circle.',
      '"~/x" cannot be used as a path. It starts with "~", which is not expanded: write the whole path.',
    ]);
  });

  test('tells of a file that may not be read, or is huge, as well', async () => {
    writeTree(root, { 'closed.txt': 'closed', 'huge.bin': '', 'empty.txt': '' });
    chmodSync(join(root, 'closed.txt'), 0);
    truncateSync(join(root, 'huge.bin'), 2 ** 32 + 1);
    const [closed, huge, empty] = await Promise.all(
      ['closed.txt', 'huge.bin', 'empty.txt'].map(facts),
    );
    deepEqual([closed?.['type'], closed?.['size']], ['file', 6]);
    // A person who is root reads it all the same.
    ok([undefined, 'text/plain'].includes(closed?.['mimeType'] as string | undefined));
    deepEqual([huge?.['size'], huge?.['mimeType']], [2 ** 32 + 1, 'application/octet-stream']);
    deepEqual([empty?.['size'], empty?.['mimeType']], [0, 'text/plain']);
  });

  test('takes a text for one wherever its first bytes end within a character', async () => {
    for (const start of ['', 'a', 'aa']) {
      writeTree(root, { 'text.md': start + '\u20ac'.repeat(2000) });
      equal((await facts('text.md'))['mimeType'], 'text/markdown');
    }
  });

  test('takes a picture that is white at its top for no text', async () => {
    writeFileSync(join(root, 'white.ppm'), Buffer.alloc(9000, 255).fill('P6 99 30 255\n', 0, 13));
    equal((await facts('white.ppm'))['mimeType'], 'application/octet-stream');
  });
});

test('file-info never tells of what is outside while a folder is swapped with a link', {
  skip: skipSwapping,
}, async t => {
  const { root, path } = await startSwapping(t);
  const client = await connect(t, 'SDK 1 (legacy)', { roots: [rootOf(root)] });
  const sizes = new Set<unknown>();
  // On a busy machine the attacker may not get its turn at once: it is waited for, not assumed.
  for (let round = 0; round < 20 * effort || (sizes.size < 2 && round < 5000); round++) {
    const calls = Array.from({ length: 50 }, () => client.call('file-info', { path }));
    for (const { structuredContent, isError } of await Promise.all(calls)) {
      sizes.add(isError ? 'refused' : structuredContent?.['size']);
    }
  }
  deepEqual(new Set(sizes), new Set(['refused', 4]));
});

function textOf({ content }: ToolResult): string | undefined {
  return content[0]?.text;
}
