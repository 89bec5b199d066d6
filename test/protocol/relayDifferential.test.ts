import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ProcessStart } from '../../src/mcp/process/stdio/serverProcess.ts';
import { packaged } from '../support/hubServers.ts';
import type { WireMessage } from '../support/lineProcess.ts';
import { until } from '../support/processes.ts';
import { answeringServer, legacyServer, programStart } from '../support/recordingServer.ts';
import { directClient, type RawClient, relayedClient } from '../support/relayPeers.ts';
import { tempFolder } from '../support/temp.ts';

// A client sees the same with and without a relay: it has the same conversation with a server
// process that it started itself, answering `roots/list` like the relay.

const rootsNews = 'notifications/roots/list_changed';

/** The steps of a test as a client; it returns everything that must be equal. */
type Conversation = (client: RawClient) => Promise<unknown>;

async function compare(
  t: TestContext,
  target: ProcessStart,
  folder: string,
  conversation: Conversation,
) {
  const roots = [{ uri: pathToFileURL(folder).href, name: 'root' }];
  const capabilities = { sampling: {}, elicitation: { form: {} } };
  const direct = directClient(t, target);
  direct.capabilities = { ...capabilities, roots: { listChanged: true } };
  const answers = {
    'elicitation/create': { action: 'accept', content: { name: 'Ada', color: 'red' } },
    'sampling/createMessage': {
      role: 'assistant',
      content: { type: 'text', text: 'A poem' },
      model: 'm',
    },
  };
  direct.answers = { ...answers, 'roots/list': { roots } };
  const { client: relayed } = await relayedClient(t, target, roots);
  relayed.capabilities = capabilities;
  relayed.answers = answers;
  const expected = await conversation(direct);
  assert.deepEqual(await conversation(relayed), expected);
  const told = direct.told.filter(({ method }) => method !== 'roots/list');
  await until('all notices', () => relayed.told.length >= told.length);
  assert.deepEqual(relayed.told, told);
  assert.ok(!relayed.told.some(({ method }) => method === 'roots/list' || method === rootsNews));
}

test('server-everything answers through a relay as without a relay', async t => {
  const folder = tempFolder(t);
  const everything = programStart('/', packaged('@modelcontextprotocol/server-everything'));
  await compare(t, everything, folder, async client => {
    const { result: opening } = await client.initialize();
    const { name: _, title: __, ...info } = opening.serverInfo;
    await client.ask('logging/setLevel', { level: 'debug' });
    await client.next(isLog('Roots updated'));
    const call = client.call.bind(client);
    return [
      { ...opening, serverInfo: info },
      await client.ask('ping'),
      await client.ask('tools/list'),
      await client.ask('prompts/list'),
      await client.ask('resources/list'),
      await call('echo', { message: 'größe "\u2028" \\ 💡' }),
      // Five megabytes.
      await call('echo', { message: 'größe 💡'.repeat(500_000) }),
      await call('echo', {}),
      await call('nothing'),
      await call('get-annotated-message', { messageType: 'error', includeImage: true }),
      await call('get-structured-content', { location: 'Chicago' }),
      await call('get-resource-reference', { resourceType: 'Blob', resourceId: 2 }).then(timeless),
      await call('get-roots-list'),
      await call('trigger-elicitation-request'),
      await call('trigger-sampling-request', { prompt: 'p', maxTokens: 5 }),
      await call(
        'trigger-long-running-operation',
        { duration: 0.4, steps: 4 },
        { _meta: { progressToken: 'token', 'example/else': { kept: [1] } } },
      ),
      await client.ask('prompts/get', { name: 'args-prompt', arguments: { city: 'Bonn' } }),
      await client.ask('prompts/get', { name: 'nothing' }),
      await client.ask('completion/complete', {
        ref: { type: 'ref/prompt', name: 'completable-prompt' },
        argument: { name: 'department', value: 'S' },
      }),
      await client.ask('resources/read', { uri: 'demo://resource/dynamic/text/1' }).then(timeless),
      await client.ask('resources/read', { uri: 'demo://resource/nothing' }),
      await client.ask('resources/subscribe', { uri: 'demo://resource/dynamic/text/1' }),
      await client.ask('resources/unsubscribe', { uri: 'demo://resource/dynamic/text/1' }),
      await client.ask('tasks/list'),
      await client.ask('no/such/method', { some: ['params'] }),
    ];
  });
});

test('a relay tells its client that tools have changed', async t => {
  const server = legacyServer(t);
  await compare(t, server.start, tempFolder(t), async client => {
    await client.initialize();
    const answers = [await client.call('grow')];
    await client.next(({ method }) => method === 'notifications/tools/list_changed');
    return [...answers, await client.ask('tools/list'), await client.call('grown')];
  });
});

test('odd answers of a server pass through a relay unchanged', async t => {
  await compare(t, answeringServer(t, 'legacy').start, tempFolder(t), async client => {
    await client.initialize();
    const more = { _meta: { progressToken: 7, 'example/x': [null] }, 'example/more': 1e21 };
    const answers = [
      await client.call('odd'),
      await client.call('params', { deep: [{ größe: null }] }, more),
      await client.call('fail'),
      await client.call('progress', {}, more),
      await client.call('ask', { method: 'elicitation/create', params: { message: 'Who?' } }),
      await client.call('late-again'),
    ];
    // Through a relay it has the id of its request again.
    const asked = client.request('tools/call', { name: 'quoted', arguments: {} });
    const isAnswer = ({ id, method }: WireMessage) => Number(id) === asked && method === undefined;
    const { result } = await client.next(isAnswer);
    return [...answers, { result }];
  });
});

function isLog(text: string) {
  return ({ method, params }: WireMessage) =>
    method === 'notifications/message' && JSON.stringify(params).includes(text);
}

/** Without the times that a server writes into its texts. */
function timeless(answer: object): object {
  const text = JSON.stringify(answer).replaceAll(/\d{1,2}:\d\d:\d\d [AP]M/g, 'TIME');
  return JSON.parse(text.replaceAll(/"blob":"[^"]*"/g, '"blob":""'));
}
