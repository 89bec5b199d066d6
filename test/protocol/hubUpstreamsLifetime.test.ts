import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allGone, isAlive, until } from '../support/processes.ts';
import { patient, withRaw } from '../support/rawUpstreams.ts';
import { rawServer } from '../support/recordingServer.ts';
import {
  callUpstream,
  hubServer,
  launchOf,
  recordedUpstreams,
  rootsOf,
  toolCall,
} from '../support/upstreams.ts';

test('calls that come during a start share it', async t => {
  const { server, at } = withRaw(t);
  const upstream = at(rootsOf(t, 'one')).get('raw');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => callUpstream(upstream, 'answers')),
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
  const { all, at } = recordedUpstreams(t, before);
  at(rootsOf(t, 'one'));
  const upstreams = [...all.byName.values()];
  await Promise.all(upstreams.map(upstream => upstream.comeUp(patient())));
  const [keptOne, removedOne] = upstreams;
  const hanging = removedOne?.forward(toolCall('hang'));
  all.setServers([
    hubServer('added', launchOf(added), { autoStart: true }),
    hubServer('changed', launchOf(changed, 'other')),
    hubServer('kept', launchOf(kept), { autoStart: true }),
  ]);
  await assert.rejects(hanging ?? Promise.resolve(), /was taken out of the configuration/);
  assert.deepEqual([...all.byName.keys()], ['added', 'changed', 'kept']);
  assert.deepEqual(
    [all.byName.get('kept') === keptOne, keptOne?.server.autoStart, keptOne?.isReady],
    [true, true, true],
  );
  await assert.rejects(
    Promise.resolve(removedOne?.comeUp(patient())),
    /"removed" was taken out of the configuration/,
  );
  await until('the new ones run', () =>
    ['added', 'changed'].every(name => all.byName.get(name)?.isReady),
  );
  await allGone(removed.pids());
  const alive = [kept, changed, added].map(({ pids }) => pids().filter(isAlive).length);
  assert.deepEqual(alive, [1, 1, 1]);
});

test('however soon its configuration changes again, one process of a server is gone before the next', async t => {
  const server = rawServer(t, { isDeaf: true });
  const { all, at } = recordedUpstreams(t);
  const define = (...args: readonly string[]) => hubServer('raw', launchOf(server, ...args));
  all.setServers([define()]);
  at(rootsOf(t, 'one'));
  await callUpstream(all.byName.get('raw'), 'ask');
  const [first] = server.pids();
  all.setServers([define('b')]);
  all.setServers([define('c')]);
  all.setServers([]);
  all.setServers([define('d')]);
  await callUpstream(all.byName.get('raw'), 'ask');
  const alive = server.pids().filter(isAlive);
  assert.deepEqual([alive.length, alive.includes(first ?? 0)], [1, false]);
  assert.equal(server.pids().length, 2);
});

test('all processes are gone when the session ends, those that are stuck in their start too', async t => {
  const servers = [
    rawServer(t, { leavesGrandchild: true }),
    rawServer(t, { isMute: true }),
    rawServer(t, { isDeaf: true }),
  ];
  const { all, at } = recordedUpstreams(
    t,
    servers.map((server, index) => hubServer(`s${index}`, launchOf(server))),
  );
  const upstreams = at(rootsOf(t, 'one'));
  const stuck = assert.rejects(upstreams.get('s1')?.comeUp(patient()) ?? Promise.resolve(), {
    message: 'The server "s1" was ended, because it is over.',
  });
  await Promise.all(['s0', 's2'].map(name => upstreams.get(name)?.comeUp(patient())));
  await until('the mute one', () => servers[1]?.pids().length === 1);
  await all.close('was ended, because it is over');
  await stuck;
  const [pids, grandchildren] = [
    servers.flatMap(server => server.pids()),
    servers.flatMap(server => server.grandchildren()),
  ];
  assert.deepEqual([pids.length, grandchildren.length, pids.filter(isAlive)], [3, 1, []]);
  // To go, one that is killed and nobody's upstream needs the processor once more.
  await allGone(grandchildren);
  assert.throws(() => at([]), { message: 'The session has ended.' });
});
