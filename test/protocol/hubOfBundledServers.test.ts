import { equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { serverMain } from '../support/bundledServer.ts';
import { startHub, writeConfig } from '../support/hub.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

test('the bundled server may be behind the hub, and a hub may not', async t => {
  const [folder, docs] = [tempFolder(t), tempFolder(t)];
  writeTree(folder, { 'a.txt': 'shared' });
  writeTree(docs, { 'b.txt': 'documented' });
  const bundled = (...args: string[]) => ({
    command: process.execPath,
    args: [serverMain, ...args],
  });
  const hub = await startHub(t, {
    era: 'legacy',
    roots: [folder, docs],
    config: {
      mcpServers: {
        files: bundled(),
        docs: bundled('--root', docs),
        hub: bundled('--config', writeConfig(t, { mcpServers: { self: bundled() } })),
      },
    },
  });
  const read = async (server: string, path: string) => {
    const { content, isError = false } = await hub.call(server, 'read-file', { path });
    return isError ? 'refused' : (content[0]?.text ?? '');
  };
  const [shared, documented] = [join(folder, 'a.txt'), join(docs, 'b.txt')];
  match(await read('files', shared), /shared/);
  match(await read('docs', documented), /documented/);
  // Its own --root is its limit, behind the hub as anywhere.
  equal(await read('docs', shared), 'refused');
  const { content } = await hub.call('hub', 'list-servers');
  match(
    content[0]?.text ?? '',
    /"hub" ended with exit code 2: A hub cannot run behind another hub: take it out/,
  );
});
