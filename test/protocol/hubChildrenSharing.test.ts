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
import { isAlive } from '../support/processes.ts';
import { namesTold, withRaw } from '../support/rawChildren.ts';
import { faultyServer } from '../support/recordingServer.ts';

test('clients with other roots never share a process, and each learns of its own roots', async t => {
  const { sets, server } = withRaw(t);
  const [a, b] = [sets.tenant(nobody), sets.tenant(nobody)];
  const [first, second] = [a.use(rootsOf(t, 'one')), b.use(rootsOf(t, 'two', 'three'))];
  assert.deepEqual(
    await Promise.all([
      namesTold(callChild(first.children.get('raw'), 'ask', a)),
      namesTold(callChild(second.children.get('raw'), 'ask', b)),
    ]),
    [['one'], ['two', 'three']],
  );
  assert.notEqual(first, second);
  assert.equal(server.pids().filter(isAlive).length, 2);
});

test('clients with the same roots share a process, unless they offer it different things', async t => {
  const { sets, server } = withRaw(t);
  const roots = rootsOf(t, 'one');
  const [a, b] = [sets.tenant(nobody), sets.tenant(nobody)];
  assert.equal(a.use(roots), b.use([...roots]));
  await Promise.all([a, b].map(tenant => callChild(tenant.current?.children.get('raw'), 'ask')));
  assert.equal(server.pids().filter(isAlive).length, 1);
  const asking = sets.tenant({ ...nobody, capabilities: { elicitation: {} } });
  assert.notEqual(asking.use(roots), a.current);
});

test('a client leaves the others alone when only its own roots change', async t => {
  const { sets, server } = withRaw(t);
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const [a, b] = [sets.tenant(nobody), sets.tenant(nobody)];
  const shared = a.use([one]);
  b.use([one]);
  await callChild(shared.children.get('raw'), 'ask');
  const own = b.use([two]);
  assert.notEqual(own, shared);
  assert.deepEqual(await namesTold(callChild(own.children.get('raw'), 'ask')), ['two']);
  assert.deepEqual(await namesTold(callChild(shared.children.get('raw'), 'ask')), ['one']);
  assert.equal(server.count('notifications/roots/list_changed'), 0);
});

test('what a server asks goes to the client for whom it works, and to nobody when there are two', async t => {
  const server = faultyServer(t);
  const { sets } = childSets(t);
  sets.setServers([hubServer('faulty', launchOf(server))]);
  const asked: string[] = [];
  // As requests, because sessions that can be asked share nothing.
  const request = (name: string) => {
    const relay = {
      capabilities: { elicitation: {}, sampling: {} },
      answer: async ({ method }: { readonly method: string }) => {
        asked.push(`${name}: ${method}`);
        throw Object.assign(new Error('Not now.'), { code: -32000 });
      },
    };
    return sets.tenant(relay, { kind: 'request', id: name });
  };
  const [a, b, c] = [request('a'), request('b'), request('c')];
  const roots = rootsOf(t, 'one');
  const shared = a.use(roots, 'faulty');
  assert.equal(b.use([...roots], 'faulty'), shared);
  const child = shared.children.get('faulty');
  assert.ok(child);
  const codes = async (of = child, tenant = a) =>
    JSON.parse(await callChild(of, 'ask-for-more', tenant));
  assert.deepEqual(await codes(), [-32000, -32000, -32601]);
  const calledOff = new AbortController();
  const hanging = child.forward({ ...toolCall('hang'), signal: calledOff.signal }, b);
  assert.deepEqual(await codes(), [-32603, -32603, -32601]);
  calledOff.abort();
  await assert.rejects(hanging);
  // It may be about the call that is over.
  assert.deepEqual(await codes(), [-32603, -32603, -32601]);
  // A server that is known to ask is another one for each, and only that one.
  assert.equal(c.use([...roots]), shared);
  const own = c.use([...roots], 'faulty').children.get('faulty');
  assert.notEqual(own, child);
  assert.deepEqual(await codes(own, c), [-32000, -32000, -32601]);
  assert.deepEqual([...new Set(asked)].sort(), [
    'a: elicitation/create',
    'a: sampling/createMessage',
    'c: elicitation/create',
    'c: sampling/createMessage',
  ]);
  assert.equal(asked.length, 4);
});
