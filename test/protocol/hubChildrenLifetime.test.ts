import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  callChild,
  childSets,
  hubServer,
  launchOf,
  nobody,
  rootsOf,
  toolCall,
} from '../support/childSets.ts';
import { allGone, isAlive, until } from '../support/processes.ts';
import { patient, withRaw } from '../support/rawChildren.ts';
import { legacyServer, rawServer } from '../support/recordingServer.ts';

test('calls that come during a start share it', async t => {
  const { sets, server } = withRaw(t);
  const tenant = sets.tenant(nobody);
  const child = tenant.use(rootsOf(t, 'one')).children.get('raw');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => callChild(child, 'answers', tenant)),
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
  const { sets } = childSets(t);
  sets.setServers(before);
  const tenant = sets.tenant(nobody);
  const set = tenant.use(rootsOf(t, 'one'));
  const children = [...set.children.values()];
  await Promise.all(children.map(child => child.prepare(patient())));
  const [keptChild, removedChild] = children;
  const hanging = removedChild?.forward(toolCall('hang'), tenant);
  sets.setServers([
    hubServer('added', launchOf(added), { autoStart: true }),
    hubServer('changed', launchOf(changed, 'other')),
    hubServer('kept', launchOf(kept), { autoStart: true }),
  ]);
  await assert.rejects(hanging ?? Promise.resolve(), /was taken out of the configuration/);
  assert.deepEqual([...set.children.keys()], ['added', 'changed', 'kept']);
  assert.deepEqual(
    [set.children.get('kept') === keptChild, keptChild?.server.autoStart, keptChild?.isReady],
    [true, true, true],
  );
  await assert.rejects(
    Promise.resolve(removedChild?.prepare(patient())),
    /"removed" was taken out of the configuration/,
  );
  await until('the new ones run', () =>
    ['added', 'changed'].every(name => set.children.get(name)?.isReady),
  );
  await allGone(removed.pids());
  const alive = [kept, changed, added].map(({ pids }) => pids().filter(isAlive).length);
  assert.deepEqual(alive, [1, 1, 1]);
});

test('however soon its configuration changes again, one process of a server is gone before the next', async t => {
  const server = rawServer(t, { isDeaf: true });
  const { sets } = childSets(t);
  const define = (...args: readonly string[]) => hubServer('raw', launchOf(server, ...args));
  sets.setServers([define()]);
  const set = sets.tenant(nobody).use(rootsOf(t, 'one'));
  await callChild(set.children.get('raw'), 'ask');
  const [first] = server.pids();
  sets.setServers([define('b')]);
  sets.setServers([define('c')]);
  sets.setServers([]);
  sets.setServers([define('d')]);
  await callChild(set.children.get('raw'), 'ask');
  const alive = server.pids().filter(isAlive);
  assert.deepEqual([alive.length, alive.includes(first ?? 0)], [1, false]);
  assert.equal(server.pids().length, 2);
});

test('what wants to start by itself does so when there is a client with roots', async t => {
  const [eager, lazy] = [legacyServer(t), rawServer(t)];
  const { sets } = childSets(t);
  sets.setServers([
    hubServer('eager', launchOf(eager), { autoStart: true }),
    hubServer('lazy', launchOf(lazy)),
  ]);
  const tenant = sets.tenant(nobody);
  assert.equal(tenant.current, undefined);
  const { children } = tenant.use(rootsOf(t, 'one'));
  await children.get('eager')?.prepare(patient());
  assert.equal(children.get('lazy')?.state.kind, 'stopped');
  assert.deepEqual([eager.pids().filter(isAlive).length, lazy.pids().length], [1, 0]);
});

test('children that nobody holds end after five minutes, and not when somebody takes them', async t => {
  const { sets, server, clock } = withRaw(t);
  const roots = rootsOf(t, 'one');
  const first = sets.tenant(nobody);
  const set = first.use(roots);
  await callChild(set.children.get('raw'), 'ask', first);
  first.dispose();
  clock.pass(299_999);
  const second = sets.tenant(nobody);
  assert.equal(second.use(roots), set);
  clock.pass(300_000);
  assert.equal(set.children.get('raw')?.state.kind, 'running');
  second.dispose();
  clock.pass(300_000);
  await until('the end of the process', () => !server.pids().some(isAlive));
  assert.notEqual(sets.tenant(nobody).use(roots), set);
});

test('all processes are gone when the hub ends, those that are stuck in their start too', async t => {
  const servers = [
    rawServer(t, { leavesGrandchild: true }),
    rawServer(t, { isMute: true }),
    rawServer(t, { isDeaf: true }),
  ];
  const { sets } = childSets(t);
  sets.setServers(servers.map((server, index) => hubServer(`s${index}`, launchOf(server))));
  const tenant = sets.tenant(nobody);
  const { children } = tenant.use(rootsOf(t, 'one'));
  const stuck = assert.rejects(children.get('s1')?.prepare(patient()) ?? Promise.resolve(), {
    message: 'The server "s1" was ended, because the hub is ending.',
  });
  await Promise.all(['s0', 's2'].map(name => children.get(name)?.prepare(patient())));
  await until('the mute one', () => servers[1]?.pids().length === 1);
  await sets.close();
  await stuck;
  const [pids, grandchildren] = [
    servers.flatMap(server => server.pids()),
    servers.flatMap(server => server.grandchildren()),
  ];
  assert.deepEqual([pids.length, grandchildren.length, pids.filter(isAlive)], [3, 1, []]);
  // To go, one that is killed and nobody's child needs the processor once more.
  await allGone(grandchildren);
  assert.throws(() => sets.tenant(nobody).use([]), { message: 'The hub is ending.' });
});

test('a set that gives way is gone before another one starts in its place', async t => {
  const server = rawServer(t, { isStubborn: true });
  const { sets } = childSets(t);
  sets.setServers([hubServer('raw', launchOf(server))]);
  const [[one], [two]] = [rootsOf(t, 'one'), rootsOf(t, 'two')];
  assert.ok(one && two);
  const first = sets.tenant(nobody);
  await first.use([one]).children.get('raw')?.prepare(patient());
  const before = server.pids();
  for (let count = 1; count < 32; count++) {
    sets.tenant(nobody).use(Array.from({ length: count + 1 }, () => one));
  }
  first.dispose();
  await sets.tenant(nobody).use([two]).children.get('raw')?.prepare(patient());
  assert.deepEqual([before.length, before.filter(isAlive)], [1, []]);
  assert.equal(server.pids().length, 2);
});
