import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ConnectionState } from '../../src/mcp/link.ts';
import { Supervisor } from '../../src/mcp/supervisor.ts';
import { atEnd } from '../support/processes.ts';
import { type Interfere, rawHttpServer, sendJson } from '../support/rawHttpServer.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';

const web = root('web');

/** A supervised server over HTTP: it and what becomes of it are real, and only time is not. */
async function supervised(t: TestContext, interfere?: Interfere) {
  const server = await rawHttpServer(t, interfere);
  const recording = recordingConnection(t, { stop: { end: 500, terminate: 500 } });
  const { connection } = recording;
  const start = () => connection.start({ url: server.url, headers: {} }, [web], 'legacy');
  const restarts: Promise<ConnectionState>[] = [];
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const supervisor = new Supervisor(() => restarts.push(start()));
  supervisor.watch(connection);
  atEnd(t, () => supervisor.dispose());
  const pass = async (milliseconds: number) => {
    t.mock.timers.tick(milliseconds);
    await Promise.all(restarts);
  };
  const failure = () => connection.state.kind === 'failed' && connection.state.failure.kind;
  const call = () => callText(connection, 'any');
  const vanish = async () => {
    await server.vanish();
    // The first call may go to a connection of which nobody knows yet that it is cut.
    while (connection.state.kind === 'running') {
      await assert.rejects(call());
    }
  };
  return { ...recording, server, supervisor, start, restarts, pass, failure, call, vanish };
}

test('a server that nobody reaches is tried three times, ever later, and given up', async t => {
  const { server, supervisor, start, restarts, pass, failure } = await supervised(t);
  await server.vanish();
  await start();
  assert.equal(failure(), 'unreachable');
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
  assert.equal(restarts.length, 2);
});

test('a server that comes back at its address is reached again, and gets its roots anew', async t => {
  const { server, connection, supervisor, start, pass, failure, call, vanish, answered } =
    await supervised(t);
  await start();
  await vanish();
  assert.equal(failure(), 'lost');
  assert.equal(supervisor.plan.kind, 'waiting');
  await pass(500);
  assert.equal(failure(), 'unreachable');
  const again = await rawHttpServer(t, undefined, server.port);
  await pass(999);
  assert.equal(again.requests.length, 0);
  await pass(1);
  assert.deepEqual([connection.state.kind, supervisor.plan.kind], ['running', 'none']);
  assert.equal(await call(), 'done');
  t.mock.timers.reset();
  while (again.streams.size === 0) {
    await new Promise(setImmediate);
  }
  again.push({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
  assert.deepEqual((await answered(1)).roots, [web]);
});

test('a session that the server has ended is followed by a new one', async t => {
  const expired = new Set<unknown>();
  let sessions = 0;
  const { server, connection, supervisor, start, pass, failure, call } = await supervised(
    t,
    ({ request, message }, response) => {
      if (message?.method === 'initialize') {
        sessions += 1;
      }
      return expired.has(request.headers['mcp-session-id']) && sendJson(response, 404, {});
    },
  );
  await start();
  expired.add('session-1');
  await assert.rejects(call());
  assert.deepEqual([failure(), supervisor.plan.kind], ['lost', 'waiting']);
  expired.clear();
  await pass(500);
  assert.equal(connection.state.kind, 'running');
  assert.equal(await call(), 'done');
  assert.deepEqual([sessions, server.got('initialize').length], [2, 2]);
});

test('a server that wants somebody to sign in, or speaks another protocol, is not tried again', async t => {
  for (const [status, kind] of [
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [500, 'protocol'],
  ] as const) {
    await t.test(String(status), async inner => {
      const { supervisor, start, restarts, pass, failure } = await supervised(
        inner,
        (_, response) => sendJson(response, status, {}),
      );
      await start();
      assert.equal(failure(), kind);
      await pass(600_000);
      assert.deepEqual([supervisor.plan.kind, restarts.length], ['none', 0]);
      inner.mock.timers.reset();
    });
  }
});

test('a server that does not know us any more in the middle of a session is not tried again', async t => {
  const { supervisor, start, restarts, pass, failure, call } = await supervised(
    t,
    ({ message }, response) => message?.method === 'tools/call' && sendJson(response, 401, {}),
  );
  await start();
  await assert.rejects(call());
  assert.equal(failure(), 'unauthorized');
  await pass(600_000);
  assert.deepEqual([supervisor.plan.kind, restarts.length], ['none', 0]);
});

test('a server whose gateway says that it is not there yet is tried again', async t => {
  let isThere = false;
  const { connection, supervisor, start, pass, failure } = await supervised(
    t,
    (_, response) => !isThere && sendJson(response, 503, {}),
  );
  await start();
  assert.deepEqual([failure(), supervisor.plan.kind], ['unreachable', 'waiting']);
  isThere = true;
  await pass(500);
  assert.equal(connection.state.kind, 'running');
});

test('a server that answers nothing is left, and tried again', async t => {
  const { server, connection, events, supervisor, start, failure } = await supervised(
    t,
    () => true,
  );
  const asked = new Promise(resolve => events.onDidPass(resolve));
  const first = start();
  await asked;
  // The whole handshake.
  t.mock.timers.tick(20_000);
  await first;
  assert.equal(failure(), 'silent');
  assert.deepEqual(supervisor.plan, { kind: 'waiting', deaths: 1, at: 20_500 });
  t.mock.timers.tick(500);
  assert.equal(connection.state.kind, 'starting');
  await connection.stop();
  assert.ok(!server.requests.some(({ method }) => method === 'DELETE'));
});

test('the loss of one server is nothing to one beside it', async t => {
  const { supervisor, start, vanish, failure } = await supervised(t);
  const well = await rawHttpServer(t);
  const other = recordingConnection(t);
  await start();
  await other.connection.start({ url: well.url, headers: {} }, [web], 'legacy');
  await vanish();
  assert.deepEqual([failure(), supervisor.plan.kind], ['lost', 'waiting']);
  assert.equal(await callText(other.connection, 'any'), 'done');
  assert.deepEqual(
    other.states.map(({ kind }) => kind),
    ['starting', 'running'],
  );
});
