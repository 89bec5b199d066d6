import { deepEqual, equal } from 'node:assert/strict';
import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { SkippedRoot } from '../../src/server/roots/rootFolders.ts';
import { connect, refusedFor, rootOf, type TestClient } from '../support/bundledServer.ts';
import { skipLinks } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { said } from '../support/texts.ts';

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

/** The text of the file, read by its whole path and by its name in the first root. */
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
  test(`a root of ${source} is refused with the reason while a link replaces it`, {
    skip: skipLinks,
  }, async t => {
    const { sub, out } = folders(t);
    const client = await connectTo(t, source, sub);
    deepEqual(await read(client, sub), mine);
    swap(sub, out);
    deepEqual(await read(client, sub), refused);
    const { roots, skipped } = (await client.call('get-roots')).structuredContent ?? {};
    const why = (skipped as readonly SkippedRoot[]).map(({ uri, reason }) => [uri, said(reason)]);
    deepEqual([roots, why], [[], [[rootOf(sub).uri, 'rootFolders.notInPlace.elsewhere()']]]);
    equal(refusedFor(await client.call('list-directory', { path: sub })), 'refusal.noneShared()');
    swapBack(sub);
    deepEqual(await read(client, sub), mine);
  });
}

test('a notice pins all roots anew, even those that stay', {
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
