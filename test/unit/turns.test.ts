import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { Turns } from '../../src/server/turns.ts';

const never = new AbortController().signal;

/** Works that are started by name and end when they are told to. */
function works(turns: Turns) {
  const started: string[] = [];
  const endings = new Map<string, (failure?: Error) => void>();
  const take = (name: string, signal = never) =>
    turns.take(async () => {
      started.push(name);
      await new Promise<void>((resolve, reject) => {
        endings.set(name, failure => (failure ? reject(failure) : resolve()));
      });
      return `${name} is done`;
    }, signal);
  const end = async (name: string, failure?: Error) => {
    endings.get(name)!(failure);
    await immediate();
  };
  return { started, take, end };
}

test('as many works as may run are started at once, the others in the order in which they came', async () => {
  const { started, take, end } = works(new Turns({ running: 2, waiting: 3 }));
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
  const { started, take, end } = works(new Turns({ running: 1, waiting: 1 }));
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
  const turns = new Turns({ running: 1, waiting: 5 });
  const { started, take, end } = works(turns);
  const failure = new Error('The disk is gone.');
  const failing = assert.rejects(take('a'), failure);
  const thrown = turns.take(() => {
    throw failure;
  }, never);
  const throwing = assert.rejects(thrown, failure);
  const last = take('b');
  await end('a', failure);
  await Promise.all([failing, throwing]);
  await immediate();
  assert.deepEqual(started, ['a', 'b']);
  await end('b');
  assert.equal(await last, 'b is done');
});

test('an aborted work leaves the queue at once, is never started, and makes place there', async () => {
  const { started, take, end } = works(new Turns({ running: 1, waiting: 2 }));
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
  for (let ticks = 0; ticks < 10; ticks++) {
    const work = works(new Turns({ running: 1, waiting: 2 }));
    const aborting = new AbortController();
    const first = work.take('a');
    const settled = Promise.allSettled([work.take('b', aborting.signal)]);
    const last = work.take('c');
    const ending = work.end('a');
    for (let tick = 0; tick < ticks; tick++) {
      await undefined;
    }
    aborting.abort();
    await Promise.all([first, ending]);
    const isStarted = work.started.includes('b');
    started.add(isStarted);
    if (isStarted) {
      await work.end('b');
    }
    await work.end('c');
    assert.equal(await last, 'c is done', `after ${ticks} ticks`);
    assert.equal((await settled)[0].status, isStarted ? 'fulfilled' : 'rejected');
  }
  assert.deepEqual([...started], [false, true]);
});

test('a work that is aborted before it comes is neither started nor counted', async () => {
  const { started, take, end } = works(new Turns({ running: 1, waiting: 0 }));
  await assert.rejects(take('a', AbortSignal.abort()), { name: 'AbortError' });
  const next = take('b');
  await end('b');
  assert.equal(await next, 'b is done');
  assert.deepEqual(started, ['b']);
});

test('while it is paused nothing is started, and afterwards everything in its order', async () => {
  const turns = new Turns({ running: 2, waiting: 3 });
  const { started, take, end } = works(turns);
  const first = take('a');
  turns.pause();
  const rest = ['b', 'c', 'd'].map(name => take(name));
  assert.equal(await take('e'), 'busy');
  await end('a');
  assert.deepEqual([started, await first], [['a'], 'a is done']);
  turns.resume();
  await immediate();
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
  const turns = new Turns({ running: 32, waiting: 1000 });
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await immediate();
    running -= 1;
    return 'done' as const;
  };
  const answers = await Promise.all(Array.from({ length: 20_000 }, () => turns.take(work, never)));
  assert.equal(most, 32);
  assert.equal(answers.filter(answer => answer === 'done').length, 1032);
  assert.equal(answers.filter(answer => answer === 'busy').length, 20_000 - 1032);
  assert.equal(await turns.take(work, never), 'done');
});
