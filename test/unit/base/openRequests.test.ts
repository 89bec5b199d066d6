import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { OpenRequests } from '../../../src/base/openRequests.ts';

test('settles a request only by its own value', () => {
  const requests = new OpenRequests<string>();
  requests.open(1, 'later');
  deepEqual([requests.settle(1, 'earlier'), requests.size], [undefined, 1]);
  deepEqual([requests.settle(1, 'later'), requests.size], ['later', 0]);
});

test('finds nothing by a value that only looks like an id', () => {
  const requests = new OpenRequests<true>();
  requests.open(0, true);
  requests.open(10, true);
  const odd = { toString: 1, valueOf: 1 };
  for (const id of ['', ' ', '00', '1e1', '0x0', null, undefined, false, [0], {}, odd]) {
    deepEqual([requests.get(id), requests.idOf(id)], [undefined, undefined]);
  }
});

test('refuses an open id, and too many requests', () => {
  const requests = new OpenRequests<string>(3);
  deepEqual([requests.open(1, 'a'), requests.open(1, 'b'), requests.get(1)], [true, false, 'a']);
  deepEqual([requests.open(2, 'c', 100), requests.open(3, 'd')], [true, false]);
  requests.settle(2);
  deepEqual(
    [4, 5, 6].map(id => requests.open(id, 'e')),
    [true, true, false],
  );
});

test('ends all requests in order and makes room', () => {
  const requests = new OpenRequests<string>(2);
  requests.open(2, 'first');
  requests.open('1', 'second');
  deepEqual(requests.endAll(), [
    [2, 'first'],
    ['1', 'second'],
  ]);
  deepEqual([requests.all, requests.open(3, 'third')], [[], true]);
});

test('waits until no request is open', async () => {
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

test('keeps requests and the limit in any sequence of steps', () => {
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
