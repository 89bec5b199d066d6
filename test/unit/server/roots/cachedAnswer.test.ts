import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { CachedAnswer, type KnownAnswer } from '../../../../src/server/roots/cachedAnswer.ts';
import { noLogger } from '../../../support/noLogger.ts';
import { said } from '../../../support/texts.ts';
import { TurnedClock } from '../../../support/turnedClock.ts';

test('asks on the first use, and not again while the answer holds', async () => {
  const world = new World();
  const first = world.read();
  world.answer('a');
  deepEqual([await first, await world.read(), world.questions.length], ['a', 'a', 1]);
  equal(world.clock.waiting, 0);
});

test('never reads an outdated answer, and waits for the next', async () => {
  const world = await worldThatKnows('old');
  world.cached.outdate();
  const read = world.read();
  await settle();
  equal(world.questions.length, 2);
  world.answer('new');
  equal(await read, 'new');
});

test('ignores an answer to a question from before the change', async () => {
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

test('takes an answer and a change that arrive together in order', async () => {
  const world = new World();
  world.cached.outdate();
  const read = world.read();
  world.answer('stale');
  world.cached.outdate();
  await settle();
  world.answer('fresh');
  equal(await read, 'fresh');
});

test('asks once more after many changes during a question', async () => {
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

test('fails and cancels a question that takes too long', async () => {
  const world = new World();
  const read = world.read();
  world.pass(5000);
  equal(await read, 'cachedAnswer.unanswered.reason()');
  world.pass(1000);
  const second = world.read();
  world.pass(4000);
  const tooLate = 'cachedAnswer.noAnswerWithin.reason(10)';
  equal(await second, tooLate);
  deepEqual([world.questions[0]?.signal.aborted, world.logged], [true, [tooLate]]);
});

test('ignores an answer after the limit', async () => {
  const world = new World();
  world.cached.outdate();
  world.pass(10_000);
  await settle();
  world.answer('late');
  const read = world.read();
  world.pass(5000);
  equal(await read, 'cachedAnswer.unanswered.reason()');
});

test('asks again with the next use after an error', async () => {
  const world = await worldThatKnows('old');
  world.cached.outdate();
  const read = world.read();
  world.fail(new Error('no roots today'));
  equal(await read, 'cachedAnswer.CachedAnswer.reason(no roots today)');
  const next = world.read();
  await settle();
  world.answer('new');
  deepEqual([await next, world.logged.length], ['new', 1]);
});

test('starts work in the turn that reads the answer', async () => {
  const world = await worldThatKnows('old');
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

test('asks nothing and knows nothing after the end of the session', async () => {
  const world = await worldThatKnows('old');
  world.cached.outdate();
  const waiting = world.read();
  world.cached.dispose();
  world.answer('too late');
  const over = { name: 'HumanError' };
  await rejects(waiting, over);
  await rejects(world.read(), over);
  deepEqual([world.questions.length, world.questions[1]?.signal.aborted], [2, true]);
});

test('goes on with work that the next answer covers', async () => {
  const world = await worldThatKnows('a');
  const work = await world.work();
  world.cached.outdate();
  world.answer('a b');
  await settle();
  equal(work.isRevoked(), false);
  work.end('done');
  equal(await work.result, 'done');
});

test('aborts revoked work at once, and answers with the reason', async () => {
  const world = await worldThatKnows('a b');
  const work = await world.work();
  world.cached.outdate();
  world.answer('a');
  equal(await work.result, 'revoked');
  equal(work.isRevoked(), true);
});

test('answers work that ends during a change once the next answer covers it', async () => {
  const world = await worldThatKnows('a');
  const [first, second] = [await world.work(), await world.work()];
  world.cached.outdate();
  first.end('found');
  await settle();
  second.end('found, too');
  world.answer('b');
  deepEqual(await Promise.all([first.result, second.result]), ['revoked', 'revoked']);
});

test('does not answer work after a change that is never answered', async () => {
  const world = await worldThatKnows('a');
  const work = await world.work();
  world.cached.outdate();
  work.end('found');
  await settle();
  world.pass(5000);
  equal(await work.result, 'revoked');
});

test('revokes after a failed question and at the end of the session', async () => {
  const world = await worldThatKnows('a');
  const work = await world.work();
  world.cached.outdate();
  world.fail(new Error('no'));
  equal(await work.result, 'revoked');
  await world.know('a');
  const last = await world.work();
  world.cached.dispose();
  equal(await last.result, 'revoked');
});

test('announces each current answer once', async () => {
  const world = await worldThatKnows('a');
  world.cached.outdate();
  world.cached.outdate();
  world.answer('stale');
  await settle();
  world.answer('b');
  await world.read();
  world.cached.outdate();
  world.fail(new Error('no'));
  await settle();
  deepEqual(world.heard, ['a', 'b', 'cachedAnswer.CachedAnswer.reason(no)']);
});

async function worldThatKnows(value: string): Promise<World> {
  const world = new World();
  await world.know(value);
  return world;
}

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

/** A client and a clock under the test's control. */
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
    onAnswer: known => this.heard.push(known.ok ? known.value : said(known.reason)),
    logger: { ...noLogger, warn: (message: string) => void this.logged.push(said(message)) },
    after: this.clock.after,
    limit: 10_000,
    patience: 5000,
  });

  /** The known value, or the reason for none. */
  read(): Promise<string> {
    return this.cached.use(
      known => (known.ok ? known.value : said(known.reason)),
      () => 'revoked',
    );
  }

  /** Work that runs until the test ends it, or its signal is aborted. */
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
