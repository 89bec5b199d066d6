import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestId } from '@modelcontextprotocol/client';
import { type ClientRelay, RelayedRequests } from '../../../../src/mcp/link/relayedRequests.ts';
import type { ResponseBody } from '../../../../src/mcp/process/wire.ts';

const busy = { error: { code: -32000, message: 'Too many open requests' } };

/** The requests of a server; the test decides when its client answers. */
function relayedRequests(era: 'legacy' | 'modern' = 'legacy') {
  const answers: ((result: Record<string, unknown>) => void)[] = [];
  const signals: AbortSignal[] = [];
  const replies: [RequestId, ResponseBody][] = [];
  const relay: ClientRelay = {
    capabilities: { elicitation: {} },
    answer: (_request, signal) => {
      signals.push(signal);
      return new Promise(resolve => answers.push(resolve));
    },
  };
  const relayed = new RelayedRequests({ getProtocolEra: () => era }, relay);
  const ask = (id: RequestId, method = 'elicitation/create') =>
    relayed.takeRequest({ jsonrpc: '2.0', id, method }, response => replies.push([id, response]));
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled' } as const;
  const callOff = (requestId: unknown) =>
    relayed.takeNotice({ ...cancelled, params: { requestId } });
  return { relayed, answers, signals, replies, ask, callOff };
}

test('refuses an id that is open or too long', () => {
  const { answers, replies, ask } = relayedRequests();
  const long = 'x'.repeat(257);
  ask(1);
  ask(1);
  ask('1');
  ask(long);
  assert.equal(answers.length, 2);
  assert.deepEqual(replies, [
    [1, busy],
    [long, busy],
  ]);
});

test('sends no response to a cancelled request', async () => {
  const { answers, signals, replies, ask, callOff } = relayedRequests();
  ask(1);
  ask('1');
  assert.deepEqual([callOff(1), callOff(2), callOff(undefined)], [true, false, false]);
  assert.deepEqual([signals[0]?.aborted, signals[1]?.aborted], [true, false]);
  for (const answer of answers) {
    answer({});
  }
  await new Promise(setImmediate);
  assert.deepEqual(replies, [['1', { result: {} }]]);
});

test('relays a hundred requests at once, and counts a cancelled one until its client is done', async () => {
  const { answers, replies, ask, callOff } = relayedRequests();
  for (let id = 0; id < 100; id++) {
    ask(id);
    callOff(`${id}`);
  }
  ask(100);
  assert.deepEqual([answers.length, replies], [100, [[100, busy]]]);
  answers[0]?.({});
  await new Promise(setImmediate);
  ask(101);
  assert.deepEqual([answers.length, replies.length], [101, 1]);
});

test('asks and answers nothing after the end of the server', async () => {
  const { relayed, answers, signals, replies, ask } = relayedRequests();
  ask(1);
  relayed.dispose();
  assert.equal(signals[0]?.aborted, true);
  assert.equal(ask(2), false);
  answers[0]?.({});
  await new Promise(setImmediate);
  assert.deepEqual(replies, []);
});

test('takes only requests that a legacy server was offered', () => {
  assert.equal(relayedRequests().ask(1, 'sampling/createMessage'), false);
  assert.equal(relayedRequests('modern').ask(1), false);
});
