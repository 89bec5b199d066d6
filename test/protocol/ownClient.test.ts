import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RelayedRequest } from '../../src/mcp/link/forwarding.ts';
import type { ClientRelay } from '../../src/mcp/link/relayedRequests.ts';
import { everythingServer } from '../support/hubServers.ts';
import { until } from '../support/processes.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { modernServer, programStart } from '../support/recordingServer.ts';
import { tempFolder } from '../support/temp.ts';
import { said } from '../support/texts.ts';

/** A user who answers each question with the next of these. */
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

test('passes questions and offers of the reference server both ways', async t => {
  const { relay, asked } = personWith({ action: 'accept' });
  const { start } = everythingServer(t).recorded;
  const { connection } = recordingConnection(t, {}, relay);
  await connection.start(start, [root('web')]);

  await t.test('opens a page within a call and before one', async () => {
    const url = 'https://example.com/a';
    const name = 'trigger-url-elicitation';
    assert.match(await callText(connection, name, { url }), /completed the URL/);
    assert.equal(asked[0]?.params['url'], url);
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

  await t.test('lists and reads resources and prompts', async () => {
    const [resource] = await connection.list('resources');
    const read = await connection.request('resources/read', { uri: resource?.uri ?? '' });
    assert.equal(read.contents[0]?.uri, resource?.uri);
    const templates = await connection.list('resourceTemplates');
    assert.ok(templates.length > 0);
    const prompts = await connection.list('prompts');
    const names = prompts.map(({ name }) => name);
    assert.ok(names.includes('args-prompt'), names.join());
    const { messages } = await connection.request('prompts/get', {
      name: 'args-prompt',
      arguments: { city: 'Bern' },
    });
    assert.match(JSON.stringify(messages), /Bern/);
  });
});

test('a modern server asks the user and for roots within a call, with a limit', async t => {
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
  await assert.rejects(
    callText(connection, 'nosy'),
    ({ message }) => said(message) === 'inputRounds.askedAgainAndAgain(nosy)',
  );
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

test('a server may ask outside of a call, and say that the user finished in the browser', async t => {
  const { relay, asked, completed } = personWith({ action: 'decline' });
  const { connection, stderr } = recordingConnection(t, {}, relay);
  await connection.start(programStart(tempFolder(t), '-e', eager), undefined);
  await until('the answer', () => stderr.length === 1);
  assert.deepEqual(JSON.parse(stderr[0] ?? ''), ['e', { action: 'decline' }]);
  assert.deepEqual([asked.length, completed], [1, ['one']]);
});
