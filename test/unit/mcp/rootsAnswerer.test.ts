import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Client, RequestId } from '@modelcontextprotocol/client';
import { type LookAgain, type RootsAnswer, RootsAnswerer } from '../../../src/mcp/rootsAnswerer.ts';
import type { ResponseBody } from '../../../src/mcp/wire.ts';

const web = { uri: 'file:///proj/web', name: 'web' };
const api = { uri: 'file:///proj/api', name: 'api' };
const times = { answersPerSecond: 2, neglect: 3000 };
const busy = { error: { code: -32000, message: 'Busy: too many requests' } };

/** An answerer to a legacy server that may be answered twice a second, on a clock of the test's own. */
function answererAt(t: TestContext, look?: LookAgain) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const client = { getProtocolEra: () => 'legacy', notification: async () => {} };
  const answerer = new RootsAnswerer(client as unknown as Client, [web], times, look);
  const answers: RootsAnswer[] = [];
  const replies: [RequestId, ResponseBody][] = [];
  answerer.onDidAnswer(answer => answers.push(answer));
  const ask = (id: RequestId) =>
    answerer.takeRequest({ jsonrpc: '2.0', id, method: 'roots/list' }, response =>
      replies.push([id, response]),
    );
  return { answerer, answers, replies, ask, tick: (time: number) => t.mock.timers.tick(time) };
}

const answer = (count: number, roots = [web]): RootsAnswer => ({
  era: 'legacy',
  trigger: { kind: 'roots/list' },
  count,
  roots,
});

test('a flood is answered together, with the roots of that moment, and is one exposure', t => {
  const { answerer, answers, replies, ask, tick } = answererAt(t);
  for (let id = 1; id <= 5; id++) {
    assert.equal(ask(id), true);
  }
  assert.deepEqual(replies, [
    [1, { result: { roots: [web] } }],
    [2, { result: { roots: [web] } }],
  ]);
  answerer.setRoots([api]);
  tick(1000);
  assert.deepEqual(
    replies.slice(2),
    [3, 4, 5].map(id => [id, { result: { roots: [api] } }]),
  );
  assert.deepEqual(answers, [answer(1), answer(1), answer(3, [api])]);
  answerer.dispose();
});

/** Looks that end when the test says so. */
function slowLooks() {
  const ends: (() => void)[] = [];
  const look = () => new Promise<void>(resolve => ends.push(resolve));
  const end = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { look, end, underWay: () => ends.length };
}

test('an answer waits for a look, and says what that has set', async t => {
  const { look, end } = slowLooks();
  const { answerer, answers, replies, ask } = answererAt(t, look);
  ask(1);
  assert.deepEqual([replies, answers], [[], []]);
  answerer.setRoots([api]);
  await end();
  assert.deepEqual(replies, [[1, { result: { roots: [api] } }]]);
  assert.deepEqual(answers, [answer(1, [api])]);
  answerer.dispose();
});

test('what is asked during a look is answered after one more, together and in its order', async t => {
  const { look, end, underWay } = slowLooks();
  const { answerer, replies, ask } = answererAt(t, look);
  [1, 2, 3].forEach(ask);
  assert.equal(underWay(), 1);
  await end();
  assert.deepEqual([replies.map(([id]) => id), underWay()], [[1], 1]);
  ask(4);
  answerer.setRoots([]);
  await end();
  assert.deepEqual(
    replies.slice(1),
    [2, 3].map(id => [id, { result: { roots: [] } }]),
  );
  answerer.dispose();
});

test('a flood during a look that hangs is turned away when too many wait', t => {
  const { look, underWay } = slowLooks();
  const { answerer, replies, ask } = answererAt(t, look);
  for (let id = 0; id <= 1002; id++) {
    ask(id);
  }
  assert.deepEqual(replies, [
    [1001, busy],
    [1002, busy],
  ]);
  assert.equal(underWay(), 1);
  answerer.dispose();
});

test('nothing is answered, and nothing told of, once it is disposed of during a look', async t => {
  const { look, end } = slowLooks();
  const { answerer, answers, replies, ask } = answererAt(t, look);
  [1, 2].forEach(ask);
  answerer.dispose();
  await end();
  assert.deepEqual([replies, answers], [[], []]);
  assert.deepEqual(answerer.answerInput(['a'], 'where'), { a: { roots: [] } });
});

test('which folder a root is goes over the wire where it is said, and into no record', t => {
  const { answerer, answers, replies, ask } = answererAt(t);
  answerer.setRoots([{ ...web, folder: '1:2' }, api]);
  ask(1);
  const told = { ...web, _meta: { 'mcp-roots/folder': '1:2' } };
  assert.deepEqual(replies, [[1, { result: { roots: [told, api] } }]]);
  assert.deepEqual(answers, [answer(1, [web, api])]);
  assert.deepEqual(answerer.answerInput(['a'], 'where'), { a: { roots: [told, api] } });
  answerer.dispose();
});

test('what is revoked while a request waits is not in its answer', t => {
  const { answerer, replies, ask, tick } = answererAt(t);
  [1, 2, 3].forEach(ask);
  answerer.setRoots([]);
  tick(1000);
  assert.deepEqual(replies.at(-1), [3, { result: { roots: [] } }]);
  answerer.dispose();
});

test('every request of an endless flood gets one answer, most of them that we are busy', t => {
  const { answerer, answers, replies, ask, tick } = answererAt(t);
  const ids = Array.from({ length: 3000 }, (_, index) => index);
  ids.forEach(ask);
  const refused = replies.filter(([, response]) => 'error' in response);
  assert.deepEqual(refused[0], [1002, busy]);
  assert.equal(refused.length, 1998);
  tick(1000);
  assert.deepEqual(
    replies.map(([id]) => id).sort((a, b) => Number(a) - Number(b)),
    ids,
  );
  assert.deepEqual(
    answers.map(({ count }) => count),
    [1, 1, 1000],
  );
  answerer.dispose();
});

test('an id too long to remember is answered that we are busy', t => {
  const { answerer, answers, replies, ask } = answererAt(t);
  const id = 'x'.repeat(257);
  ask(id);
  assert.deepEqual(replies, [[id, busy]]);
  assert.deepEqual(answers, []);
  answerer.dispose();
});

test('after its end nobody is handed anything, and nothing is left to happen', t => {
  const { answerer, replies, ask, tick } = answererAt(t);
  [1, 2, 3].forEach(ask);
  answerer.dispose();
  ask(4);
  tick(10_000);
  assert.deepEqual(replies.slice(2), [[4, busy]]);
});

/** What listeners were told of a server that goes on with old roots. */
function neglectOf(answerer: RootsAnswerer): boolean[] {
  const told: boolean[] = [];
  answerer.onDidNeglect(isNeglecting => told.push(isNeglecting));
  return told;
}

/** After the notice of a change, which waits for the burst to end. */
const noticed = 50;

test('a server that had asked and does not ask again within three seconds neglects a change', t => {
  const { answerer, ask, tick } = answererAt(t);
  const neglect = neglectOf(answerer);
  ask(1);
  answerer.setRoots([]);
  tick(noticed);
  tick(2999);
  assert.deepEqual(neglect, []);
  tick(1);
  assert.deepEqual(neglect, [true]);
  tick(60_000);
  ask(2);
  assert.deepEqual(neglect, [true, false]);
  answerer.dispose();
});

test('one that asks in time neglects nothing', t => {
  const { answerer, ask, tick } = answererAt(t);
  const neglect = neglectOf(answerer);
  ask(1);
  answerer.setRoots([api]);
  tick(noticed);
  tick(2999);
  ask(2);
  tick(60_000);
  assert.deepEqual(neglect, []);
  answerer.dispose();
});

test('further changes give it no more time', t => {
  const { answerer, ask, tick } = answererAt(t);
  const neglect = neglectOf(answerer);
  ask(1);
  answerer.setRoots([api]);
  tick(noticed);
  tick(2000);
  answerer.setRoots([]);
  tick(1000);
  assert.deepEqual(neglect, [true]);
  answerer.dispose();
});

test('one that never asked has nothing to forget', t => {
  const { answerer, tick } = answererAt(t);
  const neglect = neglectOf(answerer);
  answerer.setRoots([]);
  tick(60_000);
  assert.deepEqual(neglect, []);
  answerer.dispose();
});

test('when what it was handed is right again, nothing is neglected any more', t => {
  const { answerer, ask, tick } = answererAt(t);
  const neglect = neglectOf(answerer);
  ask(1);
  answerer.setRoots([]);
  tick(noticed);
  tick(3000);
  answerer.setRoots([{ ...web }]);
  assert.deepEqual(neglect, [true, false]);
  tick(60_000);
  assert.deepEqual(neglect, [true, false]);
  answerer.dispose();
});

test('also before the time is over', t => {
  const { answerer, ask, tick } = answererAt(t);
  const neglect = neglectOf(answerer);
  ask(1);
  answerer.setRoots([]);
  tick(noticed);
  tick(1000);
  answerer.setRoots([web]);
  tick(60_000);
  assert.deepEqual(neglect, []);
  answerer.dispose();
});

test('a server that is gone neglects nothing', t => {
  const { answerer, ask, tick } = answererAt(t);
  const neglect = neglectOf(answerer);
  ask(1);
  answerer.setRoots([]);
  tick(noticed);
  tick(3000);
  answerer.dispose();
  assert.deepEqual(neglect, [true, false]);
});

test('a server of the modern revisions is handed its roots in each call, and neglects none', t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const client = { getProtocolEra: () => 'modern' };
  const answerer = new RootsAnswerer(client as unknown as Client, [web], times);
  const neglect = neglectOf(answerer);
  assert.deepEqual(answerer.answerInput(['a'], 'where'), { a: { roots: [web] } });
  answerer.setRoots([]);
  t.mock.timers.tick(60_000);
  assert.deepEqual(neglect, []);
  answerer.dispose();
});
