import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerContext } from '@modelcontextprotocol/server';
import { ClientCalls } from '../../../../src/hub/session/clientCalls.ts';
import { noRootFolders } from '../../../../src/server/roots/rootFolders.ts';
import { thisPlatform } from '../../../support/systems.ts';
import { said } from '../../../support/texts.ts';
import { TurnedClock } from '../../../support/turnedClock.ts';

const minutes = 60_000;
const question = { method: 'elicitation/create', params: { message: 'Who?' } };
const never = new AbortController().signal;

function clientCalls() {
  const clock = new TurnedClock();
  return { calls: new ClientCalls('modern', clock.after), clock };
}

/** A call; the test plays its server. */
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

/** The request of a client, which `signal` cancels. */
function context(signal = never): ServerContext {
  return { mcpReq: { signal } } as ServerContext;
}

function stateOf(result: Record<string, unknown>): string {
  assert.equal(result['resultType'], 'input_required');
  return String(result['requestState']);
}

test('asks questions of one turn in one round, and the others in the next', async () => {
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

test('cancels a suspended call after half an hour without its client', async () => {
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

test('returns an early result together with the answers', async () => {
  const { calls } = clientCalls();
  const { call, one, finish } = newCall(calls);
  const answer = one.ask(question, never);
  const state = stateOf(await calls.run(one, context()));
  finish({ content: [] });
  const taken = calls.resume(state, call);
  taken?.answer({});
  await assert.rejects(answer, {
    code: -32603,
    message: 'The client did not answer this question.',
  });
  assert.deepEqual(await calls.run(one, context()), { content: [] });
  await assert.rejects(one.ask(question, AbortSignal.abort('late')), error => error === 'late');
});

test('does not ask a question that the server cancels', async () => {
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

test('ends the call with an open request, and not with a finished one', async () => {
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

test('refuses a different call, and leaves the suspended call unchanged', async () => {
  const { calls } = clientCalls();
  const { call, one } = newCall(calls, { a: [1, { b: 2 }] });
  void one.ask(question, never).catch(() => {});
  const state = stateOf(await calls.run(one, context()));
  const names = [{ serverName: 'other' }, { toolName: 'other' }];
  for (const other of [...names, { args: { a: [1, { b: 3 }] } }, { args: undefined }]) {
    assert.throws(() => calls.resume(state, { ...call, ...other }), /another call/);
  }
  assert.throws(() => calls.resume('{"roots":[]}', call), /has ended/);
  assert.equal(calls.resume(state, { ...call, args: { a: [1, { b: 2 }] } }), one);
  one.cancel('over');
});

test('sends a question within a call of a client that can answer it', async () => {
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

test('ends the call of a server that asks without end, and names the server', async () => {
  const { calls } = clientCalls();
  const { one, isCancelled } = newCall(calls);
  const asked = Array.from({ length: 51 }, () => one.ask(question, never));
  const tooMany = (error: Error) => said(error.message) === 'clientCalls.ClientCall(s, 50)';
  await assert.rejects(asked[50]!, tooMany);
  await Promise.all(asked.slice(0, 50).map(answer => assert.rejects(answer, { code: -32603 })));
  assert.equal(isCancelled(), true);
  await assert.rejects(calls.run(one, context()), tooMany);
});
