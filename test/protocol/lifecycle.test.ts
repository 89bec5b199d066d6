import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionState } from '../../src/mcp/link/link.ts';
import { isSoak } from '../support/effort.ts';
import { patience } from '../support/patience.ts';
import { allGone, isAlive, until } from '../support/processes.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { type RecordingServer, rawServer } from '../support/recordingServer.ts';
import { onlyOn } from '../support/systems.ts';

const web = root('web');
/** Short, for servers that wait for the kill in any case. */
const impatient = { stop: { end: 50, terminate: 50 } };
const posix = onlyOn('posix', 'Windows has no signals');
/** Long, where it counts that nothing was forced. */
const patient = { stop: { end: patience, terminate: patience } };

function kinds(states: readonly ConnectionState[]): string[] {
  return states.map(({ kind }) => kind);
}

/** Settles once a process of the server is there. */
function spawned(server: RecordingServer, count = 1): Promise<void> {
  return until(`${count} processes`, () => server.pids().length >= count);
}

test('a stop ends a willing server and its hanging calls, and announces each state once', async t => {
  const server = rawServer(t);
  const { connection, states } = recordingConnection(t, patient);
  await connection.stop();
  await connection.start(server.start, [web]);
  assert.equal(isAlive(server.pids()[0]!), true);
  const call = assert.rejects(callText(connection, 'hang'));
  const stops = [connection.stop(), connection.stop()];
  assert.equal(connection.state.kind, 'stopping');
  await Promise.all([...stops, call]);
  await connection.stop();
  assert.equal(isAlive(server.pids()[0]!), false);
  assert.deepEqual(kinds(states), ['starting', 'running', 'stopping', 'stopped']);
  assert.deepEqual(connection.state, { kind: 'stopped' });
});

const told = { stop: { end: 50, terminate: patience } };
const linux = onlyOn('linux', 'Only Linux lists them without a process of its own');
const endings = [
  ['stubborn', { isStubborn: true }, impatient, { force: 'kill', leftBehind: 0 }, false],
  ['deaf', { isDeaf: true }, told, { force: 'terminate', leftBehind: 0 }, posix],
  ['willing', { leavesGrandchild: true }, patient, { force: undefined, leftBehind: 1 }, linux],
] as const;

for (const [what, options, times, ending, skip] of endings) {
  test(`a stop says how a ${what} server ended, and what it left running`, {
    skip,
  }, async t => {
    const server = rawServer(t, options);
    const { connection } = recordingConnection(t, times);
    await connection.start(server.start, [web]);
    await connection.stop();
    assert.equal(isAlive(server.pids()[0]!), false);
    assert.deepEqual(connection.state, { kind: 'stopped', ending });
    await allGone(server.grandchildren());
  });
}

test('processes that a server left end with it, even when it dies at its start', async t => {
  const server = rawServer(t, { leavesGrandchild: true, dies: 'at-start' });
  const { connection } = recordingConnection(t);
  await connection.start(server.start, [web]);
  assert.equal(server.grandchildren().length, 2);
  await allGone(server.grandchildren());
});

test('a server that never answers leaves nothing', async t => {
  const server = rawServer(t, { isMute: true, isStubborn: true, leavesGrandchild: true });
  const { connection } = recordingConnection(t, impatient);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const start = connection.start(server.start, [web]);
  await until('a grandchild', () => server.grandchildren().length > 0);
  // The whole handshake; the steps of the stop that follows take their real time.
  t.mock.timers.tick(20_000);
  t.mock.timers.reset();
  assert.equal((await start).kind, 'failed');
  assert.deepEqual(server.pids().map(isAlive), [false]);
  await allGone([...server.pids(), ...server.grandchildren()]);
});

test('a kill leaves nothing, whatever the server started', async t => {
  const server = rawServer(t, { isStubborn: true, leavesGrandchild: true });
  const { connection, states } = recordingConnection(t);
  await connection.start(server.start, [web]);
  connection.kill();
  await allGone([...server.pids(), ...server.grandchildren()]);
  await connection.stop();
  assert.deepEqual(kinds(states), ['starting', 'running', 'stopping', 'stopped']);
});

test('a kill during a start leaves nothing and restarts nothing', async t => {
  const server = rawServer(t, { isMute: true, isStubborn: true, leavesGrandchild: true });
  const { connection } = recordingConnection(t);
  const start = connection.start(server.start, [web]);
  await until('a grandchild', () => server.grandchildren().length > 0);
  connection.kill();
  assert.deepEqual(await start, { kind: 'stopped' });
  await connection.stop();
  assert.equal(server.pids().length, 1);
  await allGone([...server.pids(), ...server.grandchildren()]);
});

test('a kill at the moment of the start starts nothing', async t => {
  const server = rawServer(t);
  const { connection } = recordingConnection(t);
  const start = connection.start(server.start, [web]);
  connection.kill();
  assert.deepEqual(await start, { kind: 'stopped' });
  assert.deepEqual([connection.state.kind, server.pids()], ['stopped', []]);
});

test('a stop in any turn of a start leaves nothing, and the next start is new', async t => {
  const server = rawServer(t);
  const { connection } = recordingConnection(t, impatient);
  for (let turns = 0; turns < 16; turns += isSoak ? 1 : 3) {
    void connection.start(server.start, [web]);
    for (let turn = 0; turn < turns; turn++) {
      await undefined;
    }
    await connection.stop();
    assert.equal(connection.state.kind, 'stopped', `${turns} turns`);
  }
  assert.equal((await connection.start(server.start, [web])).kind, 'running');
  await connection.stop();
  await allGone(server.pids());
});

test('a start during a stop waits for the stop, and gets a new process', async t => {
  const server = rawServer(t);
  const { connection, states } = recordingConnection(t);
  await connection.start(server.start, [web]);
  const stop = connection.stop();
  const start = connection.start(server.start, [web]);
  assert.equal(connection.state.kind, 'starting');
  await stop;
  assert.equal((await start).kind, 'running');
  assert.deepEqual(kinds(states), ['starting', 'running', 'stopping', 'starting', 'running']);
  assert.equal(server.pids().filter(isAlive).length, 1);
});

test('a start after a stop during a start is a new start', async t => {
  const mute = rawServer(t, { isMute: true });
  const server = rawServer(t);
  const { connection } = recordingConnection(t);
  const first = connection.start(mute.start, [web]);
  await spawned(mute);
  const stop = connection.stop();
  const second = connection.start(server.start, [web]);
  const outcomes = await Promise.all([first, stop, second]);
  assert.deepEqual([outcomes[0].kind, outcomes[2].kind], ['stopped', 'running']);
  assert.deepEqual([...mute.pids(), ...server.pids()].filter(isAlive), server.pids());
});

test('the last call counts: a stop after a start that still waits for a stop', async t => {
  const server = rawServer(t);
  const { connection } = recordingConnection(t);
  await connection.start(server.start, [web]);
  const first = connection.stop();
  const start = connection.start(server.start, [web]);
  const second = connection.stop();
  assert.equal(connection.state.kind, 'stopping');
  assert.deepEqual(await Promise.all([first, start, second]), [
    undefined,
    { kind: 'stopped' },
    undefined,
  ]);
  assert.deepEqual([connection.state.kind, server.pids().length], ['stopped', 1]);
});

test('simultaneous starts share one process', async t => {
  const server = rawServer(t);
  const { connection } = recordingConnection(t);
  const outcomes = await Promise.all([1, 2, 3].map(() => connection.start(server.start, [web])));
  assert.deepEqual(new Set(outcomes).size, 1);
  assert.equal(await connection.start(server.start, [web]), outcomes[0]);
  assert.equal(server.pids().length, 1);
});

test('a listener may start and stop during a change of state', async t => {
  const server = rawServer(t);
  const { connection, states } = recordingConnection(t);
  const once = new Set<string>();
  const isFirst = (kind: string) => !once.has(kind) && once.add(kind).size > 0;
  const restarted = new Promise<void>(resolve => {
    connection.onDidChangeState(({ kind }) => {
      if (kind === 'running') {
        void (isFirst(kind) ? connection.stop() : resolve());
      } else if (kind === 'stopping' && isFirst(kind)) {
        void connection.start(server.start, [web]);
      }
    });
  });
  await connection.start(server.start, [web]);
  await restarted;
  assert.deepEqual(kinds(states), ['starting', 'running', 'stopping', 'starting', 'running']);
  assert.equal(server.pids().filter(isAlive).length, 1);
});
