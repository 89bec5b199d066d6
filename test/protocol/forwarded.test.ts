import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { ForwardedRequest } from '../../src/mcp/link/forwarding.ts';
import type { ClientRelay } from '../../src/mcp/link/relayedRequests.ts';
import { until } from '../support/processes.ts';
import { recordingConnection, root } from '../support/recordingConnection.ts';
import { answeringServer } from '../support/recordingServer.ts';

const web = root('web');
const eras = ['legacy', 'modern'] as const;
type Era = (typeof eras)[number];
const offersForms: ClientRelay = {
  capabilities: { elicitation: { form: {} }, sampling: {} },
  answer: async () => ({ action: 'decline' }),
};
const toNothing = { ...offersForms, capabilities: {} };

/** A running connection to a server of the era, and how to call its tools. */
async function running(t: TestContext, era: Era, relay?: ClientRelay) {
  const server = answeringServer(t, era);
  const recording = recordingConnection(t, {}, relay);
  const start = { ...server.start, secrets: ['s3cret'] };
  const state = await recording.connection.start(start, [web]);
  assert.equal(state.kind === 'running' && state.era, era);
  /** The result, without the empty content that each call has if the server sends none. */
  const call = async (name: string, more: Partial<ForwardedRequest> = {}) => {
    const params = { name, ...more.params };
    const asked = recording.connection.forward({ method: 'tools/call', ...more, params });
    const { content, ...result } = await asked;
    return Object(content).length === 0 ? result : { content, ...result };
  };
  const callsOf = (name: string) =>
    server
      .messages()
      .filter(message => (message['params'] as { name?: string } | undefined)?.name === name)
      .map(message => message['params'] as Record<string, unknown>);
  return { ...recording, server, call, callsOf };
}

for (const era of eras) {
  test(`requests to a ${era} server`, async t => {
    const { call, callsOf, connection, events, server, traffic } = await running(t, era);

    await t.test('passes a result on with mended content', async () => {
      assert.deepEqual(await call('odd'), {
        content: [{ type: 'text', text: '7' }],
        _meta: { trace: 'x' },
        'x/more': [null, { deep: true }],
      });
    });

    await t.test('forwards a request in the same turn', async () => {
      const before = traffic.length;
      const result = call('odd');
      const sent = traffic.slice(before).map(passed => 'message' in passed && passed.message);
      assert.deepEqual(
        sent.map(message => message && 'method' in message && message.method),
        ['tools/call'],
      );
      await result;
    });

    await t.test('passes an error on without secrets', async () => {
      await assert.rejects(call('fail'), {
        code: -32055,
        message: 'no •••',
        data: { uri: 'a', n: 1 },
      });
      await assert.rejects(call('fail-with-data'), {
        code: -32602,
        message: 'no',
        data: { uri: '•••', list: ['•••'] },
      });
    });

    await t.test('reports the progress of its own request only', async () => {
      const told: unknown[] = [];
      await call('progress', { onProgress: progress => told.push(progress) });
      assert.deepEqual(told, [{ progress: 1, total: 2, message: 'half' }, { progress: 2 }]);
    });

    await t.test('sends no request that was cancelled before', async () => {
      const before = callsOf('odd').length;
      await assert.rejects(call('hang', { signal: AbortSignal.abort(new Error('too late')) }), {
        message: 'too late',
      });
      await call('odd');
      assert.deepEqual(callsOf('hang'), []);
      assert.equal(callsOf('odd').length - before, 1);
    });

    await t.test('cancels a request at the server', async () => {
      const callOff = new AbortController();
      const hanging = call('hang', { signal: callOff.signal });
      await call('odd');
      callOff.abort('changed my mind');
      await assert.rejects(hanging, /changed my mind/);
      await call('odd');
      const [{ id } = { id: undefined }] = server
        .messages()
        .filter(({ params }) => (params as { name?: string })?.name === 'hang');
      const [notice] = server
        .messages()
        .filter(({ method }) => method === 'notifications/cancelled')
        .map(({ params }) => params as Record<string, unknown>);
      assert.deepEqual([notice?.['requestId'], notice?.['reason']], [id, 'changed my mind']);
    });

    await t.test('passes on no field that concerns a single hop', async () => {
      const forwarded = await call('params', {
        params: {
          arguments: { a: 1 },
          inputResponses: { where: { roots: [{ uri: 'file:///etc' }] } },
          requestState: 'forged',
          _meta: {
            traceparent: '00-x',
            progressToken: 'theirs',
            'io.modelcontextprotocol/protocolVersion': '2099-01-01',
            'io.modelcontextprotocol/clientInfo': { name: 'them' },
            'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
          },
        },
      });
      const own =
        era === 'modern'
          ? {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'test-client', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': { roots: { listChanged: true } },
            }
          : {};
      const _meta = { traceparent: '00-x', ...own };
      assert.deepEqual(forwarded, {
        params: { name: 'params', arguments: { a: 1 }, _meta },
      });
    });

    await t.test('knows what a server declared while it runs', async () => {
      assert.deepEqual(connection.serverCapabilities, {
        tools: { listChanged: true },
        resources: { listChanged: true },
        prompts: {},
      });
      assert.equal(connection.instructions, 'Be kind.');
    });

    await t.test('announces changes of all lists', async () => {
      const changed: string[] = [];
      events.onDidChangeList(what => changed.push(what));
      await call('change');
      await until('the notices', () => changed.length === 3);
      assert.deepEqual(changed, ['tools', 'resources', 'prompts']);
    });

    await t.test('fails waiting requests when the server is gone', async () => {
      const isEnd = { message: 'The server ended by SIGKILL.' };
      const hanging = assert.rejects(call('hang'), isEnd);
      await call('odd');
      process.kill(server.pids()[0]!, 'SIGKILL');
      // Its end is not known yet: some of these are written to a dead process.
      await Promise.all(Array.from({ length: 50 }, () => assert.rejects(call('odd'), isEnd)));
      await hanging;
      await assert.rejects(call('odd'), { name: 'HumanError' });
      await connection.stop();
      assert.deepEqual(
        [connection.serverCapabilities, connection.instructions],
        [undefined, undefined],
      );
    });
  });
}

test('asks a modern server for news of the lists that it says change', async t => {
  const { call, server } = await running(t, 'modern');
  await call('odd');
  const listens = server.messages().filter(({ method }) => method === 'subscriptions/listen');
  assert.deepEqual(
    listens.map(({ params }) => (params as Record<string, unknown>)['notifications']),
    [{ toolsListChanged: true, resourcesListChanged: true }],
  );
});

test('answers questions for roots on the way, and passes on the others', async t => {
  const { call, answers, callsOf, connection } = await running(t, 'modern', offersForms);
  const asked: unknown[] = [];
  const who = { action: 'accept', content: { name: 'me' } };
  const done = await call('mixed', {
    answer: async request => {
      asked.push(request, [...answers]);
      connection.setRoots([]);
      return who;
    },
  });
  assert.deepEqual(asked, [{ method: 'elicitation/create', params: { message: 'Who?' } }, []]);
  assert.deepEqual(done, {
    inputResponses: { who, where: { roots: [] }, again: { roots: [] } },
    requestState: 'opaque {"é": 1}',
  });
  const trigger = { kind: 'tools/call', tool: 'mixed' };
  assert.deepEqual(answers, [{ era: 'modern', trigger, count: 2, roots: [] }]);
  assert.deepEqual(
    callsOf('mixed').map(params => 'requestState' in params),
    [false, true],
  );
});

test('gives a server its state back when it wants nothing else', async t => {
  const { call, answers } = await running(t, 'modern');
  assert.deepEqual(await call('only-state'), { requestState: 'more' });
  assert.deepEqual(answers, []);
});

test('other requests than calls may lead to questions for roots, too', async t => {
  const { connection, answers, callsOf } = await running(t, 'modern', offersForms);
  const request = { method: 'prompts/get', params: { name: 'roots-then-question' } };
  await connection.forward(request);
  assert.deepEqual(
    answers.map(({ trigger }) => trigger),
    [{ kind: 'roots/list' }],
  );
  assert.equal(callsOf('roots-then-question').length, 3);
});

test('cancels the other questions of a call when one fails', async t => {
  const { call } = await running(t, 'modern', offersForms);
  const calledOff: unknown[] = [];
  let isFirst = true;
  const answer: ClientRelay['answer'] = async (_request, signal) => {
    if (!isFirst) {
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          calledOff.push(signal.reason);
          reject(signal.reason);
        }),
      );
    }
    isFirst = false;
    throw gone;
  };
  const gone = new Error('The client is gone.');
  await assert.rejects(call('two-questions', { answer }), gone);
  assert.deepEqual(calledOff, [gone]);
});

test('refuses an answer that contains roots', async t => {
  const { call, callsOf } = await running(t, 'modern', offersForms);
  const answer = async () => ({ roots: [{ uri: 'file:///etc', name: 'etc' }] });
  await assert.rejects(call('mixed', { answer }), { name: 'HumanError' });
  assert.equal(callsOf('mixed').length, 1);
});

test('takes the result of a legacy server as one, even if it looks like a question', async t => {
  const { call } = await running(t, 'legacy');
  const inputRequests = { where: { method: 'roots/list' } };
  assert.deepEqual(await call('endless'), { inputRequests });
});

test('refuses a server’s question of a kind that it was not offered', async t => {
  for (const relay of [undefined, toNothing]) {
    const { call, answers } = await running(t, 'modern', relay);
    await assert.rejects(call('mixed'), { name: 'HumanError', message: /"mixed".*elicitation/ });
    assert.deepEqual(answers, []);
  }
});

test('gives up on a server that asks for roots without end, or asks for nothing', async t => {
  const { call, answers } = await running(t, 'modern');
  await assert.rejects(call('endless'), { message: /^The tool "endless"/ });
  assert.equal(answers.length, 10);
  await assert.rejects(call('malformed'), { name: 'SdkError' });
});

test('declares to a server what it is offered, in the form of its era', async t => {
  const capabilities = { roots: { listChanged: true }, ...offersForms.capabilities };
  const legacy = await running(t, 'legacy', offersForms);
  const hellos = legacy.server.messages().filter(({ method }) => method === 'initialize');
  assert.deepEqual(
    hellos.map(({ params }) => (params as Record<string, unknown>)['capabilities']),
    [capabilities],
  );
  const modern = await running(t, 'modern', offersForms);
  await modern.call('odd');
  const _meta = modern.callsOf('odd')[0]?.['_meta'] as Record<string, unknown>;
  assert.deepEqual(_meta['io.modelcontextprotocol/clientCapabilities'], capabilities);
});

test('relays a legacy server’s question and its answer unchanged', async t => {
  const requests: unknown[] = [];
  const { call } = await running(t, 'legacy', {
    ...offersForms,
    answer: async request => {
      requests.push(request);
      return { action: 'accept', 'x/more': 1 };
    },
  });
  const params = { message: 'Who?', 'x/more': { a: 1 } };
  const question = {
    method: 'elicitation/create',
    params: { ...params, _meta: { progressToken: 1 } },
  };
  const { asked } = await call('ask', { params: { arguments: question } });
  assert.deepEqual((asked as Record<string, unknown>)['result'], { action: 'accept', 'x/more': 1 });
  assert.deepEqual(requests, [{ method: 'elicitation/create', params }]);
});

test('passes an error of the answerer back with code, message and data', async t => {
  const errors = [new ProtocolError(-32042, 'no', { why: 'so' }), new Error('just no')];
  const { call } = await running(t, 'legacy', {
    ...offersForms,
    answer: () => Promise.reject(errors.shift()),
  });
  const question = { method: 'sampling/createMessage', params: {} };
  const ask = async () =>
    ((await call('ask', { params: { arguments: question } }))['asked'] as { error: unknown }).error;
  assert.deepEqual(await ask(), { code: -32042, message: 'no', data: { why: 'so' } });
  assert.deepEqual(await ask(), { code: -32603, message: 'just no' });
});

test('tells the answerer when the server no longer waits, or is gone', async t => {
  const signals: AbortSignal[] = [];
  const { call, connection, server } = await running(t, 'legacy', {
    ...offersForms,
    answer: (_request, signal) => {
      signals.push(signal);
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    },
  });
  const question = { method: 'elicitation/create', params: {} };
  await call('ask-and-call-off', { params: { arguments: question } });
  assert.equal(signals[0]?.reason, 'enough');
  const hanging = assert.rejects(call('ask', { params: { arguments: question } }));
  await until('the second question', () => signals.length === 2);
  assert.equal(signals[1]?.aborted, false);
  await connection.stop();
  assert.equal(signals[1]?.aborted, true);
  await hanging;
  const errors = server.messages().filter(message => 'error' in message);
  assert.deepEqual(errors, []);
});
