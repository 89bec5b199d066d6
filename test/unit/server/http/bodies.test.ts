import { equal } from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Bodies } from '../../../../src/server/http/bodies.ts';

const limits = { each: 3000, together: 5000 };

test('a body takes room until its request ends', async () => {
  const bodies = new Bodies(limits);
  const first = send(bodies, [3000]);
  equal(await first.end(), 3000);
  equal(await send(bodies, [2000]).end(), 'no room');
  first.outgoing.emit('close');
  equal(await send(bodies, [2000]).end(), 2000);
});

test('an announced body takes no room, but must fit', async () => {
  const bodies = new Bodies(limits);
  for (let client = 0; client < 10; client++) {
    send(bodies, [], 3000);
  }
  equal(await send(bodies, [3000], 3000).end(), 3000);
  equal(await send(bodies, [], 2000).end(), 'no room');
  equal(await send(bodies, [], 3001).end(), 'too long');
});

test('a broken request gives its room back once', async () => {
  const bodies = new Bodies(limits);
  const { incoming, outgoing, read } = send(bodies, [2900], 3000);
  const broken = read.catch((error: Error) => error.message);
  await nextTurn();
  equal(await send(bodies, [], 2000).end(), 'no room');
  incoming.destroy(new Error('gone'));
  outgoing.emit('close');
  outgoing.emit('close');
  equal(await broken, 'gone');
  equal(await send(bodies, [3000]).end(), 3000);
  equal(await send(bodies, [], 2000).end(), 'no room');
});

test('a refused body takes no room, even before its end', async () => {
  const bodies = new Bodies(limits);
  const tooLong = send(bodies, [2000, 2000]);
  await nextTurn();
  equal(await send(bodies, [3000]).end(), 3000);
  const noRoom = send(bodies, [1000, 1000]);
  await nextTurn();
  equal(await send(bodies, [1000]).end(), 1000);
  equal(await tooLong.end(), 'too long');
  equal(await noRoom.end(), 'no room');
  tooLong.outgoing.emit('close');
  noRoom.outgoing.emit('close');
  equal(await send(bodies, [], 1000).end(), 'no room');
});

test('a body in tiny chunks takes the room that they cost', async () => {
  const bodies = new Bodies(limits);
  equal(await send(bodies, Array(10).fill(1)).end(), 10);
  equal(await send(bodies, Array(20).fill(1)).end(), 'no room');
});

/** Sends chunks of these lengths, but not yet the end. `end` sends it and gives the length that was read. */
function send(bodies: Bodies, parts: readonly number[], announced?: number) {
  const headers = announced === undefined ? {} : { 'content-length': String(announced) };
  const incoming = Object.assign(new PassThrough({ objectMode: true }), { headers });
  const outgoing = new EventEmitter();
  for (const length of parts) {
    incoming.write(Buffer.alloc(length));
  }
  const read = bodies.read(incoming, outgoing);
  const end = async () => {
    incoming.end();
    const body = await read;
    return typeof body === 'string' ? body : body.length;
  };
  return { incoming, outgoing, read, end };
}
