import { equal } from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Bodies } from '../../../../src/server/http/bodies.ts';

const limits = { each: 3000, together: 5000 };

test('a body takes room until its request ends, however long ago it was read', async () => {
  const bodies = new Bodies(limits);
  const first = send(bodies, { parts: [3000] });
  equal(await first.end(), 3000);
  equal(await send(bodies, { parts: [2000] }).end(), 'no room');
  first.outgoing.emit('close');
  equal(await send(bodies, { parts: [2000] }).end(), 2000);
});

test('a body that is only announced takes no room, but has to fit', async () => {
  const bodies = new Bodies(limits);
  for (let client = 0; client < 10; client++) {
    send(bodies, { parts: [], announced: 3000 });
  }
  equal(await send(bodies, { parts: [3000], announced: 3000 }).end(), 3000);
  equal(await send(bodies, { parts: [], announced: 2000 }).end(), 'no room');
  equal(await send(bodies, { parts: [], announced: 3001 }).end(), 'too long');
});

test('a request that breaks off gives its room back once', async () => {
  const bodies = new Bodies(limits);
  const { incoming, outgoing, read } = send(bodies, { parts: [2900], announced: 3000 });
  const broken = read.catch((error: Error) => error.message);
  await nextTurn();
  equal(await send(bodies, { parts: [], announced: 2000 }).end(), 'no room');
  incoming.destroy(new Error('gone'));
  outgoing.emit('close');
  outgoing.emit('close');
  equal(await broken, 'gone');
  equal(await send(bodies, { parts: [3000] }).end(), 3000);
  equal(await send(bodies, { parts: [], announced: 2000 }).end(), 'no room');
});

test('a body that is refused takes no room, even before its end', async () => {
  const bodies = new Bodies(limits);
  const tooLong = send(bodies, { parts: [2000, 2000] });
  await nextTurn();
  equal(await send(bodies, { parts: [3000] }).end(), 3000);
  const noRoom = send(bodies, { parts: [1000, 1000] });
  await nextTurn();
  equal(await send(bodies, { parts: [1000] }).end(), 1000);
  equal(await tooLong.end(), 'too long');
  equal(await noRoom.end(), 'no room');
  tooLong.outgoing.emit('close');
  noRoom.outgoing.emit('close');
  equal(await send(bodies, { parts: [], announced: 1000 }).end(), 'no room');
});

test('a body in very small chunks takes what it costs to keep them', async () => {
  const bodies = new Bodies(limits);
  equal(await send(bodies, { parts: Array(10).fill(1) }).end(), 10);
  equal(await send(bodies, { parts: Array(20).fill(1) }).end(), 'no room');
});

interface Sending {
  /** How long the chunks are. */
  readonly parts: readonly number[];
  /** The Content-Length, where there is one. */
  readonly announced?: number;
}

/** Sends the chunks, but not yet the end. `end` sends it and gives the length of what was read. */
function send(bodies: Bodies, { parts, announced }: Sending) {
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
