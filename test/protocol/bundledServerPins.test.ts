import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { connect, rootOf, type TestClient, type TestRoot } from '../support/bundledServer.ts';
import { isSoak } from '../support/effort.ts';
import { startService } from '../support/httpService.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const elsewhere = 'It leads elsewhere now than when it was shared.';

/** A folder to share, and one that must not be read. */
function folders(t: TestContext) {
  const top = tempFolder(t);
  writeTree(top, { 'ws/sub/a.txt': 'mine', 'out/a.txt': 'secret', 'out/sub/a.txt': 'secret' });
  const [ws, out] = [join(top, 'ws'), join(top, 'out')];
  return { top, ws, out, sub: join(ws, 'sub') };
}

function swap(path: string, link: string): void {
  renameSync(path, `${path}-kept`);
  symlinkSync(link, path);
}

function swapBack(path: string): void {
  unlinkSync(path);
  renameSync(`${path}-kept`, path);
}

/** What the file is read as, by its whole path and by its name in the first root. */
async function read(client: TestClient, folder: string): Promise<readonly unknown[]> {
  const paths = [join(folder, 'a.txt'), 'a.txt'];
  const results = await Promise.all(paths.map(path => client.call('read-file', { path })));
  return results.map(({ isError, content }) => (isError ? 'refused' : content[0]?.text));
}

const [mine, refused] = [
  ['mine', 'mine'],
  ['refused', 'refused'],
];

/** The sources of roots: the command line, or a client of each era, which says the same each time. */
const sources = ['the command line', 'SDK 2 (legacy)', 'SDK 2 (modern)'] as const;

function connectTo(t: TestContext, source: (typeof sources)[number], root: string) {
  return source === 'the command line'
    ? connect(t, 'SDK 2 (modern)', { args: ['--root', root] })
    : connect(t, source, { roots: [rootOf(root)] });
}

for (const source of sources) {
  describe(`a root of ${source}`, { concurrency: true }, () => {
    test('is out of reach while a link stands in its place, and says why', async t => {
      const { sub, out } = folders(t);
      const client = await connectTo(t, source, sub);
      deepEqual(await read(client, sub), mine);
      swap(sub, out);
      deepEqual(await read(client, sub), refused);
      const { structuredContent } = await client.call('get-roots');
      deepEqual(
        [structuredContent?.['roots'], structuredContent?.['skipped']],
        [[], [{ uri: rootOf(sub).uri, reason: elsewhere }]],
      );
      const { content } = await client.call('list-directory', { path: sub });
      match(content[0]?.text ?? '', /or none that can be used: see get-roots\.$/);
      swapBack(sub);
      deepEqual(await read(client, sub), mine);
    });

    if (source !== 'SDK 2 (legacy)' && !isSoak) {
      return;
    }

    test('is out of reach while its parent is a link to a folder with one of the same name', async t => {
      const { ws, sub, out } = folders(t);
      const client = await connectTo(t, source, sub);
      deepEqual(await read(client, sub), mine);
      swap(ws, out);
      deepEqual(await read(client, sub), refused);
      swapBack(ws);
      deepEqual(await read(client, sub), mine);
    });

    test('that was deleted and made again is the same root, and nobody is asked for it', async t => {
      const { sub } = folders(t);
      const client = await connectTo(t, source, sub);
      deepEqual(await read(client, sub), mine);
      const asked = client.timesAsked();
      rmSync(sub, { recursive: true });
      deepEqual(await read(client, sub), refused);
      mkdirSync(sub);
      writeTree(sub, { 'a.txt': 'again' });
      deepEqual(await read(client, sub), ['again', 'again']);
      // A modern client is asked in each call; a legacy one only when it says that there is news.
      equal(client.timesAsked() - asked, source === 'SDK 2 (modern)' ? 4 : 0);
    });
  });
}

test('a notice has the roots pinned anew, also those that are named again', async t => {
  const { sub, out } = folders(t);
  const client = await connect(t, 'SDK 2 (legacy)', { roots: [rootOf(sub)] });
  deepEqual(await read(client, sub), mine);
  swap(sub, out);
  deepEqual(await read(client, sub), refused);
  await client.notify();
  deepEqual(await read(client, sub), ['secret', 'secret']);
});

test('modern clients that take turns over HTTP do not have the roots of each other pinned anew', async t => {
  const { sub, out, top } = folders(t);
  writeTree(top, { 'other/a.txt': 'other' });
  const other = join(top, 'other');
  const { url } = await startService(t);
  const http = { url };
  const one = await connect(t, 'SDK 2 (modern)', { roots: [rootOf(sub)], http });
  const two = await connect(t, 'SDK 2 (modern)', { roots: [rootOf(other)], http });
  deepEqual([await read(one, sub), await read(two, other)], [mine, ['other', 'other']]);
  swap(sub, out);
  for (let turns = 0; turns < 3; turns++) {
    deepEqual([await read(one, sub), await read(two, other)], [refused, ['other', 'other']]);
  }
  // Left out for a moment and named again, as by a client that drops what is missing.
  one.roots = [];
  deepEqual(await read(one, sub), refused);
  one.roots = [rootOf(sub)];
  deepEqual(await read(one, sub), refused);
});

test('a client that says which folder it shares shares no other', async t => {
  const { sub, out } = folders(t);
  const { dev, ino } = statSync(sub, { bigint: true });
  const root: TestRoot & { readonly _meta: object } = {
    ...rootOf(sub),
    _meta: { 'mcp-roots/folder': `${dev}:${ino}` },
  };
  swap(sub, out);
  const client = await connect(t, 'SDK 2 (legacy)', { roots: [root] });
  deepEqual(await read(client, sub), refused);
  deepEqual((await client.call('get-roots')).structuredContent?.['skipped'], [
    { uri: root.uri, reason: 'It is another folder now than the one that was shared.' },
  ]);
  swapBack(sub);
  deepEqual(await read(client, sub), mine);
});
