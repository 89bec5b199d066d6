import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UpstreamCalls } from '../../../../src/hub/upstreams/upstreamCalls.ts';

/** Calls that end when they are told to. */
function calls() {
  const all = new UpstreamCalls();
  const begun: { readonly end: (value: string) => void; readonly fail: (e: Error) => void }[] = [];
  const run = () =>
    all.run(
      () => new Promise<string>((resolve, reject) => begun.push({ end: resolve, fail: reject })),
    );
  return { all, begun, run };
}

test('a call is begun in the turn in which it is made', async () => {
  const { begun, run } = calls();
  const made = [run(), run()];
  assert.equal(begun.length, 2);
  begun[1]?.end('two');
  assert.equal(await made[1], 'two');
});

test('the calls in flight are counted without those that the hub makes for itself', async () => {
  const { all, begun, run } = calls();
  const made = [run(), run()];
  void all.runBeside(() => new Promise(() => {}));
  assert.equal(all.count, 2);
  begun[0]?.end('one');
  await made[0];
  assert.equal(all.count, 1);
});

test('all calls fail with the end of their server, whatever else they failed with in that turn', async () => {
  const { all, begun, run } = calls();
  const made = [run(), run()];
  begun[0]?.fail(new Error('connection closed'));
  await Promise.resolve();
  all.failAll(new Error('it has crashed'));
  for (const call of made) {
    await assert.rejects(call, { message: 'it has crashed' });
  }
  assert.equal(all.count, 0);
});

test('the error of a server is passed on as it is', async () => {
  const { begun, run } = calls();
  const made = run();
  const error = Object.assign(new Error('no'), { code: -32602, data: { a: 1 } });
  begun[0]?.fail(error);
  await assert.rejects(made, thrown => thrown === error);
});
