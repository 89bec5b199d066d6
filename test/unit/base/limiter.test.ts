import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { Limiter, WaitingLine } from '../../../src/base/limiter.ts';
import { turnsOfTheLoop } from '../../support/turns.ts';

const never = new AbortController().signal;

/** Works that start by name and end on request. */
function works(limiter: Limiter) {
  const started: string[] = [];
  const endings = new Map<string, (failure?: Error) => void>();
  const take = (name: string, signal = never, owner?: string) =>
    limiter.run(
      async () => {
        started.push(name);
        await new Promise<void>((resolve, reject) => {
          endings.set(name, failure => (failure ? reject(failure) : resolve()));
        });
        return name;
      },
      signal,
      owner,
    );
  const fail = async (name: string, failure?: Error) => {
    endings.get(name)!(failure);
    await turnsOfTheLoop();
  };
  const end = async (...names: readonly string[]) => {
    for (const name of names) {
      await fail(name);
    }
  };
  return { started, take, end, fail };
}

test('runs works up to the limit, and queues the others in order', async () => {
  const { started, take, end } = works(new Limiter({ running: 2, waiting: 3 }));
  const taken = ['a', 'b', 'c', 'd', 'e'].map(name => take(name));
  assert.deepEqual(started, ['a', 'b']);
  await end('b');
  assert.deepEqual(started, ['a', 'b', 'c']);
  await end('a', 'c');
  assert.deepEqual(started, ['a', 'b', 'c', 'd', 'e']);
  await end('e', 'd');
  assert.deepEqual(await Promise.all(taken), started);
});

test('turns works away when too many wait', async () => {
  const { started, take, end } = works(new Limiter({ running: 1, waiting: 1 }));
  const taken = [take('a'), take('b')];
  assert.equal(await take('c'), 'busy');
  await end('a', 'b');
  assert.deepEqual(await Promise.all(taken), ['a', 'b']);
  assert.deepEqual(started, ['a', 'b']);
  await assert.rejects(take('aborted', AbortSignal.abort()), { name: 'AbortError' });
  const later = take('d');
  await end('d');
  assert.equal(await later, 'd');
});

test('makes room after a work that fails', async () => {
  const limiter = new Limiter({ running: 1, waiting: 5 });
  const { started, take, end, fail } = works(limiter);
  const failure = new Error('The disk is gone.');
  const failing = assert.rejects(take('a'), failure);
  const thrown = limiter.run(() => {
    throw failure;
  }, never);
  const throwing = assert.rejects(thrown, failure);
  const last = take('b');
  await fail('a', failure);
  await Promise.all([failing, throwing]);
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a', 'b']);
  await end('b');
  assert.equal(await last, 'b');
});

test('removes an aborted work from the queue', async () => {
  const { started, take, end } = works(new Limiter({ running: 1, waiting: 2 }));
  const aborting = new AbortController();
  const running = take('a');
  const aborted = take('b', aborting.signal);
  const waiting = take('c');
  const reason = new Error('The client has cancelled the request.');
  aborting.abort(reason);
  await assert.rejects(aborted, reason);
  const last = take('d');
  assert.equal(await take('e'), 'busy');
  await end('a', 'c', 'd');
  assert.deepEqual(await Promise.all([running, waiting, last]), ['a', 'c', 'd']);
  assert.deepEqual(started, ['a', 'c', 'd']);
});

test('passes the turn of an aborted work on', async () => {
  const started = new Set<boolean>();
  for (let moment = 0; moment < 10; moment++) {
    const work = works(new Limiter({ running: 1, waiting: 2 }));
    const aborting = new AbortController();
    const first = work.take('a');
    const settled = Promise.allSettled([work.take('b', aborting.signal)]);
    const last = work.take('c');
    const ending = work.end('a');
    for (let tick = 0; tick < moment; tick++) {
      await (tick < 5 ? undefined : immediate());
    }
    aborting.abort();
    await Promise.all([first, ending]);
    const isStarted = work.started.includes('b');
    started.add(isStarted);
    if (isStarted) {
      await work.end('b');
    }
    await work.end('c');
    assert.equal(await last, 'c', `at moment ${moment}`);
    assert.equal((await settled)[0].status, isStarted ? 'fulfilled' : 'rejected');
  }
  assert.deepEqual([...started], [false, true]);
});

test('lets owners take turns', async () => {
  const { started, take, end } = works(new Limiter({ running: 1, waiting: 3 }));
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
  const taken = names.map(name => take(name, never, name[0]));
  assert.equal(await take('a5', never, 'a'), 'busy');
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) {
    assert.equal(started.at(-1), name);
    await end(name);
  }
  await Promise.all(taken);
});

test('starts one other work when a work leaves its place', async () => {
  const limiter = new Limiter({ running: 1, waiting: 2 });
  const { started, take, end } = works(limiter);
  let leave = () => {};
  let endFirst = () => {};
  const first = limiter.run(left => {
    leave = left;
    return new Promise<void>(resolve => {
      endFirst = resolve;
    });
  }, never);
  const others = [take('a'), take('b')];
  leave();
  leave();
  await turnsOfTheLoop();
  endFirst();
  await first;
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a']);
  await end('a', 'b');
  await Promise.all(others);
});

test('starts nothing while it is paused', async () => {
  const limiter = new Limiter({ running: 2, waiting: 3 });
  const { started, take, end } = works(limiter);
  const first = take('a');
  limiter.pause();
  const rest = ['b', 'c', 'd'].map(name => take(name));
  assert.equal(await take('e'), 'busy');
  await end('a');
  assert.deepEqual([started, await first], [['a'], 'a']);
  limiter.resume();
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a', 'b', 'c']);
  await end('c', 'b', 'd');
  assert.deepEqual(await Promise.all(rest), ['b', 'c', 'd']);
});

test('keeps its limits in a flood and answers every work', async () => {
  const limiter = new Limiter({ running: 32, waiting: 1000 });
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await immediate();
    running -= 1;
    return 'done' as const;
  };
  const answers = await Promise.all(Array.from({ length: 20_000 }, () => limiter.run(work, never)));
  assert.equal(most, 32);
  assert.equal(answers.filter(answer => answer === 'done').length, 1032);
  assert.equal(answers.filter(answer => answer === 'busy').length, 20_000 - 1032);
  assert.equal(await limiter.run(work, never), 'done');
});

test('makes room once for a slow work', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { started, take, end } = works(new Limiter({ running: 1, longest: 250 }));
  const results = ['a', 'b', 'c'].map(name => take(name));
  t.mock.timers.tick(249);
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a']);
  t.mock.timers.tick(1);
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a', 'b']);
  await end('a');
  assert.deepEqual(started, ['a', 'b']);
  await end('b');
  assert.deepEqual(started, ['a', 'b', 'c']);
  await end('c');
  await Promise.all(results);
});

test('begins waiting or spread works in separate turns of the event loop', async () => {
  for (const limits of [{ isSpread: true, running: 20 }, { running: 1 }]) {
    const [, ...begun] = await turnsOfWorks(new Limiter(limits));
    assert.equal(new Set(begun).size, begun.length, `begun in turns ${begun}`);
  }
});

/** The turns of the event loop in which twenty short works begin. */
async function turnsOfWorks(limiter: Limiter): Promise<readonly number[]> {
  const begun: number[] = [];
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) {
      setImmediate(count);
    }
  };
  setImmediate(count);
  await Promise.all(Array.from({ length: 20 }, () => limiter.run(async () => begun.push(turn))));
  isOver = true;
  return begun;
}

test('a queue calls one or all, and refuses an aborted wait', async () => {
  const line = new WaitingLine();
  await assert.rejects(line.join(AbortSignal.abort(new Error('before'))), /before/);
  assert.deepEqual([line.isEmpty, line.callNext()], [true, false]);
  const late = new AbortController();
  const called = line.join(late.signal);
  line.callNext();
  late.abort();
  await called;
  const waiting = [line.join(), line.join()];
  line.callAll();
  await Promise.all(waiting);
});
