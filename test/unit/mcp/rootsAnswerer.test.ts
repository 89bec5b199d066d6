import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { RequestId } from '@modelcontextprotocol/client';
import type { Era } from '../../../src/domain/exposure.ts';
import {
  type LookAgain,
  type RootsAnswer,
  RootsAnswerer,
  type RootsClient,
} from '../../../src/mcp/rootsAnswerer.ts';
import type { ResponseBody } from '../../../src/mcp/wire.ts';

const web = { uri: 'file:///proj/web', name: 'web' };
const api = { uri: 'file:///proj/api', name: 'api' };
const times = { answersPerSecond: 2, neglect: 3000 };
const busy = { error: { code: -32000, message: 'Busy: too many requests' } };

/** An answerer to a server that may be answered twice a second, on a clock of the test's own. */
function answererAt(t: TestContext, look?: LookAgain, era: Era = 'legacy') {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const notices: string[] = [];
  const client: RootsClient = {
    getProtocolEra: () => era,
    notification: async ({ method }) => void notices.push(method),
  };
  const answerer = new RootsAnswerer(client, [web], times, look);
  const answers: RootsAnswer[] = [];
  const neglect: boolean[] = [];
  answerer.onDidNeglect(isNeglecting => neglect.push(isNeglecting));
  const replies: [RequestId, ResponseBody][] = [];
  answerer.onDidAnswer(answer => answers.push(answer));
  const ask = (id: RequestId) =>
    answerer.takeRequest({ jsonrpc: '2.0', id, method: 'roots/list' }, response =>
      replies.push([id, response]),
    );
  const tick = (time: number) => t.mock.timers.tick(time);
  return { answerer, answers, replies, notices, neglect, ask, tick };
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
});

test('a flood during a look that hangs is turned away when too many wait', t => {
  const { look, underWay } = slowLooks();
  const { replies, ask } = answererAt(t, look);
  for (let id = 0; id <= 1002; id++) {
    ask(id);
  }
  assert.deepEqual(replies, [
    [1001, busy],
    [1002, busy],
  ]);
  assert.equal(underWay(), 1);
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
});

test('what is revoked while a request waits is not in its answer', t => {
  const { answerer, replies, ask, tick } = answererAt(t);
  [1, 2, 3].forEach(ask);
  answerer.setRoots([]);
  tick(1000);
  assert.deepEqual(replies.at(-1), [3, { result: { roots: [] } }]);
});

test('every request of an endless flood gets one answer, most of them that we are busy', t => {
  const { answers, replies, ask, tick } = answererAt(t);
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
});

test('an id too long to remember is answered that we are busy', t => {
  const { answers, replies, ask } = answererAt(t);
  const id = 'x'.repeat(257);
  ask(id);
  assert.deepEqual(replies, [[id, busy]]);
  assert.deepEqual(answers, []);
});

test('after its end nobody is handed anything, and nothing is left to happen', t => {
  const { answerer, replies, ask, tick } = answererAt(t);
  [1, 2, 3].forEach(ask);
  answerer.dispose();
  ask(4);
  tick(10_000);
  assert.deepEqual(replies.slice(2), [[4, busy]]);
});

/** After the notice of a change, which waits for the burst to end. */
const noticed = 50;

test('a server that had asked and does not ask again within three seconds neglects a change', t => {
  const { answerer, neglect, ask, tick } = answererAt(t);
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
});

test('one that asks in time neglects nothing', t => {
  const { answerer, neglect, ask, tick } = answererAt(t);
  ask(1);
  answerer.setRoots([api]);
  tick(noticed);
  tick(2999);
  ask(2);
  tick(60_000);
  assert.deepEqual(neglect, []);
});

test('further changes give it no more time', t => {
  const { answerer, neglect, ask, tick } = answererAt(t);
  ask(1);
  answerer.setRoots([api]);
  tick(noticed);
  tick(2000);
  answerer.setRoots([]);
  tick(1000);
  assert.deepEqual(neglect, [true]);
});

test('one that never asked has nothing to forget', t => {
  const { answerer, neglect, tick } = answererAt(t);
  answerer.setRoots([]);
  tick(60_000);
  assert.deepEqual(neglect, []);
});

test('when what it was handed is right again, nothing is neglected any more', t => {
  const { answerer, neglect, ask, tick } = answererAt(t);
  ask(1);
  answerer.setRoots([]);
  tick(noticed);
  tick(3000);
  answerer.setRoots([{ ...web }]);
  assert.deepEqual(neglect, [true, false]);
  tick(60_000);
  assert.deepEqual(neglect, [true, false]);
});

test('also before the time is over', t => {
  const { answerer, neglect, ask, tick } = answererAt(t);
  ask(1);
  answerer.setRoots([]);
  tick(noticed);
  tick(1000);
  answerer.setRoots([web]);
  tick(60_000);
  assert.deepEqual(neglect, []);
});

test('a server that is gone neglects nothing', t => {
  const { answerer, neglect, ask, tick } = answererAt(t);
  ask(1);
  answerer.setRoots([]);
  tick(noticed);
  tick(3000);
  answerer.dispose();
  assert.deepEqual(neglect, [true, false]);
});

test('a server of the modern revisions is handed its roots in each call, neglects none and gets no notice', t => {
  const { answerer, neglect, notices, tick } = answererAt(t, undefined, 'modern');
  assert.deepEqual(answerer.answerInput(['a'], 'where'), { a: { roots: [web] } });
  for (const roots of [[api], [web, api], []]) {
    answerer.setRoots(roots);
    tick(60_000);
  }
  assert.deepEqual([neglect, notices], [[], []]);
});

const notice = 'notifications/roots/list_changed';
const folder = (number: number) => ({ uri: `file:///proj/${number}`, name: `${number}` });

test('a hundred changes in one burst are one notice', t => {
  const { answerer, notices, tick } = answererAt(t);
  for (let change = 0; change < 100; change++) {
    answerer.setRoots([web, folder(change)]);
  }
  tick(5000);
  assert.deepEqual(notices, [notice]);
});

test('a hundred changes over more than a second are two notices at most', t => {
  const { answerer, notices, replies, ask, tick } = answererAt(t);
  for (let change = 0; change < 100; change++) {
    answerer.setRoots([web, folder(change)]);
    tick(15);
  }
  tick(5000);
  ask(1);
  assert.deepEqual(notices, [notice, notice]);
  assert.deepEqual(replies, [[1, { result: { roots: [web, folder(99)] } }]]);
});

test('an equal list is no change, and neither is one that came and went within the burst', t => {
  const { answerer, notices, replies, ask, tick } = answererAt(t);
  answerer.setRoots([{ ...web }]);
  tick(5000);
  answerer.setRoots([api]);
  answerer.setRoots([web]);
  tick(5000);
  ask(1);
  assert.deepEqual([notices, replies], [[], [[1, { result: { roots: [web] } }]]]);
});

test('a server that asked after a change, but before the notice, gets the newest list and is not told again', t => {
  const { answerer, notices, replies, ask, tick } = answererAt(t);
  answerer.setRoots([api]);
  ask(1);
  tick(5000);
  assert.deepEqual([notices, replies], [[], [[1, { result: { roots: [api] } }]]]);
});

test('a server is told of every change, even when it never asks', t => {
  const { answerer, notices, tick } = answererAt(t);
  for (const roots of [[api], [web], []]) {
    answerer.setRoots(roots);
    tick(50);
  }
  assert.deepEqual(notices, [notice, notice, notice]);
});
