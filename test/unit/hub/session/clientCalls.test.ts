import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerContext } from '@modelcontextprotocol/server';
import { ClientCalls } from '../../../../src/hub/session/clientCalls.ts';
import { noRootFolders } from '../../../../src/server/roots/rootFolders.ts';
import { thisPlatform } from '../../../support/systems.ts';
import { TurnedClock } from '../../../support/turnedClock.ts';

const minutes = 60_000;
const question = { method: 'elicitation/create', params: { message: 'Who?' } };
const never = new AbortController().signal;

function clientCalls() {
  const clock = new TurnedClock();
  return { calls: new ClientCalls('modern', clock.after), clock };
}

/** A call of which the test plays the server. */
function newCall(calls: ClientCalls, args: object = {}, canBeAsked = true) {
  let resolve: (result: Record<string, unknown>) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const outcome = new Promise<Record<string, unknown>>((...both) => {
    [resolve, reject] = both;
  });
  const signals: AbortSignal[] = [];
  const call = { serverName: 's', toolName: 't', args, params: {} };
  const folders = noRootFolders(thisPlatform);
  const begun = { call, upstream: '1', folders, canBeAsked };
  const one = calls.begin(begun, context(), ({ signal = never }) => {
    signals.push(signal);
    signal.addEventListener('abort', () => reject(signal.reason));
    return outcome;
  });
  const ends: string[] = [];
  void one.over.then(() => ends.push('over'));
  return { call, one, ends, finish: resolve, isCancelled: () => signals[0]?.aborted };
}

/** The request of a client, which `signal` calls off. */
function context(signal = never): ServerContext {
  return { mcpReq: { signal } } as ServerContext;
}

function stateOf(result: Record<string, unknown>): string {
  assert.equal(result['resultType'], 'input_required');
  return String(result['requestState']);
}

test('what comes in one turn is asked in one round, and the rest in the next', async () => {
  const { calls, clock } = clientCalls();
  const { call, one, ends, finish, isCancelled } = newCall(calls);
  const round = calls.run(one, context());
  const answers = [one.ask(question, never), one.ask(question, never)];
  const first = await round;
  const asked = { 'server.1': question, 'server.2': question };
  assert.deepEqual(first['inputRequests'], asked);
  const late = one.ask(question, never);
  assert.equal(calls.resume(stateOf(first), call), one);
  clock.pass(30 * minutes);
  assert.equal(isCancelled(), false);
  one.answer({ 'server.1': { action: 'accept' }, 'server.2': { action: 'decline' } });
  assert.deepEqual(await Promise.all(answers), [{ action: 'accept' }, { action: 'decline' }]);
  const second = await calls.run(one, context());
  assert.deepEqual(second['inputRequests'], { 'server.3': question });
  calls.resume(stateOf(second), call)?.answer({ 'server.3': { action: 'cancel' } });
  assert.deepEqual(await late, { action: 'cancel' });
  finish({ content: [] });
  assert.deepEqual(await calls.run(one, context()), { content: [] });
  await one.over;
  assert.deepEqual(ends, ['over']);
});

test('a call that nobody goes on with is called off after half an hour', async () => {
  const { calls, clock } = clientCalls();
  const { call, one, ends, isCancelled } = newCall(calls);
  const answer = one.ask(question, never);
  const state = stateOf(await calls.run(one, context()));
  clock.pass(30 * minutes - 1);
  assert.equal(isCancelled(), false);
  clock.pass(1);
  assert.equal(isCancelled(), true);
  await assert.rejects(answer, { code: -32603 });
  assert.throws(() => calls.resume(state, call), /has ended/);
  await one.over;
  assert.deepEqual(ends, ['over']);
});

test('a result that is there before the answers is had with them', async () => {
  const { calls } = clientCalls();
  const { call, one, finish } = newCall(calls);
  const answer = one.ask(question, never);
  const state = stateOf(await calls.run(one, context()));
  finish({ content: [] });
  const taken = calls.resume(state, call);
  taken?.answer({});
  await assert.rejects(answer, { code: -32603, message: 'The client has not answered.' });
  assert.deepEqual(await calls.run(one, context()), { content: [] });
  await assert.rejects(one.ask(question, AbortSignal.abort('late')), error => error === 'late');
});

test('a question that the server calls off is asked no more', async () => {
  const { calls } = clientCalls();
  const { one } = newCall(calls);
  const end = new AbortController();
  const round = calls.run(one, context());
  const off = one.ask(question, end.signal);
  end.abort('enough');
  await assert.rejects(off, error => error === 'enough');
  const on = one.ask(question, never);
  assert.deepEqual((await round)['inputRequests'], { 'server.2': question });
  one.cancel('over');
  await assert.rejects(on, { code: -32603 });
});

test('a request that is over ends nothing, and one that is open ends the call', async () => {
  const { calls } = clientCalls();
  const { call, one, isCancelled } = newCall(calls);
  const [before, open] = [new AbortController(), new AbortController()];
  const answer = one.ask(question, never);
  const state = stateOf(await calls.run(one, context(before.signal)));
  before.abort();
  assert.equal(isCancelled(), false);
  calls.resume(state, call)?.answer({ 'server.1': {} });
  await answer;
  const round = calls.run(one, context(open.signal));
  open.abort('off');
  await assert.rejects(round, error => error === 'off');
  assert.equal(isCancelled(), true);
});

test('another call than the one that is calls is refused, and leaves that as it is', async () => {
  const { calls } = clientCalls();
  const { call, one } = newCall(calls, { a: [1, { b: 2 }] });
  void one.ask(question, never).catch(() => {});
  const state = stateOf(await calls.run(one, context()));
  for (const other of [
    { serverName: 'other' },
    { toolName: 'other' },
    { args: { a: [1, { b: 3 }] } },
    { args: undefined },
  ]) {
    assert.throws(() => calls.resume(state, { ...call, ...other }), /another call/);
  }
  assert.throws(() => calls.resume('{"roots":[]}', call), /has ended/);
  assert.equal(calls.resume(state, { ...call, args: { a: [1, { b: 2 }] } }), one);
  one.cancel('over');
});

test('a question goes with a call that its client can be asked within', async () => {
  const { calls } = clientCalls();
  const { one } = newCall(calls);
  const { one: other } = newCall(calls, {}, false);
  const round = calls.run(one, context());
  void calls.run(other, context());
  const answer = calls.answer(question, never, '1');
  assert.deepEqual((await round)['inputRequests'], { 'server.1': question });
  one.cancel('over');
  await assert.rejects(answer, { code: -32603 });
});

test('a server that asks without end loses its call, with its name', async () => {
  const { calls } = clientCalls();
  const { one, isCancelled } = newCall(calls);
  const asked = Array.from({ length: 51 }, () => one.ask(question, never));
  const message = 'The server "s" asked more than 50 questions within one call.';
  await assert.rejects(asked[50]!, { message });
  await Promise.all(asked.slice(0, 50).map(answer => assert.rejects(answer, { code: -32603 })));
  assert.equal(isCancelled(), true);
  await assert.rejects(calls.run(one, context()), { message });
});
