import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { leastLogLevel } from '../../../../src/hub/upstreams/poolEntry.ts';
import type { RootFolder } from '../../../../src/server/roots/rootFolders.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { inPlace } from '../../../support/rootFolder.ts';
import { hubServer, upstreamPool } from '../../../support/upstreamPools.ts';

/** A root at this path; nothing looks whether it is there. */
function folder(path: string, name?: string): RootFolder {
  const named = name === undefined ? {} : { name };
  const uri = `file://${path}`;
  return { uri, announced: path, real: path, foldsCase: false, ...inPlace, ...named };
}

function withServers(t: TestContext) {
  const recorded = upstreamPool(t);
  recorded.pool.setServers([hubServer('files', stdioLaunch())]);
  return recorded;
}

const web = folder('/proj/web');
const api = folder('/proj/api');

test('which entry a client gets depends on its roots, their order and names, and on what it offers', t => {
  const { newClient } = withServers(t);
  const entry = (roots: readonly RootFolder[], capabilities = {}) =>
    newClient({ capabilities }).at(roots);
  const first = entry([web, api]);
  assert.equal(entry([folder('/proj/web'), folder('/proj/api')]), first);
  const others = [
    entry([api, web]),
    entry([web]),
    entry([]),
    entry([folder('/proj/web', 'Web'), api]),
    entry([web, { ...api, real: '/disk/api' }]),
    entry([web, { ...api, uri: 'file:///proj/%61pi' }]),
    entry([web, api], { sampling: {} }),
  ];
  assert.equal(new Set([first, ...others]).size, 8);
});

test('an entry moves with its only session, unless there is one for these roots already', t => {
  const { newClient } = withServers(t);
  const [a, b] = [newClient(), newClient()];
  const entry = a.at([web]);
  assert.equal(a.at([api]), entry);
  assert.deepEqual(entry.roots, [api]);
  const other = b.at([web]);
  assert.notEqual(other, entry);
  assert.equal(a.at([web]), other);
  // Nobody moves what somebody else refers to.
  assert.notEqual(a.at([api]), other);
  assert.deepEqual([other.roots, a.current?.roots], [[web], [api]]);
});

test('of entries that nobody refers to 32 are kept, and then the longest idle one ends', t => {
  const { newClient, clock } = withServers(t);
  const clients = Array.from({ length: 40 }, () => newClient());
  const entries = clients.map((client, index) => client.at([folder(`/proj/${index}`)]));
  assert.equal(new Set(entries).size, 40);
  clients[7]?.dispose();
  clients[3]?.dispose();
  for (const client of clients.slice(8, 38)) {
    client.dispose();
  }
  assert.equal(clock.waiting, 32);
  clients[39]?.dispose();
  assert.equal(clock.waiting, 32);
  assert.equal(newClient().at([folder('/proj/3')]), entries[3]);
  assert.notEqual(newClient().at([folder('/proj/7')]), entries[7]);
  assert.throws(() => clients[7]?.at([web]), /The session has ended/);
});

test('a connection has an entry for each of its lists of roots, and none that moves', t => {
  const { newClient, clock } = withServers(t);
  const client = newClient({ kind: 'connection' });
  const first = client.at([web]);
  const kept = client.keep(first);
  const second = client.at([api]);
  assert.notEqual(second, first);
  assert.deepEqual([first.roots, second.roots, client.current], [[web], [api], second]);
  // A call still works in the first one.
  assert.equal(clock.waiting, 0);
  kept.dispose();
  assert.equal(clock.waiting, 1);
  clock.pass(299_999);
  assert.equal(client.at([web]), first);
  clock.pass(300_000);
  assert.notEqual(client.at([api]), second);
  // Not even one that nobody else needs.
  const last = client.current;
  assert.notEqual(client.at([]), last);
});

test('who can be asked shares servers with nobody, and leaves none behind', t => {
  const { newClient, clock } = withServers(t);
  const capabilities = { elicitation: {} };
  const [a, b] = [newClient({ capabilities, id: 'a' }), newClient({ capabilities, id: 'b' })];
  const entry = a.at([web]);
  assert.notEqual(b.at([web]), entry);
  const kept = a.keep(entry);
  a.dispose();
  kept.dispose();
  assert.equal(clock.waiting, 0);
  assert.notEqual(newClient({ capabilities, id: 'a' }).at([web]), entry);
  // A connection may come back to them.
  const connection = { capabilities, kind: 'connection', id: 'c' } as const;
  const first = newClient(connection);
  const own = first.at([web]);
  first.dispose();
  assert.equal(newClient(connection).at([web]), own);
});

test('a client hears of its current servers, and these log what the most curious client wants', t => {
  const { pool, newClient } = withServers(t);
  const [a, b] = [newClient(), newClient()];
  const heard: string[] = [];
  a.onDidChange(({ upstream }) => heard.push(upstream.server.name));
  a.setLogLevel('error');
  const entry = a.at([web]);
  b.at([web]);
  const levels: string[] = [];
  const [files] = entry.upstreams.values();
  assert.ok(files);
  files.setLogLevel = level => levels.push(level);
  b.setLogLevel('debug');
  b.dispose();
  assert.deepEqual(levels, ['debug', 'error']);
  pool.setServers([hubServer('files', stdioLaunch()), hubServer('more', stdioLaunch())]);
  a.dispose();
  pool.setServers([]);
  assert.deepEqual(heard, ['more']);
});

test('a server is asked for the least that is wanted of it', () => {
  assert.equal(leastLogLevel(['error', 'debug', undefined, 'info']), 'debug');
  assert.equal(leastLogLevel(['alert', 'warning']), 'warning');
  assert.equal(leastLogLevel(['emergency', undefined]), 'emergency');
  assert.equal(leastLogLevel([undefined]), 'info');
});

test('nothing is left of what was idle when its time was over', t => {
  const { newClient, clock } = withServers(t);
  const client = newClient();
  const entry = client.at([web]);
  assert.equal(clock.waiting, 0);
  client.dispose();
  assert.equal(clock.waiting, 1);
  clock.pass(300_000);
  assert.equal(clock.waiting, 0);
  assert.notEqual(newClient().at([web]), entry);
});
