import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ProcessLimit } from '../../../../src/hub/upstreams/processLimit.ts';

/** The process of a server, which ends when the test says so. */
function processOf(limit: ProcessLimit, server: object) {
  let end = () => {};
  const ended = new Promise<void>(resolve => {
    end = resolve;
  });
  limit.note(server, { pid: 1, ended });
  return end;
}

test('a process waits for one that nobody needs, and is refused where there is none', async () => {
  const idle = {};
  const needed = {};
  const ends: (() => void)[] = [];
  const rooms: (() => void)[] = [];
  const limit = new ProcessLimit(2, () => {
    const end = ends.pop();
    return end && new Promise<void>(resolve => rooms.push(resolve)).then(end);
  });
  const start = async (server: object) => processOf(limit, server);
  ends.push(await limit.starting(idle, () => start(idle)));
  const endNeeded = await limit.starting(needed, () => start(needed));
  // It has its place already.
  const endSecond = await limit.starting(needed, () => start(needed));
  let isThere = false;
  const other = {};
  const late = limit.starting(other, async () => {
    isThere = true;
    return start(other);
  });
  await assert.rejects(
    limit.starting({}, async () => {}),
    /The hub runs 2 servers already/,
  );
  assert.equal(isThere, false);
  rooms[0]?.();
  await late;
  endNeeded();
  await setImmediate();
  await assert.rejects(
    limit.starting({}, async () => {}),
    /The hub runs 2 servers already/,
  );
  endSecond();
  await setImmediate();
  await limit.starting({}, async () => {});
});

test('a start that fails leaves its place', async () => {
  const limit = new ProcessLimit(1, () => undefined);
  const failing = limit.starting({}, () => Promise.reject(new Error('no such program')));
  await assert.rejects(failing, /no such program/);
  await limit.starting({}, async () => {});
});
