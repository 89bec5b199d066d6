import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Root } from '../../src/domain/roots.ts';
import { isSoak } from '../support/effort.ts';
import { allGone, isAlive } from '../support/processes.ts';
import {
  callText,
  type RecordingConnection,
  recordingConnection,
  root,
} from '../support/recordingConnection.ts';
import { type RecordingServer, rawServer } from '../support/recordingServer.ts';

interface Member extends RecordingConnection {
  readonly server: RecordingServer;
  /** A folder that no other server may see. */
  readonly own: Root;
}

/** Times that twenty processes on a busy machine keep, and in which each reads all it was sent. */
const patientTimes = {
  probe: 60_000,
  handshake: 120_000,
  stop: { end: 60_000, terminate: 60_000 },
};
const size = isSoak ? 20 : 8;
const shared = root('shared');

test('many servers start at once, each is told of its own folders, and one change reaches them all', async t => {
  const fleet = await running(t);
  const pids = fleet.flatMap(({ server }) => server.pids());
  assert.equal(new Set(pids).size, size);
  for (const { connection, own } of fleet) {
    connection.setRoots([own, shared]);
  }
  await Promise.all(fleet.map(({ answered }) => answered(2)));
  for (const member of fleet) {
    assert.deepEqual(await told(member), [[member.own], [member.own, shared]]);
    assert.equal(member.notices(), 1);
    assert.equal(member.server.count('notifications/roots/list_changed'), 1);
    const named = [...member.server.bytes().matchAll(/own-\d+/g)].map(([name]) => name);
    assert.deepEqual(new Set(named), new Set([member.own.name]));
  }
});

test('a change that concerns one of many servers, and its death, reach no other', async t => {
  const fleet = await running(t);
  const [first, ...others] = fleet;
  for (const { connection, own } of fleet) {
    connection.setRoots(own === first!.own ? [own, shared] : [own]);
  }
  await first!.answered(2);
  await assert.rejects(callText(first!.connection, 'die'));
  assert.equal(first!.connection.state.kind, 'failed');
  for (const member of others) {
    assert.deepEqual(await told(member), [[member.own]]);
    assert.equal(member.notices(), 0);
    assert.deepEqual(member.server.pids().map(isAlive), [true]);
  }
});

for (const [ending, end] of [
  ['stopped', (fleet: readonly Member[]) => fleet.map(({ connection }) => connection.stop())],
  ['killed', (fleet: readonly Member[]) => fleet.map(async ({ connection }) => connection.kill())],
] as const) {
  test(`many servers that are ${ending} at once leave no process`, async t => {
    const fleet = await running(t);
    const pids = fleet.flatMap(({ server }) => server.pids());
    assert.equal(pids.filter(isAlive).length, size);
    await Promise.all(end(fleet));
    await allGone(pids);
  });

  test(`many servers that are ${ending} while they start leave no process`, async t => {
    const fleet = members(t);
    const starts = fleet.map(({ connection, server, own }) =>
      connection.start(server.start, [own]),
    );
    await Promise.race(starts);
    await Promise.all(end(fleet));
    await Promise.all(starts);
    await Promise.all(fleet.map(({ connection }) => connection.stop()));
    assert.deepEqual(
      new Set(fleet.map(({ connection }) => connection.state.kind)),
      new Set(['stopped']),
    );
    await allGone(fleet.flatMap(({ server }) => server.pids()));
  });
}

function members(t: TestContext): Member[] {
  return Array.from({ length: size }, (_, index) => ({
    // First, since what is made later ends earlier, and it looks whether its process has ended.
    server: rawServer(t),
    ...recordingConnection(t, patientTimes),
    own: root(`own-${index}`),
  }));
}

/** All of them, started at the same time, once each has asked for its roots. */
async function running(t: TestContext): Promise<Member[]> {
  const fleet = members(t);
  const states = await Promise.all(
    fleet.map(({ connection, server, own }) => connection.start(server.start, [own])),
  );
  assert.deepEqual(new Set(states.map(({ kind }) => kind)), new Set(['running']));
  await Promise.all(fleet.map(({ answered }) => answered(1)));
  return fleet;
}

/** What the server says it was told, once everything sent before has reached it. */
async function told({ connection }: Member): Promise<unknown> {
  return JSON.parse(await callText(connection, 'answers'));
}
