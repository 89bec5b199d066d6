import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allGone, isAlive, until } from '../support/processes.ts';
import { patient, withRaw } from '../support/rawUpstreams.ts';
import { legacyServer, rawServer } from '../support/recordingServer.ts';
import {
  callUpstream,
  hubServer,
  launchOf,
  rootsOf,
  toolCall,
  upstreamPool,
} from '../support/upstreamPools.ts';

test('calls that come during a start share it', async t => {
  const { server, newClient } = withRaw(t);
  const client = newClient();
  const upstream = client.at(rootsOf(t, 'one')).upstreams.get('raw');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => callUpstream(upstream, 'answers', client)),
  );
  assert.deepEqual([answers.length, server.pids().filter(isAlive).length], [20, 1]);
});

test('another configuration starts, ends and replaces only what it changes', async t => {
  const [kept, removed, changed, added] = [rawServer(t), rawServer(t), rawServer(t), rawServer(t)];
  const before = [
    hubServer('kept', launchOf(kept)),
    hubServer('removed', launchOf(removed)),
    hubServer('changed', launchOf(changed)),
  ];
  const { pool, newClient } = upstreamPool(t);
  pool.setServers(before);
  const client = newClient();
  const entry = client.at(rootsOf(t, 'one'));
  const upstreams = [...entry.upstreams.values()];
  await Promise.all(upstreams.map(upstream => upstream.prepare(patient())));
  const [keptOne, removedOne] = upstreams;
  const hanging = removedOne?.forward(toolCall('hang'), client);
  pool.setServers([
    hubServer('added', launchOf(added), { autoStart: true }),
    hubServer('changed', launchOf(changed, 'other')),
    hubServer('kept', launchOf(kept), { autoStart: true }),
  ]);
  await assert.rejects(hanging ?? Promise.resolve(), /was taken out of the configuration/);
  assert.deepEqual([...entry.upstreams.keys()], ['added', 'changed', 'kept']);
  assert.deepEqual(
    [entry.upstreams.get('kept') === keptOne, keptOne?.server.autoStart, keptOne?.isReady],
    [true, true, true],
  );
  await assert.rejects(
    Promise.resolve(removedOne?.prepare(patient())),
    /"removed" was taken out of the configuration/,
  );
  await until('the new ones run', () =>
    ['added', 'changed'].every(name => entry.upstreams.get(name)?.isReady),
  );
  await allGone(removed.pids());
  const alive = [kept, changed, added].map(({ pids }) => pids().filter(isAlive).length);
  assert.deepEqual(alive, [1, 1, 1]);
});

test('however soon its configuration changes again, one process of a server is gone before the next', async t => {
  const server = rawServer(t, { isDeaf: true });
  const { pool, newClient } = upstreamPool(t);
  const define = (...args: readonly string[]) => hubServer('raw', launchOf(server, ...args));
  pool.setServers([define()]);
  const entry = newClient().at(rootsOf(t, 'one'));
  await callUpstream(entry.upstreams.get('raw'), 'ask');
  const [first] = server.pids();
  pool.setServers([define('b')]);
  pool.setServers([define('c')]);
  pool.setServers([]);
  pool.setServers([define('d')]);
  await callUpstream(entry.upstreams.get('raw'), 'ask');
  const alive = server.pids().filter(isAlive);
  assert.deepEqual([alive.length, alive.includes(first ?? 0)], [1, false]);
  assert.equal(server.pids().length, 2);
});

test('what wants to start by itself does so when there is a client with roots', async t => {
  const [eager, lazy] = [legacyServer(t), rawServer(t)];
  const { pool, newClient } = upstreamPool(t);
  pool.setServers([
    hubServer('eager', launchOf(eager), { autoStart: true }),
    hubServer('lazy', launchOf(lazy)),
  ]);
  const client = newClient();
  assert.equal(client.current, undefined);
  const { upstreams } = client.at(rootsOf(t, 'one'));
  await upstreams.get('eager')?.prepare(patient());
  assert.equal(upstreams.get('lazy')?.state.kind, 'stopped');
  assert.deepEqual([eager.pids().filter(isAlive).length, lazy.pids().length], [1, 0]);
});

test('upstreams that nobody holds end after five minutes, and not when somebody takes them', async t => {
  const { server, clock, newClient } = withRaw(t);
  const roots = rootsOf(t, 'one');
  const first = newClient();
  const entry = first.at(roots);
  await callUpstream(entry.upstreams.get('raw'), 'ask', first);
  first.dispose();
  clock.pass(299_999);
  const second = newClient();
  assert.equal(second.at(roots), entry);
  clock.pass(300_000);
  assert.equal(entry.upstreams.get('raw')?.state.kind, 'running');
  second.dispose();
  clock.pass(300_000);
  await until('the end of the process', () => !server.pids().some(isAlive));
  assert.notEqual(newClient().at(roots), entry);
});

test('all processes are gone when the hub ends, those that are stuck in their start too', async t => {
  const servers = [
    rawServer(t, { leavesGrandchild: true }),
    rawServer(t, { isMute: true }),
    rawServer(t, { isDeaf: true }),
  ];
  const { pool, newClient } = upstreamPool(t);
  pool.setServers(servers.map((server, index) => hubServer(`s${index}`, launchOf(server))));
  const client = newClient();
  const { upstreams } = client.at(rootsOf(t, 'one'));
  const stuck = assert.rejects(upstreams.get('s1')?.prepare(patient()) ?? Promise.resolve(), {
    message: 'The server "s1" was ended, because the hub is ending.',
  });
  await Promise.all(['s0', 's2'].map(name => upstreams.get(name)?.prepare(patient())));
  await until('the mute one', () => servers[1]?.pids().length === 1);
  await pool.close();
  await stuck;
  const [pids, grandchildren] = [
    servers.flatMap(server => server.pids()),
    servers.flatMap(server => server.grandchildren()),
  ];
  assert.deepEqual([pids.length, grandchildren.length, pids.filter(isAlive)], [3, 1, []]);
  // To go, one that is killed and nobody's upstream needs the processor once more.
  await allGone(grandchildren);
  assert.throws(() => newClient().at([]), { message: 'The hub is ending.' });
});

test('what gives way to another server is gone before that starts', async t => {
  const server = rawServer(t, { isStubborn: true });
  const { pool, newClient } = upstreamPool(t, 1);
  pool.setServers([hubServer('raw', launchOf(server))]);
  const [one, two] = [rootsOf(t, 'one'), rootsOf(t, 'two')];
  const first = newClient();
  await first.at(one).upstreams.get('raw')?.prepare(patient());
  const before = server.pids();
  const second = newClient().at(two).upstreams.get('raw');
  await assert.rejects(second?.prepare(patient()) ?? Promise.resolve(), /runs 1 servers already/);
  first.dispose();
  await second?.prepare(patient());
  assert.deepEqual([before.length, before.filter(isAlive)], [1, []]);
  assert.equal(server.pids().length, 2);
});
