import { deepEqual, equal } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { writeConfig } from '../support/hub.ts';
import { startHubOfFile } from '../support/hubOverHttp.ts';
import { configOf } from '../support/hubServers.ts';
import { oddHubServer, plainTool } from '../support/oddServers.ts';
import { RawHttpClient } from '../support/rawHttp.ts';
import { tempFolder } from '../support/temp.ts';

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

test('a modern client that listens over HTTP hears of the lists of every server', async t => {
  const odd = oddHubServer(t, { tools: ['grow', 'plain'].map(plainTool) });
  const file = writeConfig(t, configOf({ odd }));
  const url = await startHubOfFile(t, file, '--expose', 'tools', '--root', tempFolder(t));
  const post = (method: string, params: object, more: Readonly<Record<string, string>> = {}) => {
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...more };
    const message = { id: 1, method, params: { ...params, _meta } };
    return new RawHttpClient(url, headers).post(message);
  };
  const call = async (name: string) => {
    const answer = await post('tools/call', { name, arguments: {} }, { 'Mcp-Name': name });
    equal((await answer.next())?.result?.isError, undefined);
  };
  const notifications = {
    toolsListChanged: true,
    resourcesListChanged: true,
    promptsListChanged: true,
  };
  const stream = await post('subscriptions/listen', { notifications });
  const hears = async (count: number) => {
    const methods: unknown[] = [];
    while (methods.length < count) {
      methods.push((await stream.next())?.method);
    }
    return methods;
  };
  const { method, params } = (await stream.next())!;
  equal(method, 'notifications/subscriptions/acknowledged');
  deepEqual(params?.['notifications'], notifications);
  const all = ['tools', 'resources', 'prompts'].map(list => `notifications/${list}/list_changed`);
  await call('odd__plain');
  deepEqual(await hears(3), all);
  await call('odd__grow');
  deepEqual(await hears(1), all.slice(0, 1));
  writeFileSync(file, JSON.stringify(configOf({})));
  deepEqual(await hears(3), all);
});
