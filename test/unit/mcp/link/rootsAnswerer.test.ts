import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { RequestId } from '@modelcontextprotocol/client';
import type { Era } from '../../../../src/domain/exposure.ts';
import {
  type LookAgain,
  type RootsAnswer,
  RootsAnswerer,
  type RootsClient,
} from '../../../../src/mcp/link/rootsAnswerer.ts';
import type { ResponseBody } from '../../../../src/mcp/process/wire.ts';

const web = { uri: 'file:///proj/web', name: 'web' };
const api = { uri: 'file:///proj/api', name: 'api' };
const times = { answersPerSecond: 2, neglect: 3000 };
const busy = { error: { code: -32000, message: 'Too many open requests' } };

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

test('answers a flood together with the present roots', t => {
  const { answerer, answers, replies, ask, tick } = answererAt(t);
  for (let id = 1; id <= 5; id++) {
    assert.equal(ask(id), true);
  }
  assert.deepEqual(replies, [
    [1, { result: { roots: [web] } }],
    [2, { result: { roots: [web] } }],
  ]);
  answerer.setRoots([]);
  tick(1000);
  assert.deepEqual(
    replies.slice(2),
    [3, 4, 5].map(id => [id, { result: { roots: [] } }]),
  );
  assert.deepEqual(answers, [answer(1), answer(1), answer(3, [])]);
});

/** Looks that end when the test says so. */
function slowLooks() {
  const ends: (() => void)[] = [];
  const look = () => new Promise<void>(resolve => ends.push(resolve));
  const end = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { look, end };
}

test('looks again before each answer', async t => {
  const { look, end } = slowLooks();
  const { answerer, answers, replies, ask } = answererAt(t, look);
  ask(1);
  assert.deepEqual([replies, answers], [[], []]);
  answerer.setRoots([api]);
  await end();
  assert.deepEqual(replies, [[1, { result: { roots: [api] } }]]);
  assert.deepEqual(answers, [answer(1, [api])]);
});

test('answers nothing when it is disposed of during a look', async t => {
  const { look, end } = slowLooks();
  const { answerer, answers, replies, ask } = answererAt(t, look);
  [1, 2].forEach(ask);
  answerer.dispose();
  await end();
  assert.deepEqual([replies, answers], [[], []]);
  assert.deepEqual(answerer.answerInput(['a'], 'where'), { a: { roots: [] } });
});

test('sends the folder of a root and records none', t => {
  const { answerer, answers, replies, ask } = answererAt(t);
  answerer.setRoots([{ ...web, folder: '1:2' }, api]);
  ask(1);
  const told = { ...web, _meta: { 'mcp-roots/folder': '1:2' } };
  assert.deepEqual(replies, [[1, { result: { roots: [told, api] } }]]);
  assert.deepEqual(answers, [answer(1, [web, api])]);
  assert.deepEqual(answerer.answerInput(['a'], 'where'), { a: { roots: [told, api] } });
});

test('answers each request of an endless flood once', t => {
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

test('refuses an id too long to remember, and any request after its end', t => {
  const { answerer, answers, replies, ask, tick } = answererAt(t);
  const id = 'x'.repeat(257);
  ask(id);
  assert.deepEqual([replies, answers], [[[id, busy]], []]);
  [1, 2, 3].forEach(ask);
  answerer.dispose();
  ask(4);
  tick(10_000);
  assert.deepEqual(replies.slice(3), [[4, busy]]);
});

/** The server asks, the roots change, so many milliseconds pass, or the server is gone. */
type Step = 'ask' | readonly { readonly uri: string; readonly name: string }[] | number | 'end';

/** The result of these steps on the test's clock. */
function after(t: TestContext, steps: readonly Step[], era?: Era) {
  t.mock.timers.reset();
  const scene = answererAt(t, undefined, era);
  for (const step of steps) {
    if (step === 'ask') {
      scene.ask(1);
    } else if (step === 'end') {
      scene.answerer.dispose();
    } else if (typeof step === 'number') {
      scene.tick(step);
    } else {
      scene.answerer.setRoots(step);
    }
  }
  return scene;
}

/** Every row of a table with the result of its steps, which must equal the table. */
function rowsAfter<T>(
  t: TestContext,
  table: readonly (readonly [string, readonly Step[], T])[],
  outcome: (scene: ReturnType<typeof after>) => T,
) {
  return table.map(([title, steps]) => [title, steps, outcome(after(t, steps))]);
}

/** Until the notice of a change, which waits for the burst to end. */
const noticed = 50;
const neglects: readonly (readonly [string, readonly Step[], readonly boolean[]])[] = [
  ['within three seconds', ['ask', [], noticed, 2999], []],
  ['after three seconds', ['ask', [], noticed, 3000, 60_000], [true]],
  ['asks late', ['ask', [], noticed, 3000, 'ask'], [true, false]],
  ['asks in time', ['ask', [api], noticed, 2999, 'ask', 60_000], []],
  ['further changes', ['ask', [api], noticed, 2000, [], 1000], [true]],
  ['never asked', [[], 60_000], []],
  ['has the right roots again', ['ask', [], noticed, 3000, [{ ...web }], 60_000], [true, false]],
  ['has them again in time', ['ask', [], noticed, 1000, [web], 60_000], []],
  ['is gone', ['ask', [], noticed, 3000, 'end'], [true, false]],
];

test('reports that a server ignores a change when it does not ask within three seconds', t => {
  assert.deepEqual(
    rowsAfter(t, neglects, ({ neglect }) => neglect),
    neglects,
  );
});

test('gives a modern server its roots in each call, without notices', t => {
  const steps = [[api], 60_000, [web, api], 60_000, [], 60_000];
  const { answerer, neglect, notices } = after(t, steps, 'modern');
  assert.deepEqual(answerer.answerInput(['a'], 'where'), { a: { roots: [] } });
  assert.deepEqual([neglect, notices], [[], []]);
});

const folder = (number: number) => ({ uri: `file:///proj/${number}`, name: `${number}` });
const hundred = Array.from({ length: 100 }, (_, change) => [web, folder(change)]);
const notices: readonly (readonly [string, readonly Step[], number])[] = [
  ['a hundred changes in one burst', [...hundred, 5000], 1],
  ['over more than a second', [...hundred.flatMap(change => [change, 15]), 5000], 2],
  ['an equal list', [[{ ...web }], 5000], 0],
  ['a change that came and went within the burst', [[api], [web], 5000], 0],
  ['the server asked between the change and the notice', [[api], 'ask', 5000], 0],
  ['three changes, though it never asks', [[api], 50, [web], 50, [], 50], 3],
];

test('sends a notice of every change that a server does not know', t => {
  assert.deepEqual(
    rowsAfter(t, notices, scene => scene.notices.length),
    notices,
  );
});
