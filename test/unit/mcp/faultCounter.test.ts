import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import { noFaults } from '../../../src/domain/servers/serverFaults.ts';
import { FaultCounter } from '../../../src/mcp/faultCounter.ts';
import type { Answer } from '../../../src/mcp/rootsAnswerer.ts';
import type { ServerLogEntry } from '../../../src/mcp/serverMessages.ts';
import type { Traffic } from '../../../src/mcp/wire.ts';

/** A counter that follows a server that does what the test says, on a clock of the test's own. */
function counterAt(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 5000 });
  const passed = new Emitter<Traffic>();
  const served = new Emitter<Answer>();
  const logged = new Emitter<ServerLogEntry>();
  const connection = {
    onDidPass: passed.event,
    onDidServeRoots: served.event,
    onDidLog: logged.event,
  };
  let changes = 0;
  const counter = new FaultCounter(() => {
    changes += 1;
  });
  const following = counter.follow(connection);
  const answer = (count: number, trigger: Answer['trigger'] = { kind: 'roots/list' }) =>
    served.fire({ era: 'legacy', trigger, count, roots: [] });
  const rubbish = (length: number) => passed.fire({ kind: 'rubbish', length });
  const stray = () => {
    const message = { jsonrpc: '2.0', id: 1, result: {} } as const;
    passed.fire({ kind: 'stray', direction: 'from-server', message });
  };
  const log = (leftOut?: number) =>
    logged.fire({ level: 'info', text: 'x', ...(leftOut && { leftOut }) });
  const notify = (method: string) => {
    const message = { jsonrpc: '2.0', method } as const;
    passed.fire({ kind: 'message', direction: 'from-server', message });
  };
  const tick = (time: number) => t.mock.timers.tick(time);
  return { counter, following, notify, answer, rubbish, stray, log, tick, changes: () => changes };
}

/** A call of the tool `dig` that is answered when the test says so. */
function callOf(counter: FaultCounter) {
  let resolve: (text: string) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<string>((...settle) => {
    [resolve, reject] = settle;
  });
  return { answer: counter.during('dig', promise), resolve, reject };
}

test('what a server does wrong is counted, and told of together', t => {
  const { counter, rubbish, stray, log, answer, tick, changes } = counterAt(t);
  rubbish(10);
  rubbish(3000);
  rubbish(20);
  stray();
  log(40);
  log(2);
  answer(50);
  assert.equal(changes(), 0);
  tick(200);
  assert.equal(changes(), 1);
  assert.deepEqual(counter.faults, {
    overdueCalls: [],
    floodsRequests: true,
    floodsNotifications: false,
    messagesLeftOut: 42,
    rubbishLines: 3,
    longestRubbish: 3000,
    strayAnswers: 1,
  });
});

test('what a well-behaved server does is no fault', t => {
  const { counter, log, answer, tick, changes } = counterAt(t);
  log();
  answer(1);
  answer(2, { kind: 'tools/call', tool: 'where' });
  tick(5000);
  assert.deepEqual([counter.faults, changes()], [noFaults, 0]);
});

test('notifications that come too fast are a flood; log messages are counted elsewhere', t => {
  const { counter, notify } = counterAt(t);
  const many = (method: string) => {
    for (let count = 0; count < 500; count++) {
      notify(method);
    }
  };
  many('notifications/message');
  many('notifications/progress');
  assert.equal(counter.faults.floodsNotifications, false);
  notify('notifications/progress');
  assert.equal(counter.faults.floodsNotifications, true);
});

test('a server that floods has the views drawn no more than once a second', t => {
  const { rubbish, tick, changes } = counterAt(t);
  for (let time = 0; time < 3000; time += 10) {
    rubbish(10);
    tick(10);
  }
  assert.ok(changes() >= 2 && changes() <= 3, String(changes()));
});

test('a call is told of once it has no answer for ten seconds, until it has one', async t => {
  const { counter, tick, changes } = counterAt(t);
  const { answer, resolve } = callOf(counter);
  tick(9999);
  assert.deepEqual([counter.faults, changes()], [noFaults, 0]);
  tick(1);
  assert.deepEqual(counter.faults.overdueCalls, [{ tool: 'dig', since: 5000 }]);
  assert.equal(changes(), 1);
  tick(60_000);
  assert.equal(changes(), 1);
  resolve('done');
  assert.equal(await answer, 'done');
  assert.deepEqual([counter.faults, changes()], [noFaults, 2]);
});

test('while a person is asked, no call counts as late, and its time begins anew after that', async t => {
  const { counter, tick } = counterAt(t);
  const { answer, resolve } = callOf(counter);
  tick(10_000);
  const asked = callOf(counter);
  const asking = counter.whileAsked(asked.answer);
  tick(60_000);
  assert.deepEqual(counter.faults, noFaults);
  asked.resolve('me');
  assert.equal(await asking, 'me');
  tick(9999);
  assert.deepEqual(counter.faults, noFaults);
  tick(1);
  assert.equal(counter.faults.overdueCalls.length, 1);
  resolve('done');
  await answer;
});

test('a call that fails is over, and fails for who made it', async t => {
  const { counter, tick, changes } = counterAt(t);
  const { answer, reject } = callOf(counter);
  reject(new Error('given up'));
  await assert.rejects(answer, /given up/);
  tick(60_000);
  assert.deepEqual([counter.faults, changes()], [noFaults, 0]);
});

test('a new process has done nothing wrong yet, also not in calls of the one before', async t => {
  const { counter, rubbish, tick } = counterAt(t);
  rubbish(10);
  const { answer, resolve } = callOf(counter);
  tick(10_000);
  counter.begin();
  assert.deepEqual(counter.faults, noFaults);
  resolve('late');
  assert.equal(await answer, 'late');
  assert.deepEqual(counter.faults, noFaults);
});

test('nothing is counted any more when it follows no longer', t => {
  const { counter, following, rubbish } = counterAt(t);
  following.dispose();
  rubbish(10);
  assert.deepEqual(counter.faults, noFaults);
});
