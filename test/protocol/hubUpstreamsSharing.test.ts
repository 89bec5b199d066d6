import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAlive } from '../support/processes.ts';
import { namesTold, withRaw } from '../support/rawUpstreams.ts';
import { faultyServer } from '../support/recordingServer.ts';
import {
  callUpstream,
  hubServer,
  launchOf,
  rootsOf,
  toolCall,
  upstreamPool,
} from '../support/upstreamPools.ts';

test('clients with other roots never share a process, and each learns of its own roots', async t => {
  const { server, newClient } = withRaw(t);
  const [a, b] = [newClient(), newClient()];
  const [first, second] = [a.at(rootsOf(t, 'one')), b.at(rootsOf(t, 'two', 'three'))];
  assert.deepEqual(
    await Promise.all([
      namesTold(callUpstream(first.upstreams.get('raw'), 'ask', a)),
      namesTold(callUpstream(second.upstreams.get('raw'), 'ask', b)),
    ]),
    [['one'], ['two', 'three']],
  );
  assert.notEqual(first, second);
  assert.equal(server.pids().filter(isAlive).length, 2);
});

test('clients with the same roots share a process, unless they offer it different things', async t => {
  const { server, newClient } = withRaw(t);
  const roots = rootsOf(t, 'one');
  const [a, b] = [newClient(), newClient()];
  assert.equal(a.at(roots), b.at([...roots]));
  await Promise.all(
    [a, b].map(client => callUpstream(client.current?.upstreams.get('raw'), 'ask')),
  );
  assert.equal(server.pids().filter(isAlive).length, 1);
  const asking = newClient({ capabilities: { elicitation: {} } });
  assert.notEqual(asking.at(roots), a.current);
});

test('a client leaves the others alone when only its own roots change', async t => {
  const { server, newClient } = withRaw(t);
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const [a, b] = [newClient(), newClient()];
  const shared = a.at([one]);
  b.at([one]);
  await callUpstream(shared.upstreams.get('raw'), 'ask');
  const own = b.at([two]);
  assert.notEqual(own, shared);
  assert.deepEqual(await namesTold(callUpstream(own.upstreams.get('raw'), 'ask')), ['two']);
  assert.deepEqual(await namesTold(callUpstream(shared.upstreams.get('raw'), 'ask')), ['one']);
  assert.equal(server.count('notifications/roots/list_changed'), 0);
});

test('what a server asks goes to the client for whom it works, and to nobody when there are two', async t => {
  const server = faultyServer(t);
  const { pool, newClient } = upstreamPool(t);
  pool.setServers([hubServer('faulty', launchOf(server))]);
  const asked: string[] = [];
  // As requests, because sessions that can be asked share nothing.
  const request = (name: string) =>
    newClient({
      kind: 'request',
      capabilities: { elicitation: {}, sampling: {} },
      answer: async ({ method }) => {
        asked.push(`${name}: ${method}`);
        throw Object.assign(new Error('Not now.'), { code: -32000 });
      },
    });
  const [a, b, c] = [request('a'), request('b'), request('c')];
  const roots = rootsOf(t, 'one');
  const shared = a.at(roots, 'faulty');
  assert.equal(b.at([...roots], 'faulty'), shared);
  const upstream = shared.upstreams.get('faulty');
  assert.ok(upstream);
  const codes = async (of = upstream, client = a) =>
    JSON.parse(await callUpstream(of, 'ask-for-more', client));
  assert.deepEqual(await codes(), [-32000, -32000, -32601]);
  const calledOff = new AbortController();
  const hanging = upstream.forward({ ...toolCall('hang'), signal: calledOff.signal }, b);
  assert.deepEqual(await codes(), [-32603, -32603, -32601]);
  calledOff.abort();
  await assert.rejects(hanging);
  // It may be about the call that is over.
  assert.deepEqual(await codes(), [-32603, -32603, -32601]);
  // A server that is known to ask is another one for each, and only that one.
  assert.equal(c.at([...roots]), shared);
  const own = c.at([...roots], 'faulty').upstreams.get('faulty');
  assert.notEqual(own, upstream);
  assert.deepEqual(await codes(own, c), [-32000, -32000, -32601]);
  assert.deepEqual([...new Set(asked)].sort(), [
    'a: elicitation/create',
    'a: sampling/createMessage',
    'c: elicitation/create',
    'c: sampling/createMessage',
  ]);
  assert.equal(asked.length, 4);
});
