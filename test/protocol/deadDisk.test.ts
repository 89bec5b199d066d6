import { deepEqual, equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { connect, rootOf } from '../support/bundledServer.ts';
import { mountDeadDisk } from '../support/deadDisk.ts';
import { startService } from '../support/httpService.ts';
import { startHub } from '../support/hub.ts';
import { rawServer } from '../support/recordingServer.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

/** Three folders, of which the second lies on a disk that does not answer; or why there is none. */
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

const reason = 'Its disk does not answer. It is asked again.';

for (const [kind, over] of [
  ['SDK 1 (legacy)', 'stdio'],
  ['SDK 2 (modern)', 'HTTP'],
] as const) {
  test(`a root on a dead disk keeps no call from the others: ${kind}, ${over}`, async t => {
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
    const { structuredContent } = await client.call('get-roots');
    deepEqual(structuredContent?.['skipped'], [{ uri: rootOf(dead).uri, reason }]);
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

describe('a hub', () => {
  test('with a root on a dead disk passes calls on, and tells servers of the others', async t => {
    const found = folders(t);
    if (!found) {
      return;
    }
    const { one, dead, three } = found;
    const { command, args } = rawServer(t).start;
    const hub = await startHub(t, {
      era: 'legacy',
      roots: [one, dead, three],
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
    await hub.setRoots([three]);
    deepEqual(names(await asked()), [rootOf(three).uri]);
  });
});
