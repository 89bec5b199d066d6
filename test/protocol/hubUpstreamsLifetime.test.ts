import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allGone, isAlive, until } from '../support/processes.ts';
import { rawServer } from '../support/recordingServer.ts';
import {
  callUpstream,
  hubServer,
  launchOf,
  patient,
  recordedUpstreams,
  rootsOf,
  toolCall,
} from '../support/upstreams.ts';

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
  await assert.rejects(hanging ?? Promise.resolve(), /was removed from the configuration/);
  assert.deepEqual([...all.byName.keys()], ['added', 'changed', 'kept']);
  assert.deepEqual(
    [all.byName.get('kept') === keptOne, keptOne?.server.autoStart, keptOne?.isReady],
    [true, true, true],
  );
  await assert.rejects(
    Promise.resolve(removedOne?.comeUp(patient())),
    /"removed" was removed from the configuration/,
  );
  await until('the new ones run', () =>
    ['added', 'changed'].every(name => all.byName.get(name)?.isReady),
  );
  await allGone(removed.pids());
  const alive = [kept, changed, added].map(({ pids }) => pids().filter(isAlive).length);
  assert.deepEqual(alive, [1, 1, 1]);
});

test('ends one process of a server before the next, however fast the configuration changes', async t => {
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
