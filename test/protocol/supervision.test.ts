import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ConnectionState } from '../../src/mcp/link.ts';
import { Supervisor } from '../../src/mcp/supervisor.ts';
import { allGone, atEnd, isAlive, until } from '../support/processes.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { type RawServerOptions, rawServer } from '../support/recordingServer.ts';
import { mockClocks } from '../support/turnedClock.ts';

const web = root('web');

/** A server that is started again as the product does: all is real, and only time is not. */
function supervisedServer(t: TestContext, options: RawServerOptions = {}) {
  const server = rawServer(t, options);
  const { connection, events, answers } = recordingConnection(t);
  const start = () => connection.start(server.start, [web]);
  const crash = () => assert.rejects(callText(connection, 'die'));
  const restarts: Promise<ConnectionState>[] = [];
  mockClocks(t);
  const supervisor = new Supervisor(() => restarts.push(start()));
  supervisor.watch(connection);
  atEnd(t, () => supervisor.dispose());
  const pass = async (milliseconds: number) => {
    t.mock.timers.tick(milliseconds);
    await Promise.all(restarts);
  };
  return { server, connection, events, answers, start, crash, supervisor, restarts, pass };
}

test('a server that dies at each start is tried three times, ever later, and leaves nothing', async t => {
  const { server, supervisor, start, restarts, pass } = supervisedServer(t, { dies: 'at-start' });
  await start();
  for (const [index, delay] of [500, 1000].entries()) {
    assert.deepEqual(supervisor.plan, {
      kind: 'waiting',
      deaths: index + 1,
      at: Date.now() + delay,
    });
    await pass(delay - 1);
    assert.equal(restarts.length, index);
    await pass(1);
    assert.equal(restarts.length, index + 1);
  }
  assert.deepEqual(supervisor.plan, { kind: 'given-up', deaths: 3 });
  await pass(600_000);
  // Each start makes two: one with the probe, and one without.
  assert.equal(server.pids().length, 6);
  assert.deepEqual(server.pids().filter(isAlive), []);
});

test('a server that crashes is there again, and gets its roots anew', async t => {
  const { connection, answers, supervisor, start, pass, crash } = supervisedServer(t);
  await start();
  await crash();
  assert.equal(supervisor.plan.kind, 'waiting');
  await pass(500);
  assert.deepEqual([connection.state.kind, supervisor.plan.kind], ['running', 'none']);
  assert.deepEqual(JSON.parse(await callText(connection, 'ask')), [web]);
  assert.deepEqual(answers.at(-1)?.roots, [web]);
});

test('a server that is killed from outside is there again, and one beside it does not notice', async t => {
  const { connection, start, pass } = supervisedServer(t);
  const well = rawServer(t);
  const other = recordingConnection(t);
  await Promise.all([start(), other.connection.start(well.start, [web])]);
  const dead = new Promise(resolve => connection.onDidChangeState(resolve));
  process.kill(Number(connection.state.kind === 'running' && connection.state.pid), 'SIGKILL');
  await dead;
  assert.deepEqual(JSON.parse(await callText(other.connection, 'ask')), [web]);
  await pass(500);
  assert.equal(connection.state.kind, 'running');
  assert.equal(well.pids().length, 1);
  await other.connection.stop();
});

test('a server that answers nothing at its start is ended, and tried again', async t => {
  const { connection, events, server, supervisor, start, restarts } = supervisedServer(t, {
    isMute: true,
  });
  const asked = new Promise(resolve => events.onDidPass(resolve));
  const first = start();
  await asked;
  // The whole handshake.
  t.mock.timers.tick(20_000);
  assert.equal((await first).kind, 'failed');
  assert.deepEqual(supervisor.plan, { kind: 'waiting', deaths: 1, at: 20_500 });
  assert.deepEqual(server.pids().filter(isAlive), []);
  t.mock.timers.tick(500);
  assert.equal(connection.state.kind, 'starting');
  await connection.stop();
  assert.deepEqual(await Promise.all(restarts), [{ kind: 'stopped' }]);
});

test('what a server that crashes again and again started is gone each time', async t => {
  const { server, start, pass, crash } = supervisedServer(t, { leavesGrandchild: true });
  await start();
  for (const delay of [500, 1000]) {
    await crash();
    await pass(delay);
  }
  const alive = () => server.grandchildren().filter(isAlive);
  // A process that was killed is gone when the system gets to it.
  await until('the first two are gone', () => alive().length < 2);
  assert.deepEqual(alive(), server.grandchildren().slice(2));
  assert.equal(server.grandchildren().length, 3);
  await crash();
  t.mock.timers.reset();
  await allGone(server.grandchildren());
});
