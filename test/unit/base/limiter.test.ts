import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { Limiter, WaitingLine } from '../../../src/base/limiter.ts';
import { turnsOfTheLoop } from '../../support/turns.ts';

const never = new AbortController().signal;

/** Works that are started by name and end when they are told to. */
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
        return `${name} is done`;
      },
      signal,
      owner,
    );
  const end = async (name: string, failure?: Error) => {
    endings.get(name)!(failure);
    await turnsOfTheLoop();
  };
  return { started, take, end };
}

test('as many works as may run are started at once, the others in the order in which they came', async () => {
  const { started, take, end } = works(new Limiter({ running: 2, waiting: 3 }));
  const taken = ['a', 'b', 'c', 'd', 'e'].map(name => take(name));
  assert.deepEqual(started, ['a', 'b']);
  await end('b');
  assert.deepEqual(started, ['a', 'b', 'c']);
  await end('a');
  await end('c');
  assert.deepEqual(started, ['a', 'b', 'c', 'd', 'e']);
  await end('e');
  await end('d');
  assert.deepEqual(
    await Promise.all(taken),
    ['a', 'b', 'c', 'd', 'e'].map(name => `${name} is done`),
  );
});

test('what comes when too much waits is turned away, and never started', async () => {
  const { started, take, end } = works(new Limiter({ running: 1, waiting: 1 }));
  const taken = [take('a'), take('b')];
  assert.equal(await take('c'), 'busy');
  await end('a');
  await end('b');
  assert.deepEqual(await Promise.all(taken), ['a is done', 'b is done']);
  assert.deepEqual(started, ['a', 'b']);
  const later = take('d');
  await end('d');
  assert.equal(await later, 'd is done');
});

test('a work that fails, at once or later, makes place for the next one', async () => {
  const limiter = new Limiter({ running: 1, waiting: 5 });
  const { started, take, end } = works(limiter);
  const failure = new Error('The disk is gone.');
  const failing = assert.rejects(take('a'), failure);
  const thrown = limiter.run(() => {
    throw failure;
  }, never);
  const throwing = assert.rejects(thrown, failure);
  const last = take('b');
  await end('a', failure);
  await Promise.all([failing, throwing]);
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a', 'b']);
  await end('b');
  assert.equal(await last, 'b is done');
});

test('an aborted work leaves the queue at once, is never started, and makes place there', async () => {
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
  await end('a');
  await end('c');
  await end('d');
  assert.deepEqual(await Promise.all([running, waiting, last]), [
    'a is done',
    'c is done',
    'd is done',
  ]);
  assert.deepEqual(started, ['a', 'c', 'd']);
});

test('a work that is aborted around the moment its turn comes either starts or passes its turn on', async () => {
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
    assert.equal(await last, 'c is done', `at moment ${moment}`);
    assert.equal((await settled)[0].status, isStarted ? 'fulfilled' : 'rejected');
  }
  assert.deepEqual([...started], [false, true]);
});

test('a work that is aborted before it comes is neither started nor counted', async () => {
  const { started, take, end } = works(new Limiter({ running: 1, waiting: 0 }));
  await assert.rejects(take('a', AbortSignal.abort()), { name: 'AbortError' });
  const next = take('b');
  await end('b');
  assert.equal(await next, 'b is done');
  assert.deepEqual(started, ['b']);
});

test('owners take turns, and fill no place in the queue of another', async () => {
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

test('a work that leaves its place, once or twice, makes room for one other', async () => {
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
  await end('a');
  await end('b');
  await Promise.all(others);
});

test('while it is paused nothing is started, and afterwards everything in its order', async () => {
  const limiter = new Limiter({ running: 2, waiting: 3 });
  const { started, take, end } = works(limiter);
  const first = take('a');
  limiter.pause();
  const rest = ['b', 'c', 'd'].map(name => take(name));
  assert.equal(await take('e'), 'busy');
  await end('a');
  assert.deepEqual([started, await first], [['a'], 'a is done']);
  limiter.resume();
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a', 'b', 'c']);
  await end('c');
  await end('b');
  await end('d');
  assert.deepEqual(
    await Promise.all(rest),
    ['b', 'c', 'd'].map(name => `${name} is done`),
  );
});

test('of a flood, what runs and what waits stays within the limits, and all is answered', async () => {
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

test('a work that takes long makes room for the next, once', async t => {
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

test('no two works begin in one turn of the event loop', async () => {
  const limiter = new Limiter({ isSpread: true, running: 20 });
  const begun = await turnsOfWorks(limiter);
  assert.equal(new Set(begun).size, begun.length, `begun in turns ${begun}`);
});

test('what waited begins in a later turn of the event loop than the work that made room', async () => {
  const [first, ...waited] = await turnsOfWorks(new Limiter({ running: 1 }));
  assert.equal(first, 0);
  assert.equal(new Set(waited).size, waited.length, `begun in turns ${waited}`);
});

/** In which turns of the event loop twenty works begin, each of which ends at once. */
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

describe('a queue of promises', () => {
  it('is called one by one, in the order in which they came', async () => {
    const line = new WaitingLine();
    const called: string[] = [];
    const waiting = ['a', 'b', 'c'].map(name => line.join(never).then(() => called.push(name)));
    assert.equal(line.lengthOf(undefined), 3);
    assert.equal(line.callNext(), true);
    await waiting[0];
    assert.deepEqual([called, line.lengthOf(undefined)], [['a'], 2]);
    line.callAll();
    await Promise.all(waiting);
    assert.deepEqual([called, line.lengthOf(undefined)], [['a', 'b', 'c'], 0]);
    assert.equal(line.callNext(), false);
  });

  it('is left when the wait is aborted, and the turn goes to the next', async () => {
    const line = new WaitingLine();
    const impatient = new AbortController();
    const left = line.join(impatient.signal);
    const stayed = line.join(never);
    impatient.abort(new Error('enough'));
    await assert.rejects(left, /enough/);
    assert.equal(line.lengthOf(undefined), 1);
    line.callNext();
    await stayed;
  });

  it('takes in no wait that was aborted before, and one that is aborted when called was called', async () => {
    const line = new WaitingLine();
    await assert.rejects(line.join(AbortSignal.abort(new Error('before'))), /before/);
    assert.equal(line.isEmpty, true);
    const late = new AbortController();
    const called = line.join(late.signal);
    line.callNext();
    late.abort();
    await called;
  });
});
