import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { rootsEffect, toldRoots } from '../../src/server/hub/children/childRoots.ts';
import { ProcessPlaces } from '../../src/server/hub/children/processPlaces.ts';
import { SetPlaces } from '../../src/server/hub/children/setPlaces.ts';
import { SetLease } from '../../src/server/hub/session/setLease.ts';
import type { RootFolder } from '../../src/server/roots/rootFolders.ts';
import { childSets, hubServer, nobody } from '../support/childSets.ts';
import { stdioLaunch } from '../support/launches.ts';

/** A root at this path; nothing looks whether it is there. */
function folder(path: string, name?: string): RootFolder {
  const named = name === undefined ? {} : { name };
  const uri = `file://${path}`;
  return { uri, announced: path, real: path, foldsCase: false, device: 1n, inode: 1n, ...named };
}

function withServers(t: TestContext) {
  const recorded = childSets(t);
  recorded.sets.setServers([hubServer('files', stdioLaunch())]);
  return recorded;
}

const web = folder('/proj/web');
const api = folder('/proj/api');

test('which set a tenant gets depends on its roots, their order and names, and on what it offers', t => {
  const { sets } = withServers(t);
  const set = (roots: readonly RootFolder[], capabilities = {}) =>
    sets.tenant({ ...nobody, capabilities }).use(roots);
  const first = set([web, api]);
  assert.equal(set([folder('/proj/web'), folder('/proj/api')]), first);
  const others = [
    set([api, web]),
    set([web]),
    set([]),
    set([folder('/proj/web', 'Web'), api]),
    set([web, { ...api, real: '/disk/api' }]),
    set([web, { ...api, uri: 'file:///proj/%61pi' }]),
    set([web, api], { sampling: {} }),
  ];
  assert.equal(new Set([first, ...others]).size, 8);
});

test('a set moves with its only tenant, unless there is one for these roots already', t => {
  const { sets } = withServers(t);
  const [a, b] = [sets.tenant(nobody), sets.tenant(nobody)];
  const set = a.use([web]);
  assert.equal(a.use([api]), set);
  assert.deepEqual(set.roots, [api]);
  const other = b.use([web]);
  assert.notEqual(other, set);
  assert.equal(a.use([web]), other);
  // Nobody moves what somebody else holds.
  assert.notEqual(a.use([api]), other);
  assert.deepEqual([other.roots, a.current?.roots], [[web], [api]]);
});

test('the set that is idle for the longest time gives way to the 33rd, and a held one never', t => {
  const { sets } = withServers(t);
  const tenants = Array.from({ length: 32 }, () => sets.tenant(nobody));
  const held = tenants.map((tenant, index) => tenant.use([folder(`/proj/${index}`)]));
  const late = sets.tenant(nobody);
  assert.throws(() => late.use([web]), /serves 32 clients with different roots already/);
  assert.equal(late.current, undefined);
  tenants[7]?.dispose();
  tenants[3]?.dispose();
  late.use([web]);
  const again = sets.tenant(nobody);
  assert.equal(again.use([folder('/proj/3')]), held[3]);
  assert.throws(() => sets.tenant(nobody).use([folder('/proj/7')]), /32 clients/);
  assert.throws(() => tenants[7]?.use([web]), /The session has ended/);
});

test('a burst of requests takes 24 sets at most, and leaves the rest to sessions', t => {
  const { sets } = withServers(t);
  const request = (name: string) => {
    const tenant = sets.tenant(nobody, { kind: 'request', id: name });
    return { tenant, set: tenant.use([folder(`/proj/${name}`)]) };
  };
  const requests = Array.from({ length: 24 }, (_, index) => request(String(index)));
  assert.throws(() => request('more'), /works on 24 requests with different roots already/);
  for (let index = 0; index < 8; index++) {
    sets.tenant(nobody).use([folder(`/srv/${index}`)]);
  }
  requests[5]?.tenant.dispose();
  requests[2]?.tenant.dispose();
  request('more');
  assert.equal(request('2').set, requests[2]?.set);
});

test('a connection has a set for each of its lists of roots, and none that moves', t => {
  const { sets, clock } = withServers(t);
  const tenant = sets.tenant(nobody, { kind: 'connection', id: 'c' });
  const first = tenant.use([web]);
  const lease = new SetLease(sets);
  lease.hold(first);
  const second = tenant.use([api]);
  assert.notEqual(second, first);
  assert.deepEqual([first.roots, second.roots, tenant.current], [[web], [api], second]);
  // A call still works in the first one.
  assert.equal(clock.waiting, 0);
  lease.dispose();
  assert.equal(clock.waiting, 1);
  clock.pass(299_999);
  assert.equal(tenant.use([web]), first);
  clock.pass(300_000);
  assert.notEqual(tenant.use([api]), second);
  // Not even one that nobody else needs.
  const last = tenant.current;
  assert.notEqual(tenant.use([]), last);
});

test('who can be asked shares children with nobody, and leaves none behind', t => {
  const { sets, clock } = withServers(t);
  const relay = { ...nobody, capabilities: { elicitation: {} } };
  const [a, b] = [sets.tenant(relay), sets.tenant(relay)];
  const set = a.use([web]);
  assert.notEqual(b.use([web]), set);
  const keeper = sets.keep(set);
  a.dispose();
  keeper.dispose();
  assert.equal(clock.waiting, 0);
  const again = { kind: 'session', id: a.client.id } as const;
  assert.notEqual(sets.tenant(relay, again).use([web]), set);
  // A connection may come back to them.
  const connection = { kind: 'connection', id: 'c' } as const;
  const first = sets.tenant(relay, connection);
  const own = first.use([web]);
  first.dispose();
  assert.equal(sets.tenant(relay, connection).use([web]), own);
});

test('a place is free when all is gone that was there before', async () => {
  const places = new SetPlaces(2);
  const [one, two] = [places.take(), places.take()];
  assert.throws(() => places.take());
  const gone: string[] = [];
  let end = () => {};
  places.leave(
    two,
    new Promise(resolve => {
      end = resolve;
    }),
  );
  const next = places.take();
  places.leave(next, Promise.resolve());
  const last = places.take();
  void last.free.then(() => gone.push('last'));
  places.leave(one, Promise.resolve());
  await places.take().free;
  assert.deepEqual(gone, []);
  end();
  await last.free;
});

test('a process waits for one that nobody needs, and is refused where there is none', async () => {
  const rooms: (() => void)[] = [];
  const idle = [{}];
  const places = new ProcessPlaces(2, () => {
    const one = idle.pop();
    return one && new Promise<void>(resolve => rooms.push(resolve)).then(() => places.leave(one));
  });
  const needed = {};
  await places.take(idle[0] ?? {});
  await places.take(needed);
  await places.take(needed);
  let isThere = false;
  const late = places.take({}).then(() => {
    isThere = true;
  });
  await assert.rejects(places.take({}), /The hub runs 2 servers already/);
  assert.equal(isThere, false);
  rooms[0]?.();
  await late;
  places.leave(needed);
  await places.take({});
});

test('nothing is left of what was idle when its time was over', t => {
  const { sets, clock } = withServers(t);
  const tenant = sets.tenant(nobody);
  const set = tenant.use([web]);
  assert.equal(clock.waiting, 0);
  tenant.dispose();
  assert.equal(clock.waiting, 1);
  clock.pass(300_000);
  assert.equal(clock.waiting, 0);
  assert.notEqual(sets.tenant(nobody).use([web]), set);
});

test('what a change of roots does depends on how the server learns of them', () => {
  const [told, named] = [stdioLaunch(), stdioLaunch({ args: ['${roots}'] })];
  const elsewhere = stdioLaunch({ cwd: '/srv' });
  const effects = (launch: ReturnType<typeof stdioLaunch>, now: readonly RootFolder[]) =>
    rootsEffect(launch, [web], now);
  assert.deepEqual(
    {
      'one more': [told, named, elsewhere].map(launch => effects(launch, [web, api])),
      'another one': [told, named, elsewhere].map(launch => effects(launch, [api])),
      'one above': [told, named].map(launch => effects(launch, [folder('/proj')])),
      'one that begins alike': effects(told, [folder('/proj/we')]),
      'another name': [told, named].map(launch => effects(launch, [folder('/proj/web', 'Web')])),
      none: [told, named, elsewhere].map(launch => effects(launch, [])),
      'the first ones': [told, named, elsewhere].map(launch => rootsEffect(launch, [], [web])),
    },
    {
      'one more': ['told', 'restart', 'told'],
      'another one': ['restart', 'restart', 'told'],
      'one above': ['told', 'restart'],
      'one that begins alike': 'restart',
      'another name': ['told', 'told'],
      none: ['stop', 'stop', 'stop'],
      'the first ones': ['restart', 'restart', 'told'],
    },
  );
});

test('a root without a name is told of under that of its folder', () => {
  assert.deepEqual(toldRoots([web, folder('/proj/api', 'API')]), [
    { uri: 'file:///proj/web', name: 'web' },
    { uri: 'file:///proj/api', name: 'API' },
  ]);
});
