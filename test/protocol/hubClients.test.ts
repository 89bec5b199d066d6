import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { askUntil } from '../support/askUntil.ts';
import { textOf } from '../support/bundledServer.ts';
import { startHub } from '../support/hub.ts';
import { untilItHasTools } from '../support/hubListing.ts';
import { configOf, filesystemServer } from '../support/hubServers.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

// How roots reach servers that learn of them otherwise is tested at the upstreams.
test('server-filesystem behind the hub is listed, called inside of the roots, follows them, and hears of nothing else', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'one/a.txt': 'a', 'two words/a.txt': 'a', 'outside/a.txt': 'a' });
  const at = (name: string) => join(folder, name);
  const child = filesystemServer(t);
  const config = configOf({ child });
  const roots = [at('one'), at('two words')];
  const hub = await startHub(t, { era: 'legacy', config, roots });
  const [before, ...others] = (await hub.listServers()).servers;
  deepEqual([before?.name, others], ['child', []]);
  const tools = await untilItHasTools(hub, 'child');
  const listed = tools.find(({ name }) => name === 'read_text_file');
  equal(listed?.serverName, 'child');
  equal((listed?.inputSchema as { readonly type?: unknown } | undefined)?.type, 'object');
  deepEqual(await hub.listTools({ search: 'no such words' }), []);
  const { servers, problems } = await hub.listServers();
  deepEqual([servers[0]?.state, servers[0]?.tools, problems], ['running', tools.length, []]);
  match(String(servers[0]?.rootsReachIt), /when it asks/);

  // It takes its time to ask for its roots, of which nothing tells.
  const isTold = async (...folders: readonly string[]) => {
    const known = async () =>
      textOf(await hub.call('child', 'list_allowed_directories'))
        .split('\n')
        .slice(1);
    deepEqual(await askUntil(known, told => isDeepStrictEqual(told, folders)), folders);
  };
  const read = (name: string) =>
    hub.call('child', 'read_text_file', { path: join(at(name), 'a.txt') });
  const isRefused = async (name: string) => {
    const result = await read(name);
    const refusal = `Access denied: Path '${join(at(name), 'a.txt')}' is outside`;
    ok(result.isError === true && textOf(result).startsWith(refusal), textOf(result));
  };
  await isTold(...roots);
  equal(textOf(await read('one')), 'a');
  equal(textOf(await read('two words')), 'a');
  await isRefused('outside');
  equal(textOf(await read('one')), 'a');
  // The last call came after the refused one, so that all there was to hear is recorded.
  ok(child.heard().length >= 4);
  ok(!child.recorded.bytes().includes(at('outside')));

  await hub.setRoots([at('outside')]);
  await isRefused('one');
  await isTold(at('outside'));
  await hub.setRoots([]);
  await isRefused('outside');
});
