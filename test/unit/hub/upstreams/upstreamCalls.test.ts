import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UpstreamCalls } from '../../../../src/hub/upstreams/upstreamCalls.ts';

const never = new AbortController().signal;

/** Calls that end when they are told to. */
function calls(inFlight: number, waiting = 10) {
  const all = new UpstreamCalls('slow', { inFlight, waiting });
  const begun: { readonly end: (value: string) => void; readonly fail: (e: Error) => void }[] = [];
  const run = () =>
    all.run(
      () => new Promise<string>((resolve, reject) => begun.push({ end: resolve, fail: reject })),
    );
  return { all, begun, run };
}

test('a call is begun in the turn in which it is made, or refused', async () => {
  const { all, begun, run } = calls(2);
  const made = [run(), run()];
  assert.deepEqual([begun.length, all.hasPlace], [2, false]);
  await assert.rejects(run(), {
    name: 'HumanError',
    message: 'The server "slow" is busy: it has not answered 2 calls yet. Try again later.',
  });
  assert.equal(begun.length, 2);
  begun[1]?.end('two');
  assert.equal(await made[1], 'two');
  assert.equal(all.hasPlace, true);
});

test('the calls in flight are counted without those that the hub makes for itself', async () => {
  const { all, begun, run } = calls(10);
  const made = [run(), run()];
  void all.runBeside(() => new Promise(() => {}));
  assert.equal(all.count, 2);
  begun[0]?.end('one');
  await made[0];
  assert.equal(all.count, 1);
});

test('what the hub asks for itself needs no place', async () => {
  const { all, run } = calls(1);
  void run();
  assert.equal(await all.runBeside(async () => 'the list'), 'the list');
});

test('those who wait for a place come in their order, one for each place', async () => {
  const { all, begun, run } = calls(1);
  const woken: string[] = [];
  const wait = async (name: string) => {
    while (!all.hasPlace) {
      await all.place(never);
    }
    woken.push(name);
    return run();
  };
  const answers = ['a', 'b', 'c', 'd'].map(wait);
  for (const [index, name] of ['a', 'b', 'c', 'd'].entries()) {
    await nextTurn();
    await nextTurn();
    assert.deepEqual(woken.at(-1), name);
    begun[index]?.end(name);
  }
  assert.deepEqual(await Promise.all(answers), ['a', 'b', 'c', 'd']);
});

test('a place that is not taken after all goes to the next', async () => {
  const { all, begun, run } = calls(1);
  const first = run();
  const waits = Array.from({ length: 5 }, () => all.place(never));
  begun[0]?.end('done');
  await Promise.all([first, ...waits]);
});

test('too many who wait are turned away, and one who leaves makes room', async () => {
  const { all, begun, run } = calls(1, 1);
  const first = run();
  const leaving = new AbortController();
  const left = all.place(leaving.signal);
  await assert.rejects(all.place(never), /is busy/);
  leaving.abort(new Error('gone'));
  await assert.rejects(left, { message: 'gone' });
  const next = all.place(never);
  begun[0]?.end('done');
  await Promise.all([first, next]);
  await assert.rejects(all.place(AbortSignal.abort(new Error('at once'))), { message: 'at once' });
});

test('all calls fail with the end of their server, whatever else they failed with in that turn', async () => {
  const { all, begun, run } = calls(2);
  const made = [run(), run()];
  begun[0]?.fail(new Error('connection closed'));
  await Promise.resolve();
  all.failAll(new Error('it has crashed'));
  for (const call of made) {
    await assert.rejects(call, { message: 'it has crashed' });
  }
  assert.equal(all.hasPlace, true);
});

test('the error of a server is passed on as it is', async () => {
  const { begun, run } = calls(1);
  const made = run();
  const error = Object.assign(new Error('no'), { code: -32602, data: { a: 1 } });
  begun[0]?.fail(error);
  await assert.rejects(made, thrown => thrown === error);
});
