import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
import { httpLaunch, stdioLaunch } from '../support/launches.ts';
import { atEnd, until } from '../support/processes.ts';
import { namesTold, patient } from '../support/rawChildren.ts';
import { faultyServer, rawServer } from '../support/recordingServer.ts';
import { slowDownload } from '../support/slowDownload.ts';

const skip = process.platform === 'win32' && 'no program is run by a shebang there';

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
  await assert.rejects(waiting, {
    message: 'The server "mute" is still starting. Ask again in a moment.',
  });
});

test('a call does not outwait a download, which goes on for the next one', { skip }, async t => {
  const server = rawServer(t);
  const download = slowDownload(t, server);
  const { sets, clock, events } = childSets(t);
  sets.setServers([hubServer('fetched', download.launch)]);
  const child = sets.tenant(nobody).use(rootsOf(t, 'one')).children.get('fetched');
  assert.ok(child);
  const early = child.prepare(patient());
  await until('it is being downloaded', () => download.times() === 1);
  clock.pass(45_000);
  await assert.rejects(early, {
    message:
      'The server "fetched" is still starting, it may be downloading. Ask again in a moment.',
  });
  const late = callChild(child, 'ask');
  download.finish();
  assert.deepEqual(await namesTold(late), ['one']);
  assert.equal(download.times(), 1);
  assert.deepEqual(
    events.map(({ state }) => state),
    ['starting', 'running'],
  );
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
