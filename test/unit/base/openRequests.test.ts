import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { OpenRequests } from '../../../src/base/openRequests.ts';

test('a number and its text are two ids, and the one stands for the other where it is alone', () => {
  const requests = new OpenRequests<string>();
  deepEqual([requests.open(1, 'number'), requests.open('1', 'text')], [true, true]);
  deepEqual([requests.get(1), requests.get('1')], ['number', 'text']);
  deepEqual([requests.idOf(1), requests.idOf('1')], [1, '1']);
  deepEqual([requests.settle('1'), requests.settle('1')], ['text', undefined]);
  deepEqual([requests.get('1'), requests.idOf('1'), requests.idOf('2')], [undefined, 1, undefined]);
  requests.open('2', 'text');
  equal(requests.idOf(2), '2');
});

test('a request is settled by its value only if it is that one', () => {
  const requests = new OpenRequests<string>();
  requests.open(1, 'later');
  deepEqual([requests.settle(1, 'earlier'), requests.size], [undefined, 1]);
  deepEqual([requests.settle(1, 'later'), requests.size], ['later', 0]);
});

test('what is no id, or only looks like one, names nothing', () => {
  const requests = new OpenRequests<true>();
  requests.open(0, true);
  requests.open(10, true);
  const odd = { toString: 1, valueOf: 1 };
  for (const id of ['', ' ', '00', '1e1', '0x0', null, undefined, false, [0], {}, odd]) {
    deepEqual([requests.get(id), requests.idOf(id)], [undefined, undefined]);
  }
});

test('one more is refused when its id is open, or there are too many', () => {
  const requests = new OpenRequests<string>(3);
  deepEqual([requests.open(1, 'a'), requests.open(1, 'b'), requests.get(1)], [true, false, 'a']);
  deepEqual([requests.open(2, 'c', 100), requests.open(3, 'd')], [true, false]);
  requests.settle(2);
  deepEqual(
    [4, 5, 6].map(id => requests.open(id, 'e')),
    [true, true, false],
  );
});

test('all end in the order in which they were opened, and make room', () => {
  const requests = new OpenRequests<string>(2);
  requests.open(2, 'first');
  requests.open('1', 'second');
  deepEqual(requests.endAll(), [
    [2, 'first'],
    ['1', 'second'],
  ]);
  deepEqual([requests.all, requests.open(3, 'third')], [[], true]);
});

test('who waits until none is open does so until the last one is settled, or all have ended', async () => {
  const requests = new OpenRequests<string>();
  await requests.emptied();
  for (const end of [() => requests.settle(2), () => requests.endAll()]) {
    requests.open(1, 'first');
    requests.open(2, 'second');
    let isEmpty = false;
    const emptied = requests.emptied().then(() => {
      isEmpty = true;
    });
    requests.settle(1);
    await turn();
    equal(isEmpty, false);
    end();
    await emptied;
  }
});

test('whatever is opened and settled, each is open until it is settled, and the limit holds', () => {
  const id = fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 5 }).map(String));
  const size = fc.nat({ max: 10 });
  const most = 12;
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), id, size)), steps => {
      const requests = new OpenRequests<number>(most);
      const open = new Map<string | number, number>();
      for (const [isNew, id, size] of steps) {
        const hasRoom = [...open.values()].reduce((sum, each) => sum + each, 0) < most;
        if (isNew) {
          equal(requests.open(id, size, size), hasRoom && !open.has(id));
          if (hasRoom && !open.has(id)) {
            open.set(id, size);
          }
        } else {
          const other = typeof id === 'string' ? Number(id) : String(id);
          const known = open.has(id) ? id : other;
          equal(requests.idOf(id), open.has(known) ? known : undefined);
          deepEqual([requests.get(id), requests.settle(id)], [open.get(id), open.get(id)]);
          open.delete(id);
        }
        deepEqual(requests.all, [...open]);
      }
    }),
  );
});
