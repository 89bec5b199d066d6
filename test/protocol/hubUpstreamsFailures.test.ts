import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { httpLaunch, stdioLaunch } from '../support/launches.ts';
import { atEnd, until } from '../support/processes.ts';
import { namesTold, patient } from '../support/rawUpstreams.ts';
import { faultyServer, rawServer } from '../support/recordingServer.ts';
import { slowDownload } from '../support/slowDownload.ts';
import { onlyOn } from '../support/systems.ts';
import { mockClocks } from '../support/turnedClock.ts';
import {
  callUpstream,
  hubServer,
  launchOf,
  recordedUpstreams,
  rootsOf,
  toolCall,
} from '../support/upstreams.ts';

const skip = onlyOn('posix', 'no program is run by a shebang there');

test('a server that crashes fails its calls with its last words, and is there for the next call', async t => {
  const [faulty, well] = [faultyServer(t), rawServer(t)];
  const servers = [hubServer('faulty', launchOf(faulty)), hubServer('well', launchOf(well))];
  const { events, at } = recordedUpstreams(t, servers);
  const upstreams = at(rootsOf(t, 'one'));
  const upstream = upstreams.get('faulty');
  assert.ok(upstream);
  await upstream.comeUp(patient());
  const hanging = upstream.forward(toolCall('hang'));
  const words =
    /^The server "faulty" ended with exit code 7: panic: index out of range\. It is started again in 1 s\.$/;
  await Promise.all([
    assert.rejects(upstream.forward(toolCall('crash')), { message: words }),
    assert.rejects(hanging, { message: words }),
  ]);
  assert.match(String(upstream.problem), /^It ended with exit code 7: panic/);
  assert.deepEqual(await namesTold(callUpstream(upstreams.get('well'), 'ask')), ['one']);
  assert.equal(await callUpstream(upstream, 'echo'), 'well');
  assert.deepEqual(
    events.filter(({ server }) => server === 'faulty').map(({ state }) => state),
    ['starting', 'running', 'failed', 'restarting', 'running'],
  );
});

test('a call does not outwait a download, which goes on for the next one', { skip }, async t => {
  const server = rawServer(t);
  const download = slowDownload(t, server);
  const { clock, events, at } = recordedUpstreams(t, [hubServer('fetched', download.launch)]);
  const upstream = at(rootsOf(t, 'one')).get('fetched');
  assert.ok(upstream);
  const early = upstream.comeUp(patient());
  await until('it is being downloaded', () => download.times() === 1);
  clock.pass(45_000);
  await assert.rejects(early, {
    message:
      'The server "fetched" is still starting, it may be downloading. Ask again in a moment.',
  });
  const late = callUpstream(upstream, 'ask');
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
  const { at } = recordedUpstreams(t, [
    hubServer('dying', launchOf(dying)),
    hubServer('stranger', launchOf(stranger)),
    hubServer('typo', stdioLaunch({ command: 'no-such-program' })),
    hubServer('variable', stdioLaunch({ env: { TOKEN: '${env:NO_SUCH_VARIABLE}' } })),
    hubServer('nowhere', stdioLaunch({ cwd: '/no/such/folder' })),
  ]);
  const upstreams = at(rootsOf(t, 'one'));
  const reason = (name: string) =>
    upstreams
      .get(name)
      ?.comeUp(patient())
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
  assert.match(String(await reason('nowhere')), /no.such.folder is no folder/);
  assert.match(String(await reason('stranger')), /does not speak MCP as expected/);
  // It would cost a process each time to find out the same again.
  assert.match(String(await reason('stranger')), /A call in \d+ s or later tries again\.$/);
  assert.equal(stranger.pids().length, 1);
});

test('a server that always dies is given up, and tried again by a call half a minute later', async t => {
  const server = rawServer(t, { dies: 'at-start' });
  const { events, at } = recordedUpstreams(t, [
    hubServer('dying', launchOf(server), { protocol: 'legacy' }),
  ]);
  const upstream = at(rootsOf(t, 'one')).get('dying');
  assert.ok(upstream);
  mockClocks(t);
  const reason = () =>
    upstream.comeUp(patient()).then(
      () => 'started',
      ({ message }: Error) => message,
    );
  assert.match(await reason(), /exit code 3: .*--fast\. It is started again in 1 s\.$/);
  for (const delay of [500, 1000]) {
    const next = reason();
    t.mock.timers.tick(delay);
    assert.match(await next, /^The server "dying" ended with exit code 3/);
  }
  assert.equal(upstream.plan.kind, 'given-up');
  assert.match(await reason(), /given up after 3 deaths\. A call in 30 s or later tries again\.$/);
  assert.equal(server.pids().length, 3);
  assert.match(String(events.at(-1)?.reason), /given up after 3 deaths$/);
  t.mock.timers.tick(30_000);
  assert.match(await reason(), /exit code 3/);
  assert.equal(server.pids().length, 4);
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
  const { all, at } = recordedUpstreams(t);
  const headers = { Authorization: 'Bearer wrong-token-123456' };
  all.setServers([hubServer('remote', httpLaunch(`http://127.0.0.1:${port}/mcp`, headers))]);
  const upstream = at(rootsOf(t, 'one')).get('remote');
  assert.ok(upstream);
  await assert.rejects(upstream.comeUp(patient()), ({ message }: Error) => {
    assert.match(message, /^The server "remote" refused access: .*cannot sign in by itself/);
    assert.doesNotMatch(message, /wrong-token/);
    return true;
  });
  assert.deepEqual([...new Set(tokens)], ['Bearer wrong-token-123456']);
  const asked = tokens.length;
  await assert.rejects(upstream.comeUp(patient()), /A call in \d+ s or later tries again\.$/);
  assert.equal(tokens.length, asked);
});
