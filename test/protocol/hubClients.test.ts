import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { askUntil } from '../support/askUntil.ts';
import { rootOf, serverMain, type ToolResult } from '../support/bundledServer.ts';
import { isSoak } from '../support/effort.ts';
import { type Hub, startHub, writeConfig } from '../support/hub.ts';
import { type HubCase, hubCases } from '../support/hubCases.ts';
import { untilItHasTools } from '../support/hubListing.ts';
import { configOf } from '../support/hubServers.ts';
import { callByInspector } from '../support/inspector.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('behind the hub', { concurrency: 2 }, () => {
  // How roots reach the other ones is tested at the upstreams.
  for (const each of isSoak ? hubCases : hubCases.slice(0, 1)) {
    test(`${each.name} is listed, called inside of the roots, follows them, and hears of nothing else`, async t => {
      const folder = threeFolders(t);
      const [one, two, outside] = ['one', 'two words', 'outside'].map(name => join(folder, name));
      const child = each.make(t);
      const config = configOf({ child });
      const hub = await startHub(t, { era: 'legacy', config, roots: [one!, two!] });
      await isListed(hub, each);
      await isTold(hub, each, [one!, two!]);
      const call = (path: string) => hub.call('child', each.tool, each.args(join(path, 'a.txt')));
      isAnswered(await call(one!), each);
      isAnswered(await call(two!), each);
      isRefused(await call(outside!), join(outside!, 'a.txt'));
      isAnswered(await call(one!), each);
      // The last call came after the refused one, so that all there was to hear is recorded.
      ok(child.heard().length >= 4);
      ok(!child.recorded.bytes().includes(outside!));

      await hub.setRoots([outside!]);
      isRefused(await call(one!), join(one!, 'a.txt'));
      await isTold(hub, each, [outside!]);
      await hub.setRoots([]);
      isRefused(await call(outside!), join(outside!, 'a.txt'));
    });
  }
});

const skip = !isSoak && 'Each command of the Inspector starts a hub.';
test('behind the hub, a server is called by the command line of the Inspector inside of the roots alone', {
  skip,
}, async t => {
  const [each] = hubCases;
  ok(each);
  const child = each.make(t);
  const home = threeFolders(t);
  // Each command starts a hub of its own.
  const call = (at: string) => {
    const hub = [serverMain, '--config', writeConfig(t, configOf({ child }))];
    const roots = [rootOf(join(home, 'one'))];
    const server = { type: 'stdio', command: process.execPath, args: hub, roots };
    const args = { serverName: 'child', toolName: each.tool, toolArgs: each.args(at) };
    return callByInspector({ home, server, era: 'modern', tool: 'call-tool', args });
  };
  // A server that is slow to take in its roots refuses until then.
  const inside = () => call(join(home, 'one', 'a.txt'));
  isAnswered(await askUntil(inside, ({ isError }) => isError !== true), each);
  const outside = join(home, 'outside', 'a.txt');
  isRefused(await call(outside), outside);
  ok(child.recorded.bytes().includes(join(home, 'one', 'a.txt')));
  ok(!child.recorded.bytes().includes(outside));
});

function threeFolders(t: TestContext): string {
  const folder = tempFolder(t);
  writeTree(folder, { 'one/a.txt': 'a', 'two words/a.txt': 'a', 'outside/a.txt': 'a' });
  return folder;
}

/** By the hub's own tools, of which `list-tools` starts the server. */
async function isListed(hub: Hub, { tool, reached }: HubCase): Promise<void> {
  const [before, ...others] = (await hub.listServers()).servers;
  deepEqual([before?.name, others], ['child', []]);
  const tools = await untilItHasTools(hub, 'child');
  const listed = tools.find(({ name }) => name === tool);
  equal(listed?.serverName, 'child');
  equal((listed?.inputSchema as { readonly type?: unknown } | undefined)?.type, 'object');
  deepEqual(await hub.listTools({ search: 'no such words' }), []);
  const { servers, problems } = await hub.listServers();
  deepEqual([servers[0]?.state, servers[0]?.tools, problems], ['running', tools.length, []]);
  match(String(servers[0]?.rootsReachIt), reached);
}

/** A server that asks by itself takes its time to do so, of which nothing tells. */
async function isTold(hub: Hub, { knows, foldersIn }: HubCase, folders: readonly string[]) {
  const known = async () => foldersIn(await hub.call('child', knows));
  deepEqual(await askUntil(known, told => isDeepStrictEqual(told, folders)), folders);
}

function isAnswered({ isError, content }: ToolResult, { answer }: HubCase): void {
  const text = content[0]?.text ?? '';
  equal(isError ?? false, false, text);
  match(text, answer);
}

function isRefused({ isError, content }: ToolResult, path: string): void {
  const text = content[0]?.text ?? '';
  ok(isError === true && text.startsWith(`Access denied: Path '${path}' is outside`), text);
}
