import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { rootOf } from '../support/bundledServer.ts';
import { exposing } from '../support/exposingHub.ts';
import type { WireMessage } from '../support/lineProcess.ts';
import { oddHubServer, plainTool } from '../support/oddServers.ts';
import { tempFolder } from '../support/temp.ts';

// What is of an older revision, of a later one, or made up: it stands beside what is checked.
const beside = {
  path: '/etc/passwd',
  cwd: '/etc/cron.d',
  task: { path: '/etc/shadow' },
  ref: 'file:///etc/hosts',
  '../../etc/group': 1,
  _meta: { 'com.example/path': 'file:///etc/fstab', progressToken: '/etc/token' },
};

test('with a request for what is exposed nothing goes on that is no part of it', async t => {
  const { odd, requests, said } = await exposed(t);
  for (const [method, params] of Object.entries(requests)) {
    await said(method, { ...params, ...beside });
    await said(method, { ...params, path: '/etc/passwd', inner: { cwd: '/etc/cron.d' } });
    const sent = odd.recorded.messages() as readonly WireMessage[];
    const last = sent.findLast(message => message.method === method)!;
    deepEqual(Object.keys(last.params), Object.keys(params), method);
  }
  ok(!odd.recorded.bytes().includes('etc/'));
});

test('arguments of a tool of the hub that are no object are refused in words', async t => {
  const { said } = await exposed(t);
  for (const given of [[], null, 5]) {
    for (const name of ['list-servers', 'call-tool']) {
      const { error } = await said('tools/call', { name, arguments: given });
      equal(error?.message, 'Invalid request: "params.arguments" must be an object.');
    }
  }
});

test('a rule for a tool does not hold for a prompt or a resource', async t => {
  const off = { guard: 'off' };
  const names = ['prompt ask', 'ask', 'resources/read'];
  const tools = Object.fromEntries(names.map(name => [name, off]));
  const { odd, requests, said } = await exposed(t, { tools }, names);
  const outside = join(tempFolder(t), 'passwd');
  const others = {
    'prompts/get': { arguments: { q: outside } },
    'resources/read': { uri: `odd+${rootOf(outside).uri}` },
  };
  for (const [method, part] of Object.entries(others)) {
    const { error } = await said(method, { ...requests[method], ...part });
    match(error?.message ?? '', /^Access denied: /, method);
  }
  ok(!odd.recorded.bytes().includes('passwd'));
  for (const toolName of names) {
    const args = { serverName: 'odd', toolName, toolArgs: { path: outside } };
    const { error } = await said('tools/call', { name: 'call-tool', arguments: args });
    equal(error, undefined, toolName);
  }
  equal(odd.recorded.bytes().split('passwd').length - 1, names.length);
});

/** A hub that exposes one server with something of each kind, which can be asked for. */
async function exposed(t: TestContext, rules: object = {}, tools: readonly string[] = []) {
  const odd = oddHubServer(t, {
    tools: ['plain', ...tools].map(plainTool),
    prompts: [{ name: 'ask' }],
    resources: [{ uri: 'demo://a', name: 'a' }],
  });
  const ruled = { ...odd, definition: { ...odd.definition, ...rules } };
  const { hub } = await exposing(t, 'modern', { odd: ruled });
  // Now it runs, and its roots are known.
  await hub.call('odd__plain');
  const requests: Readonly<Record<string, object>> = {
    'tools/call': { name: 'odd__plain', arguments: { a: 1 } },
    'prompts/get': { name: 'odd__ask', arguments: { q: '1' } },
    'resources/read': { uri: 'odd+demo://a' },
  };
  const said = (method: string, params: object) => hub.request(method, params);
  return { odd, requests, said };
}
