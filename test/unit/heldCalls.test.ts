import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { PathPlatform } from '../../src/domain/paths/pathNames.ts';
import type { ChildSet } from '../../src/server/hub/children/childSet.ts';
import { HeldCall } from '../../src/server/hub/session/heldCall.ts';
import { HeldCalls } from '../../src/server/hub/session/heldCalls.ts';
import { noRootFolders } from '../../src/server/roots/rootFolders.ts';
import { TurnedClock } from '../support/turnedClock.ts';

const minutes = 60_000;
const question = { method: 'elicitation/create', params: { message: 'Who?' } };
const never = new AbortController().signal;
const set = {} as ChildSet;

function heldCalls() {
  const clock = new TurnedClock();
  const kept: string[] = [];
  const keep = () => {
    kept.push('kept');
    return { dispose: () => void kept.push('let go') };
  };
  return { held: new HeldCalls({ sets: { keep }, after: clock.after }), clock, kept };
}

/** A call of which the test plays the child. */
function newCall(args: object = {}) {
  let resolve: (result: Record<string, unknown>) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const outcome = new Promise<Record<string, unknown>>((...both) => {
    [resolve, reject] = both;
  });
  const signals: AbortSignal[] = [];
  const call = { serverName: 's', toolName: 't', args, method: 'tools/call', params: {} };
  const folders = noRootFolders(process.platform as PathPlatform);
  const held = new HeldCall({ call, set, folders }, context(), ({ signal = never }) => {
    signals.push(signal);
    signal.addEventListener('abort', () => reject(signal.reason));
    return outcome;
  });
  return { call, held, finish: resolve, isCancelled: () => signals[0]?.aborted };
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
  const { held, kept, clock } = heldCalls();
  const { call, held: one, finish } = newCall();
  const round = held.run(one, context());
  const answers = [one.ask(question, never), one.ask(question, never)];
  const first = await round;
  const asked = { 'server.1': question, 'server.2': question };
  assert.deepEqual(first['inputRequests'], asked);
  const late = one.ask(question, never);
  assert.equal(held.take(stateOf(first), call), one);
  assert.equal(clock.waiting, 0);
  one.answer({ 1: { action: 'accept' }, 2: { action: 'decline' } });
  assert.deepEqual(await Promise.all(answers), [{ action: 'accept' }, { action: 'decline' }]);
  const second = await held.run(one, context());
  assert.deepEqual(second['inputRequests'], { 'server.3': question });
  held.take(stateOf(second), call)?.answer({ 3: { action: 'cancel' } });
  assert.deepEqual(await late, { action: 'cancel' });
  finish({ content: [] });
  assert.deepEqual(await held.run(one, context()), { content: [] });
  assert.deepEqual(kept, ['kept', 'let go']);
});

test('a call that nobody goes on with is called off after five minutes', async () => {
  const { held, clock, kept } = heldCalls();
  const { call, held: one, isCancelled } = newCall();
  const answer = one.ask(question, never);
  const state = stateOf(await held.run(one, context()));
  clock.pass(5 * minutes - 1);
  assert.equal(isCancelled(), false);
  clock.pass(1);
  assert.equal(isCancelled(), true);
  await assert.rejects(answer, { code: -32603 });
  assert.throws(() => held.take(state, call), /has ended/);
  assert.deepEqual(kept, ['kept', 'let go']);
});

test('a result that is there before the answers is had with them', async () => {
  const { held } = heldCalls();
  const { call, held: one, finish } = newCall();
  const answer = one.ask(question, never);
  const state = stateOf(await held.run(one, context()));
  finish({ content: [] });
  const taken = held.take(state, call);
  taken?.answer({});
  await assert.rejects(answer, { code: -32603, message: 'The client has not answered.' });
  assert.deepEqual(await held.run(one, context()), { content: [] });
  await assert.rejects(one.ask(question, AbortSignal.abort('late')), error => error === 'late');
});

test('a question that the child calls off is asked no more', async () => {
  const { held } = heldCalls();
  const { held: one } = newCall();
  const end = new AbortController();
  const round = held.run(one, context());
  const off = one.ask(question, end.signal);
  end.abort('enough');
  await assert.rejects(off, error => error === 'enough');
  const on = one.ask(question, never);
  assert.deepEqual((await round)['inputRequests'], { 'server.2': question });
  held.dispose();
  await assert.rejects(on, { code: -32603 });
});

test('a request that is over ends nothing, and one that is open ends the call', async () => {
  const { held } = heldCalls();
  const { call, held: one, isCancelled } = newCall();
  const [before, open] = [new AbortController(), new AbortController()];
  const answer = one.ask(question, never);
  const state = stateOf(await held.run(one, context(before.signal)));
  before.abort();
  assert.equal(isCancelled(), false);
  held.take(state, call)?.answer({ 1: {} });
  await answer;
  const round = held.run(one, context(open.signal));
  open.abort('off');
  await assert.rejects(round, error => error === 'off');
  assert.equal(isCancelled(), true);
});

test('another call than the one that is held is refused, and leaves that as it is', async () => {
  const { held } = heldCalls();
  const { call, held: one } = newCall({ a: [1, { b: 2 }] });
  void one.ask(question, never).catch(() => {});
  const state = stateOf(await held.run(one, context()));
  for (const other of [
    { serverName: 'other' },
    { toolName: 'other' },
    { method: 'prompts/get' },
    { args: { a: [1, { b: 3 }] } },
    { args: undefined },
  ]) {
    assert.throws(() => held.take(state, { ...call, ...other }), /another call/);
  }
  assert.equal(held.take('{"roots":[]}', call), undefined);
  assert.equal(held.take(state, { ...call, args: { a: [1, { b: 2 }] } }), one);
  one.cancel('over');
});

test('a hundred calls are held, and what the child asks in one more is refused to it', async () => {
  const { held, clock } = heldCalls();
  for (let count = 0; count < 100; count++) {
    const { held: one } = newCall();
    void one.ask(question, never).catch(() => {});
    stateOf(await held.run(one, context()));
  }
  const { held: more, finish } = newCall();
  const round = held.run(more, context());
  await assert.rejects(more.ask(question, never), { code: -32603 });
  finish({ content: [] });
  assert.deepEqual(await round, { content: [] });
  assert.equal(clock.waiting, 100);
  held.dispose();
  assert.equal(clock.waiting, 0);
});
