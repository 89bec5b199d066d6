import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Progress } from '../../src/domain/progress.ts';
import type { RelayedRequest } from '../../src/mcp/forwarding.ts';
import type { ClientRelay } from '../../src/mcp/relayedRequests.ts';
import { everythingServer } from '../support/hubServers.ts';
import { until } from '../support/processes.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { modernServer, programStart } from '../support/recordingServer.ts';
import { tempFolder } from '../support/temp.ts';

/** A person who answers each question with the next of these. */
function personWith(...answers: readonly Readonly<Record<string, unknown>>[]) {
  const asked: RelayedRequest[] = [];
  const completed: string[] = [];
  const left = [...answers];
  const relay: ClientRelay = {
    capabilities: { elicitation: { form: {}, url: {} } },
    answer: async request => {
      asked.push(request);
      return left.shift() ?? { action: 'cancel' };
    },
    complete: id => completed.push(id),
  };
  return { relay, asked, completed };
}

test('what the reference server asks and offers goes both ways', async t => {
  const content = { name: 'Ada', check: true };
  const { relay, asked } = personWith(
    { action: 'accept', content },
    { action: 'decline' },
    { action: 'cancel' },
    { action: 'accept' },
  );
  const { start } = everythingServer(t).recorded;
  const { connection } = recordingConnection(t, {}, relay);
  await connection.start(start, [root('web')]);

  await t.test('a question during a call is answered with what the person says', async () => {
    const call = () => callText(connection, 'trigger-elicitation-request');
    assert.match(await call(), /provided the requested information[\s\S]*Name: Ada/);
    assert.match(await call(), /declined/);
    assert.match(await call(), /cancelled/);
    assert.deepEqual(
      asked.map(({ method }) => method),
      Array.from({ length: 3 }, () => 'elicitation/create'),
    );
  });

  await t.test('a page may be opened, within a call and before one', async () => {
    const url = 'https://example.com/a';
    const name = 'trigger-url-elicitation';
    assert.match(await callText(connection, name, { url }), /completed the URL/);
    assert.equal(asked[3]?.params['url'], url);
    await assert.rejects(
      connection.callTool({ name, arguments: { url, errorPath: true } }),
      error => {
        const { code, data } = error as { code?: unknown; data?: { elicitations?: object[] } };
        assert.equal(code, -32042);
        assert.equal(data?.elicitations?.length, 1);
        return true;
      },
    );
  });

  await t.test('a call that asks for it is told how far it is', async () => {
    const told: Progress[] = [];
    await connection.callTool({
      name: 'trigger-long-running-operation',
      arguments: { duration: 0.3, steps: 3 },
      onProgress: progress => told.push(progress),
    });
    // The last step may come with the answer, after which nobody waits for it.
    assert.deepEqual(
      told.slice(0, 2).map(({ progress, total }) => [progress, total]),
      [
        [1, 3],
        [2, 3],
      ],
    );
  });

  await t.test('resources and prompts are listed and read', async () => {
    const [resource] = await connection.listResources();
    const read = await connection.request('resources/read', { uri: resource?.uri ?? '' });
    assert.equal(read.contents[0]?.uri, resource?.uri);
    const templates = await connection.listResourceTemplates();
    assert.ok(templates.length > 0);
    const prompts = await connection.listPrompts();
    const names = prompts.map(({ name }) => name);
    assert.ok(names.includes('args-prompt'), names.join());
    const { messages } = await connection.request('prompts/get', {
      name: 'args-prompt',
      arguments: { city: 'Bern' },
    });
    assert.match(JSON.stringify(messages), /Bern/);
  });
});

test('a modern server asks the person and for roots within one call, but not without end', async t => {
  const { relay, asked } = personWith({ action: 'accept', content: {} });
  const server = modernServer(t);
  const { connection } = recordingConnection(t, {}, relay);
  await connection.start(server.start, [root('web')]);
  assert.deepEqual(JSON.parse(await callText(connection, 'who-and-where')), {
    name: { action: 'accept', content: {} },
    roots: { roots: [root('web')] },
  });
  assert.deepEqual(
    asked.map(({ method, params }) => [method, params['message']]),
    [['elicitation/create', 'Who are you?']],
  );
  assert.match(server.bytes(), /"elicitation":\{"form":\{\},"url":\{\}\}/);
  await assert.rejects(callText(connection, 'nosy'), {
    message: 'The tool "nosy" asked for input again and again.',
  });
  assert.equal(asked.length, 11);
});

// It asks outside of any call, calls that off, and says that something in the browser is done.
const eager = `
  const send = message => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
    const { id, method, result } = JSON.parse(line);
    if (method === 'server/discover') {
      send({ id, error: { code: -32601, message: 'Method not found' } });
    } else if (method === 'initialize') {
      const serverInfo = { name: 'eager', version: '1' };
      send({ id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo } });
    } else if (method === 'notifications/initialized') {
      send({ id: 'e', method: 'elicitation/create', params: { message: 'Who?' } });
      send({ method: 'notifications/elicitation/complete', params: { elicitationId: 'one' } });
      send({ method: 'notifications/elicitation/complete', params: { elicitationId: {} } });
    } else if (!method) {
      console.error(JSON.stringify([id, result]));
    }
  }).on('close', () => process.exit(0));`;

test('a server may ask outside of a call, and say that what it sent the person away for is done', async t => {
  const { relay, asked, completed } = personWith({ action: 'decline' });
  const { connection, stderr } = recordingConnection(t, {}, relay);
  await connection.start(programStart(tempFolder(t), '-e', eager), undefined);
  await until('the answer', () => stderr.length === 1);
  assert.deepEqual(JSON.parse(stderr[0] ?? ''), ['e', { action: 'decline' }]);
  assert.deepEqual([asked.length, completed], [1, ['one']]);
});
