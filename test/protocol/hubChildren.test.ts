import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import {
  callChild,
  childSets,
  hubServer,
  launchOf,
  nobody,
  rootsOf,
  toolCall,
} from '../support/childSets.ts';
import { httpLaunch, stdioLaunch } from '../support/launches.ts';
import { allGone, atEnd, isAlive, until } from '../support/processes.ts';
import {
  faultyServer,
  legacyServer,
  modernServer,
  rawServer,
  rootlessServer,
} from '../support/recordingServer.ts';

const patient = () => AbortSignal.timeout(30_000);

/** A hub with one legacy server, which tells of its roots when it is called. */
function withRaw(t: TestContext) {
  // Before the hub, which ends the processes before it is looked whether they are gone.
  const server = rawServer(t);
  const recorded = childSets(t);
  recorded.sets.setServers([hubServer('raw', launchOf(server))]);
  return { ...recorded, server };
}

/** The names of the roots that the server is told of now. */
async function namesTold(asked: Promise<string>): Promise<string[]> {
  const roots: readonly { readonly name: string }[] = JSON.parse(await asked);
  return roots.map(({ name }) => name);
}

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

test('other roots of a client are brought to the process that it has', async t => {
  const { sets, server } = withRaw(t);
  const tenant = sets.tenant(nobody);
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const set = tenant.use([one]);
  const child = set.children.get('raw');
  await callChild(child, 'ask', tenant);
  assert.equal(tenant.use([one, two]), set);
  await until('the notice', () => server.count('notifications/roots/list_changed') === 1);
  assert.deepEqual(await namesTold(callChild(child, 'ask', tenant)), ['one', 'two']);
  assert.equal(server.pids().filter(isAlive).length, 1);
  // With the last root it ends, whatever it makes of being told that there are none.
  tenant.use([]);
  await until('the end of the process', () => !server.pids().some(isAlive));
  assert.deepEqual(await namesTold(callChild(child, 'ask', tenant)), []);
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

test('a server whose folder is no root any more starts again in the first that is', async t => {
  const server = rootlessServer(t);
  const { sets, events } = childSets(t);
  sets.setServers([hubServer('files', launchOf(server))]);
  const tenant = sets.tenant(nobody);
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const child = tenant.use([one]).children.get('files');
  const where = async () => JSON.parse(await callChild(child, 'started', tenant)).cwd;
  assert.equal(await where(), one.real);
  tenant.use([two, one]);
  assert.equal(await where(), one.real);
  tenant.use([two]);
  assert.equal(child?.isReady, false);
  assert.equal(await where(), two.real);
  assert.deepEqual(
    events.map(({ state }) => state),
    ['starting', 'running', 'restarting', 'running'],
  );
  assert.match(String(events[2]?.reason), /roots have changed/);
});

test('a server that is told of its roots as arguments starts again with those of now', async t => {
  const server = rootlessServer(t);
  const { sets } = childSets(t);
  sets.setServers([hubServer('files', launchOf(server, '${roots}'), { rootsAs: ['args'] })]);
  const tenant = sets.tenant(nobody);
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const child = tenant.use([one]).children.get('files');
  const folders = async () => JSON.parse(await callChild(child, 'started', tenant)).folders;
  assert.deepEqual(await folders(), [one.announced]);
  tenant.use([one, two]);
  assert.deepEqual(await folders(), [one.announced, two.announced]);
  // Changes that follow each other closely: what counts is the last.
  tenant.use([two]);
  tenant.use([two, one]);
  tenant.use([one]);
  assert.deepEqual(await folders(), [one.announced]);
  tenant.use([]);
  await until('its end', () => !server.pids().some(isAlive));
  await assert.rejects(folders(), /"files" could not be started: .*it may see none now/);
  tenant.use([two]);
  assert.deepEqual(await folders(), [two.announced]);
});

test('a server that crashes fails its calls with its last words, and is there for the next call', async t => {
  const [faulty, well] = [faultyServer(t), rawServer(t)];
  const servers = [hubServer('faulty', launchOf(faulty)), hubServer('well', launchOf(well))];
  const { sets, events } = childSets(t);
  sets.setServers(servers);
  const tenant = sets.tenant(nobody);
  const { children } = tenant.use(rootsOf(t, 'one'));
  const child = children.get('faulty');
  assert.ok(child);
  await child.prepare(patient());
  const hanging = child.forward(toolCall('hang'), tenant);
  const words =
    /^The server "faulty" ended with exit code 7: panic: index out of range\. It is started again in 1 s\.$/;
  await Promise.all([
    assert.rejects(child.forward(toolCall('crash'), tenant), { message: words }),
    assert.rejects(hanging, { message: words }),
  ]);
  assert.match(String(child.problem), /^It ended with exit code 7: panic/);
  assert.deepEqual(await namesTold(callChild(children.get('well'), 'ask')), ['one']);
  assert.equal(await callChild(child, 'echo', tenant), 'well');
  assert.deepEqual(
    events.filter(({ server }) => server === 'faulty').map(({ state }) => state),
    ['starting', 'running', 'failed', 'restarting', 'running'],
  );
});

test('a hanging call holds up neither the others nor other servers', async t => {
  const [faulty, mute] = [faultyServer(t), rawServer(t, { isMute: true })];
  const { sets } = childSets(t);
  sets.setServers([hubServer('faulty', launchOf(faulty)), hubServer('mute', launchOf(mute))]);
  const tenant = sets.tenant(nobody);
  const { children } = tenant.use(rootsOf(t, 'one'));
  const child = children.get('faulty');
  const stuck = children.get('mute');
  assert.ok(child && stuck);
  const impatient = new AbortController();
  const waiting = stuck.prepare(impatient.signal);
  await child.prepare(patient());
  const calledOff = new AbortController();
  const signal = calledOff.signal;
  const hanging = child.forward({ ...toolCall('hang'), signal }, tenant);
  assert.equal(await callChild(child, 'echo', tenant), 'well');
  calledOff.abort();
  await assert.rejects(hanging);
  impatient.abort();
  await assert.rejects(waiting, { message: 'The server "mute" is still starting.' });
});

test('why a server does not start is said, with what it said last', async t => {
  const dying = rawServer(t, { dies: 'at-start' });
  const stranger = rawServer(t, { version: '2099-01-01' });
  const { sets } = childSets(t);
  sets.setServers([
    hubServer('dying', launchOf(dying)),
    hubServer('stranger', launchOf(stranger)),
    hubServer('typo', stdioLaunch({ command: 'no-such-program' })),
    hubServer('variable', stdioLaunch({ env: { TOKEN: '${env:NO_SUCH_VARIABLE}' } })),
    hubServer('nowhere', stdioLaunch({ cwd: '/no/such/folder' })),
  ]);
  const { children } = sets.tenant(nobody).use(rootsOf(t, 'one'));
  const reason = (name: string) =>
    children
      .get(name)
      ?.prepare(patient())
      .then(
        () => 'started',
        (error: Error) => `${error.name}: ${error.message}`,
      );
  assert.match(
    String(await reason('dying')),
    /^HumanError: The server "dying" ended with exit code 3: no such option: --fast\. It is started again in/,
  );
  assert.match(String(await reason('typo')), /"no-such-program" was not found on PATH\.$/);
  assert.match(String(await reason('variable')), /NO_SUCH_VARIABLE is not set\.$/);
  assert.match(String(await reason('nowhere')), /\/no\/such\/folder is no folder/);
  assert.match(String(await reason('stranger')), /does not speak MCP as expected/);
  // It would cost a process each time to find out the same again.
  assert.match(String(await reason('stranger')), /A call in \d+ s or later tries again\.$/);
  assert.equal(stranger.pids().length, 1);
});

test('calls that come during a start share it', async t => {
  const { sets, server } = withRaw(t);
  const tenant = sets.tenant(nobody);
  const child = tenant.use(rootsOf(t, 'one')).children.get('raw');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => callChild(child, 'answers', tenant)),
  );
  assert.deepEqual([answers.length, server.pids().filter(isAlive).length], [20, 1]);
});

test('a modern server gets the roots of the set within the call', async t => {
  const server = modernServer(t);
  const { sets } = childSets(t);
  sets.setServers([hubServer('modern', launchOf(server))]);
  const tenant = sets.tenant(nobody);
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const child = tenant.use([one]).children.get('modern');
  assert.deepEqual(await namesTold(callChild(child, 'where', tenant)), ['one']);
  tenant.use([two]);
  assert.deepEqual(await namesTold(callChild(child, 'where', tenant)), ['two']);
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
  const pids = servers.flatMap(server => [...server.pids(), ...server.grandchildren()]);
  assert.deepEqual([pids.length >= 4, pids.filter(isAlive)], [true, []]);
  assert.throws(() => sets.tenant(nobody).use([]), { message: 'The hub is ending.' });
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

test('a server that always dies is given up, and tried again by a call half a minute later', async t => {
  const server = rawServer(t, { dies: 'at-start' });
  const { sets, events } = childSets(t);
  sets.setServers([hubServer('dying', launchOf(server), { protocol: 'legacy' })]);
  const child = sets.tenant(nobody).use(rootsOf(t, 'one')).children.get('dying');
  assert.ok(child);
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const reason = () =>
    child.prepare(patient()).then(
      () => 'started',
      ({ message }: Error) => message,
    );
  assert.match(await reason(), /exit code 3: .*--fast\. It is started again in 1 s\.$/);
  for (const delay of [500, 1000, 2000, 4000]) {
    const next = reason();
    t.mock.timers.tick(delay);
    assert.match(await next, /^The server "dying" ended with exit code 3/);
  }
  assert.equal(child.plan.kind, 'given-up');
  assert.match(await reason(), /given up after 5 deaths\. A call in 30 s or later tries again\.$/);
  assert.equal(server.pids().length, 5);
  assert.match(String(events.at(-1)?.reason), /given up after 5 deaths$/);
  t.mock.timers.tick(30_000);
  assert.match(await reason(), /exit code 3/);
  assert.equal(server.pids().length, 6);
});

test('a server over HTTP gets its headers, and who is not let in learns what to do', async t => {
  const tokens: (string | undefined)[] = [];
  const service = createServer(({ headers }, response) => {
    tokens.push(headers.authorization);
    response.writeHead(401).end();
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  atEnd(t, () => service.close());
  const { port } = service.address() as AddressInfo;
  const { sets } = childSets(t);
  const headers = { Authorization: 'Bearer wrong-token-123456' };
  sets.setServers([hubServer('remote', httpLaunch(`http://127.0.0.1:${port}/mcp`, headers))]);
  const child = sets.tenant(nobody).use(rootsOf(t, 'one')).children.get('remote');
  assert.ok(child);
  await assert.rejects(child.prepare(patient()), ({ message }: Error) => {
    assert.match(message, /^The server "remote" did not let us in: .*cannot sign in by itself/);
    assert.doesNotMatch(message, /wrong-token/);
    return true;
  });
  assert.deepEqual([...new Set(tokens)], ['Bearer wrong-token-123456']);
  const asked = tokens.length;
  await assert.rejects(child.prepare(patient()), /A call in \d+ s or later tries again\.$/);
  assert.equal(tokens.length, asked);
});
