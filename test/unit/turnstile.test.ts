import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turnstile } from '../../src/base/turnstile.ts';

/** Works that are started by name and end when they are told to. */
function works(turnstile: Turnstile) {
  const started: string[] = [];
  const endings = new Map<string, (failure?: Error) => void>();
  const pass = (name: string) =>
    turnstile.pass(() => {
      started.push(name);
      return new Promise<string>((resolve, reject) => {
        endings.set(name, failure => (failure ? reject(failure) : resolve(`${name} is done`)));
      });
    });
  const end = (name: string, failure?: Error) => endings.get(name)!(failure);
  return { started, pass, end };
}

/** Lets everything happen that waits for nothing but the event loop. */
async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn();
  }
}

test('as many works as may are let in, the others in their order when there is room', async () => {
  const { started, pass, end } = works(new Turnstile({ atOnce: 2, longest: 60_000 }));
  const results = ['a', 'b', 'c', 'd'].map(pass);
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a', 'b']);
  end('b');
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a', 'b', 'c']);
  end('a');
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a', 'b', 'c', 'd']);
  end('c');
  end('d');
  assert.deepEqual(await Promise.all(results), [
    'a is done',
    'b is done',
    'c is done',
    'd is done',
  ]);
});

test('a work that fails lets the next in, and its failure reaches who waits for it', async () => {
  const { started, pass, end } = works(new Turnstile({ atOnce: 1, longest: 60_000 }));
  const first = assert.rejects(pass('a'), /out of luck/);
  const second = pass('b');
  await turnsOfTheLoop();
  end('a', new Error('out of luck'));
  await first;
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a', 'b']);
  end('b');
  await second;
});

test('a work that takes long makes room for the next, once', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { started, pass, end } = works(new Turnstile({ atOnce: 1, longest: 250 }));
  const results = ['a', 'b', 'c'].map(pass);
  await turnsOfTheLoop();
  t.mock.timers.tick(249);
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a']);
  t.mock.timers.tick(1);
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a', 'b']);
  end('a');
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a', 'b']);
  end('b');
  await turnsOfTheLoop();
  assert.deepEqual(started, ['a', 'b', 'c']);
  end('c');
  await Promise.all(results);
});

test('no two works begin in one turn of the event loop', async () => {
  const turnstile = new Turnstile({ atOnce: 20, longest: 60_000 });
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
  await Promise.all(Array.from({ length: 20 }, () => turnstile.pass(async () => begun.push(turn))));
  isOver = true;
  assert.equal(new Set(begun).size, begun.length, `begun in turns ${begun}`);
});
