import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { CachedAnswer, type KnownAnswer } from '../../../../src/server/roots/cachedAnswer.ts';
import { TurnedClock } from '../../../support/turnedClock.ts';

test('it asks on the first use, and not again while the answer holds', async () => {
  const world = new World();
  const first = world.read();
  world.answer('a');
  deepEqual([await first, await world.read(), world.questions.length], ['a', 'a', 1]);
});

test('an outdated answer is never read again, and the next one is waited for', async () => {
  const world = new World();
  await world.know('old');
  world.cached.outdate();
  const read = world.read();
  await settle();
  equal(world.questions.length, 2);
  world.answer('new');
  equal(await read, 'new');
});

test('an answer to a question that was asked before the change is not used', async () => {
  const world = new World();
  world.cached.outdate();
  const read = world.read();
  world.cached.outdate();
  world.answer('stale');
  await settle();
  equal(world.questions.length, 2);
  world.answer('fresh');
  equal(await read, 'fresh');
});

test('an answer and a change that arrive together count in the order they came', async () => {
  const world = new World();
  world.cached.outdate();
  const read = world.read();
  world.answer('stale');
  world.cached.outdate();
  await settle();
  world.answer('fresh');
  equal(await read, 'fresh');
});

test('of many changes during a question, one more question remains', async () => {
  const world = new World();
  world.cached.outdate();
  for (let change = 0; change < 100; change++) {
    world.cached.outdate();
  }
  world.answer('one');
  await settle();
  world.answer('two');
  deepEqual([await world.read(), world.questions.length], ['two', 2]);
});

test('a question that takes longer than the limit has failed, and is called off', async () => {
  const world = new World();
  const read = world.read();
  world.pass(5000);
  equal(await read, 'The client has not answered yet.');
  world.pass(1000);
  const second = world.read();
  world.pass(4000);
  equal(await second, 'The client did not answer within 10 seconds.');
  deepEqual(
    [world.questions[0]?.signal.aborted, world.logged],
    [true, ['The client did not answer within 10 seconds.']],
  );
});

test('an answer after the limit is not used, even where it comes nevertheless', async () => {
  const world = new World();
  world.cached.outdate();
  world.pass(10_000);
  await settle();
  world.answer('late');
  const read = world.read();
  world.pass(5000);
  equal(await read, 'The client has not answered yet.');
});

test('an error is no answer, and the next use asks again', async () => {
  const world = new World();
  await world.know('old');
  world.cached.outdate();
  const read = world.read();
  world.fail(new Error('no roots today'));
  equal(await read, 'The client did not name its roots: no roots today');
  const next = world.read();
  await settle();
  world.answer('new');
  deepEqual([await next, world.logged.length], ['new', 1]);
});

test('work starts in the same turn in which the answer is read', async () => {
  const world = new World();
  await world.know('old');
  const order: string[] = [];
  const used = world.cached.use(
    known => order.push(known.ok ? known.value : 'unknown'),
    () => 0,
  );
  order.push('change');
  world.cached.outdate();
  world.answer('new');
  await used;
  deepEqual(order, ['old', 'change']);
});

test('after the end of the session nothing is asked and nothing is known', async () => {
  const world = new World();
  await world.know('old');
  world.cached.outdate();
  const waiting = world.read();
  world.cached.dispose();
  world.answer('too late');
  const over = { name: 'HumanError', message: 'The session has ended.' };
  await rejects(waiting, over);
  await rejects(world.read(), over);
  deepEqual([world.questions.length, world.questions[1]?.signal.aborted], [2, true]);
});

test('no timer is left when everything is answered', async () => {
  const world = new World();
  await world.know('a');
  world.cached.outdate();
  const reads = [world.read(), world.read()];
  world.answer('b');
  deepEqual([await Promise.all(reads), world.clock.waiting], [['b', 'b'], 0]);
});

test('work that is covered by the next answer goes on and is answered', async () => {
  const world = new World();
  await world.know('a');
  const work = await world.work();
  world.cached.outdate();
  world.answer('a b');
  await settle();
  equal(work.isRevoked(), false);
  work.end('done');
  equal(await work.result, 'done');
});

test('work whose answer is revoked is told so at once, and answers that it was', async () => {
  const world = new World();
  await world.know('a b');
  const work = await world.work();
  world.cached.outdate();
  world.answer('a');
  equal(await work.result, 'revoked');
  equal(work.isRevoked(), true);
});

test('work that ends while a change is under way is answered once it is known to be covered', async () => {
  const world = new World();
  await world.know('a');
  const [first, second] = [await world.work(), await world.work()];
  world.cached.outdate();
  first.end('found');
  await settle();
  second.end('found, too');
  world.answer('b');
  deepEqual(await Promise.all([first.result, second.result]), ['revoked', 'revoked']);
});

test('work that ends after a change that is never answered is not answered either', async () => {
  const world = new World();
  await world.know('a');
  const work = await world.work();
  world.cached.outdate();
  work.end('found');
  await settle();
  world.pass(5000);
  equal(await work.result, 'revoked');
});

test('a question that fails revokes, and so does the end of the session', async () => {
  const world = new World();
  await world.know('a');
  const work = await world.work();
  world.cached.outdate();
  world.fail(new Error('no'));
  equal(await work.result, 'revoked');
  await world.know('a');
  const last = await world.work();
  world.cached.dispose();
  equal(await last.result, 'revoked');
});

test('each answer that is not outdated is told of once', async () => {
  const world = new World();
  await world.know('a');
  world.cached.outdate();
  world.cached.outdate();
  world.answer('stale');
  await settle();
  world.answer('b');
  await world.read();
  world.cached.outdate();
  world.fail(new Error('no'));
  await settle();
  deepEqual(world.heard, ['a', 'b', 'The client did not name its roots: no']);
});

interface Work {
  readonly result: Promise<string>;
  end(result: string): void;
  isRevoked(): boolean;
}

interface Question {
  readonly signal: AbortSignal;
  resolve(known: KnownAnswer<string>): void;
  reject(error: Error): void;
}

/** A client that answers when told to, and a clock that moves when told to. */
class World {
  readonly questions: Question[] = [];
  readonly logged: string[] = [];
  readonly heard: string[] = [];
  readonly clock = new TurnedClock();

  readonly cached = new CachedAnswer<string>({
    ask: signal => {
      return new Promise((resolve, reject) => this.questions.push({ signal, resolve, reject }));
    },
    isCovered: (value, next) => next.includes(value),
    onAnswer: known => this.heard.push(known.ok ? known.value : known.reason),
    logger: {
      ...Object.fromEntries(['trace', 'debug', 'info', 'error'].map(level => [level, () => {}])),
      warn: (message: string) => this.logged.push(message),
    } as never,
    after: this.clock.after,
    limit: 10_000,
    patience: 5000,
  });

  /** What is known now, or why nothing is. */
  read(): Promise<string> {
    return this.cached.use(
      known => (known.ok ? known.value : known.reason),
      () => 'revoked',
    );
  }

  /** Work that goes on until it is told to end, or its signal is aborted. */
  async work(): Promise<Work> {
    let end: (result: string) => void = () => {};
    let signal = new AbortController().signal;
    const result = this.cached.use(
      (_known, given) => {
        signal = given;
        return new Promise<string>((resolve, reject) => {
          end = resolve;
          given.addEventListener('abort', () => reject(given.reason));
        });
      },
      () => 'revoked',
    );
    await settle();
    return { end: text => end(text), result, isRevoked: () => signal.aborted };
  }

  async know(value: string): Promise<void> {
    const read = this.read();
    this.answer(value);
    await read;
  }

  answer(value: string): void {
    this.questions.at(-1)?.resolve({ ok: true, value });
  }

  fail(error: Error): void {
    this.questions.at(-1)?.reject(error);
  }

  pass(milliseconds: number): void {
    this.clock.pass(milliseconds);
  }
}

/** Lets everything that waits for an answer go on. */
function settle(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
