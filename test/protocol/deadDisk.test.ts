import { deepEqual, equal, match } from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { SkippedRoot } from '../../src/server/roots/rootFolders.ts';
import { connect, refusedFor, rootOf, type ToolResult } from '../support/bundledServer.ts';
import { mountDeadDisk, mountDisk } from '../support/deadDisk.ts';
import { isSoak } from '../support/effort.ts';
import { start } from '../support/httpProcess.ts';
import { startService } from '../support/httpService.ts';
import { startHub } from '../support/hub.ts';
import { rawServer } from '../support/recordingServer.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { said } from '../support/texts.ts';

/** Three folders, the second on a disk that does not answer; or why no such disk exists. */
function folders(t: TestContext) {
  const top = tempFolder(t);
  writeTree(top, { 'one/a.txt': 'one', 'three/a.txt': 'three' });
  const [one, dead, three] = ['one', 'dead', 'three'].map(name => join(top, name)) as string[];
  const skip = mountDeadDisk(t, dead!);
  if (skip !== undefined) {
    t.skip(skip);
    return undefined;
  }
  return { one: one!, dead: dead!, three: three! };
}

/** The roots that are skipped because their disk does not answer. */
function silent({ structuredContent }: ToolResult): readonly string[] {
  const skipped = structuredContent?.['skipped'] as readonly SkippedRoot[];
  return skipped.flatMap(({ uri, reason }) =>
    said(reason) === 'rootFolders.notInPlace.silent()' ? [uri] : [],
  );
}

const overStdio = ['SDK 1 (legacy)', 'stdio'] as const;
const overHttp = ['SDK 2 (modern)', 'HTTP'] as const;

for (const [kind, over] of isSoak ? [overStdio, overHttp] : [overStdio]) {
  test(`a root on a dead disk delays no call on other roots: ${kind}, ${over}`, async t => {
    const found = folders(t);
    if (!found) {
      return;
    }
    const { one, dead, three } = found;
    const http = over === 'HTTP' ? await startService(t) : undefined;
    const all = [one, dead, three].map(path => rootOf(path));
    const client = await connect(t, kind, { roots: all, ...(http && { http }) });
    const read = async (path: string) =>
      (await client.call('read-file', { path })).content[0]?.text ?? '';
    deepEqual(await Promise.all([one, three].map(path => read(join(path, 'a.txt')))), [
      'one',
      'three',
    ]);
    deepEqual(silent(await client.call('get-roots')), [rootOf(dead).uri]);
    match(await read(join(dead, 'a.txt')), /not inside|outside|shared/);
    client.roots = [rootOf(three)];
    await client.notify();
    const now = (await client.call('get-roots')).structuredContent;
    deepEqual([now?.['filePaths'], now?.['skipped']], [[three], []]);
    if (http) {
      const other = await connect(t, kind, { roots: [rootOf(one)], http });
      equal((await other.call('read-file', { path: 'a.txt' })).content[0]?.text, 'one');
    }
  });
}

for (const [kind, over] of isSoak ? [overStdio, overHttp] : [overHttp]) {
  test(`a disk that dies in use delays no call on other roots: ${kind}, ${over}`, async t => {
    const top = tempFolder(t);
    writeTree(top, { 'one/a.txt': 'one' });
    const [one, dying] = [join(top, 'one'), join(top, 'dying')];
    const disk = mountDisk(t, dying, 'dying');
    if (typeof disk === 'string') {
      t.skip(disk);
      return;
    }
    const url = over === 'HTTP' ? (await start(t, ['--http', '0'])).url : undefined;
    const client = await connect(t, kind, {
      roots: [rootOf(dying), rootOf(one)],
      ...(url && { http: { url } }),
    });
    const read = async (path: string) =>
      (await client.call('read-file', { path })).content[0]?.text ?? '';
    equal(await read('a.txt'), 'dying');
    disk.stop();
    deepEqual([await read(join(one, 'a.txt')), await read('a.txt')], ['one', 'one']);
    match(await read(join(dying, 'a.txt')), /outside the folders|does not answer/);
    deepEqual(silent(await client.call('get-roots')), [rootOf(dying).uri]);
  });
}

test('a dead disk below a root or behind a link delays no other call', async t => {
  const top = tempFolder(t);
  writeTree(top, { 'ws/a.txt': 'needle', 'ws/sub/b.txt': 'needle' });
  const [ws, elsewhere] = [join(top, 'ws'), join(top, 'elsewhere')];
  const skip = mountDeadDisk(t, join(ws, 'below')) ?? mountDeadDisk(t, elsewhere);
  if (skip !== undefined) {
    t.skip(skip);
    return;
  }
  symlinkSync(elsewhere, join(ws, 'link'));
  symlinkSync(join(ws, 'below'), join(ws, 'sub', 'link'));
  const client = await connect(t, 'SDK 1 (legacy)', {
    roots: [rootOf(ws)],
    args: ['--allow-write'],
  });
  const text = async (tool: string, args: Record<string, unknown>) =>
    (await client.call(tool, args)).content[0]?.text ?? '';
  const read = (path: string) => text('read-file', { path });
  for (const path of ['below/x', 'sub/link/x']) {
    equal(refusedFor(await client.call('read-file', { path })), 'refusal.silentDisk()');
  }
  match(await read('link/x'), / is outside /);
  match(await text('list-directory', { path: '.', details: true }), /below/);
  match(await text('list-directory', { path: '.', details: true, depth: 3 }), /below/);
  match(await text('find-files', { pattern: '**/*.txt' }), /b\.txt/);
  match(await text('search-text', { query: 'needle' }), /b\.txt/);
  match(await text('delete-path', { path: 'below' }), /does not answer|file system/);
  equal(await read('a.txt'), 'needle');
});

describe('a hub', () => {
  test('passes calls on with a root on a dead disk, and gives servers the other roots', async t => {
    const found = folders(t);
    if (!found) {
      return;
    }
    const { one, dead, three } = found;
    const { command, args } = rawServer(t).start;
    const links = ['a', 'b', 'c', 'd', 'e'].map(name => join(one, name));
    for (const link of links) {
      symlinkSync(dead, link);
    }
    const hub = await startHub(t, {
      era: 'legacy',
      roots: [one, dead, three, ...links],
      config: { mcpServers: { a: { command, args } } },
    });
    const asked = async () => JSON.parse((await hub.call('a', 'ask', {})).content[0]?.text ?? '');
    const names = (roots: readonly { uri: string }[]) => roots.map(({ uri }) => uri);
    deepEqual(
      names(await asked()),
      [one, three].map(path => rootOf(path).uri),
    );
    match(
      (await hub.call('a', 'ask', { path: join(dead, 'a') })).content[0]?.text ?? '',
      /not inside|outside|shared/,
    );
    const around = `${one}/../dead/../one/a`;
    match(
      (await hub.call('a', 'ask', { path: around })).content[0]?.text ?? '',
      /not inside|outside|shared/,
    );
    await hub.setRoots([three]);
    deepEqual(names(await asked()), [rootOf(three).uri]);
  });
});
