import { deepEqual, equal, ok } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { exposing } from '../support/exposingHub.ts';
import type { WireMessage } from '../support/lineProcess.ts';
import { oddHubServer, plainTool } from '../support/oddServers.ts';

// What is of an older revision, of a later one, or made up: it stands beside what is checked.
const beside = {
  path: '/etc/passwd',
  cwd: '/etc/cron.d',
  task: { path: '/etc/shadow' },
  ref: 'file:///etc/hosts',
  '../../etc/group': 1,
  _meta: { 'com.example/path': 'file:///etc/fstab', progressToken: '/etc/token' },
};

test('with a call of what is exposed nothing goes on that is no part of it', async t => {
  const { odd, said } = await exposed(t);
  const params = { name: 'odd__plain', arguments: { a: 1 } };
  await said({ ...params, ...beside });
  await said({ ...params, path: '/etc/passwd', inner: { cwd: '/etc/cron.d' } });
  const sent = odd.recorded.messages() as readonly WireMessage[];
  const last = sent.findLast(({ method }) => method === 'tools/call')!;
  deepEqual(Object.keys(last.params), Object.keys(params));
  ok(!odd.recorded.bytes().includes('etc/'));
});

test('arguments of a tool of the hub that are no object are refused in words', async t => {
  const { said } = await exposed(t);
  for (const given of [[], null, 5]) {
    for (const name of ['list-servers', 'call-tool']) {
      const { error } = await said({ name, arguments: given });
      equal(error?.message, 'Invalid request: "params.arguments" must be an object.');
    }
  }
});

/** A hub that exposes one server with one tool. */
async function exposed(t: TestContext) {
  const odd = oddHubServer(t, { tools: [plainTool('plain')] });
  const { hub } = await exposing(t, 'modern', { odd });
  // Now it runs, and its roots are known.
  await hub.call('odd__plain');
  const said = (params: object) => hub.request('tools/call', params);
  return { odd, said };
}
