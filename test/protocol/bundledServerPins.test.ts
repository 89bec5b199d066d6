import { deepEqual, match } from 'node:assert/strict';
import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect, rootOf, type TestClient } from '../support/bundledServer.ts';
import { skipLinks } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const elsewhere = 'It leads elsewhere now than when it was shared.';

/** A folder to share, and one that must not be read. */
function folders(t: TestContext) {
  const top = tempFolder(t);
  writeTree(top, { 'sub/a.txt': 'mine', 'out/a.txt': 'secret' });
  return { out: join(top, 'out'), sub: join(top, 'sub') };
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
  test(`a root of ${source} is out of reach while a link stands in its place, and says why`, {
    skip: skipLinks,
  }, async t => {
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
}

test('a notice has the roots pinned anew, also those that are named again', {
  skip: skipLinks,
}, async t => {
  const { sub, out } = folders(t);
  const client = await connect(t, 'SDK 2 (legacy)', { roots: [rootOf(sub)] });
  deepEqual(await read(client, sub), mine);
  swap(sub, out);
  deepEqual(await read(client, sub), refused);
  await client.notify();
  deepEqual(await read(client, sub), ['secret', 'secret']);
});
