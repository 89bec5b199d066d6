import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestId } from '@modelcontextprotocol/client';
import { type ClientRelay, RelayedRequests } from '../../../src/mcp/relayedRequests.ts';
import type { ResponseBody } from '../../../src/mcp/wire.ts';

const busy = { error: { code: -32000, message: 'Busy: too many requests' } };

/** The requests of a server whose client answers when the test lets it. */
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
  const callOff = (requestId: unknown) =>
    relayed.takeNotice({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    });
  return { relayed, answers, signals, replies, ask, callOff };
}

test('of a flood a hundred are relayed at once, and the rest is told that we are busy', async () => {
  const { answers, replies, ask } = relayedRequests();
  for (let id = 0; id < 150; id++) {
    assert.equal(ask(id), true);
  }
  assert.equal(answers.length, 100);
  assert.deepEqual(
    replies,
    Array.from({ length: 50 }, (_, index) => [100 + index, busy]),
  );
  answers[0]?.({ action: 'decline' });
  await new Promise(setImmediate);
  assert.deepEqual(replies.at(-1), [0, { result: { action: 'decline' } }]);
  ask(200);
  assert.equal(answers.length, 101);
});

test('an id that is still open, or too long to remember, is answered that we are busy', () => {
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

test('only what is called off is called off, and then has no answer', async () => {
  const { answers, signals, replies, ask, callOff } = relayedRequests();
  ask(1);
  ask('1');
  assert.deepEqual([callOff(1), callOff(2), callOff(undefined)], [true, false, false]);
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, false],
  );
  for (const answer of answers) {
    answer({});
  }
  await new Promise(setImmediate);
  assert.deepEqual(replies, [['1', { result: {} }]]);
});

test('what is called off counts as long as its client is busy with it', async () => {
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

test('after the end of the server nobody is asked any more, nor answered', async () => {
  const { relayed, answers, signals, replies, ask } = relayedRequests();
  ask(1);
  relayed.dispose();
  assert.equal(signals[0]?.aborted, true);
  assert.equal(ask(2), false);
  answers[0]?.({});
  await new Promise(setImmediate);
  assert.deepEqual(replies, []);
});

test('a server is left to others with what it was not offered, and in the modern era with all', () => {
  assert.equal(relayedRequests().ask(1, 'sampling/createMessage'), false);
  assert.equal(relayedRequests('modern').ask(1), false);
});
