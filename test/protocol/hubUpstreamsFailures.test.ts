import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stdioLaunch } from '../support/launches.ts';
import { until } from '../support/processes.ts';
import { faultyServer, rawServer } from '../support/recordingServer.ts';
import { slowDownload } from '../support/slowDownload.ts';
import { onlyOn } from '../support/systems.ts';
import { mockClocks } from '../support/turnedClock.ts';
import {
  callUpstream,
  hubServer,
  launchOf,
  namesTold,
  patient,
  recordedUpstreams,
  rootsOf,
  toolCall,
} from '../support/upstreams.ts';

const skip = onlyOn('posix', 'no program is run by a shebang there');

test('a server that crashes fails its calls with its last words, and takes the next call', async t => {
  const [faulty, well] = [faultyServer(t), rawServer(t)];
  const servers = [hubServer('faulty', launchOf(faulty)), hubServer('well', launchOf(well))];
  const { events, at } = recordedUpstreams(t, servers);
  const upstreams = at(rootsOf(t, 'one'));
  const upstream = upstreams.get('faulty');
  assert.ok(upstream);
  await upstream.comeUp(patient());
  const hanging = upstream.forward(toolCall('hang'));
  const words = /"faulty" .* 7: panic: index out of range\. .* 1 s\.$/;
  await Promise.all([
    assert.rejects(upstream.forward(toolCall('crash')), { message: words }),
    assert.rejects(hanging, { message: words }),
  ]);
  assert.match(String(upstream.problem), / 7: panic/);
  assert.deepEqual(await namesTold(callUpstream(upstreams.get('well'), 'ask')), ['one']);
  assert.equal(await callUpstream(upstream, 'echo'), 'well');
  assert.deepEqual(
    events.filter(({ server }) => server === 'faulty').map(({ state }) => state),
    ['starting', 'running', 'failed', 'restarting', 'running'],
  );
});

test('a call gives up before a download, which goes on for the next', { skip }, async t => {
  const server = rawServer(t);
  const download = slowDownload(t, server);
  const { clock, events, at } = recordedUpstreams(t, [hubServer('fetched', download.launch)]);
  const upstream = at(rootsOf(t, 'one')).get('fetched');
  assert.ok(upstream);
  const early = upstream.comeUp(patient());
  await until('it is being downloaded', () => download.times() === 1);
  clock.pass(45_000);
  await assert.rejects(early, /"fetched" .* downloading/);
  const late = callUpstream(upstream, 'ask');
  download.finish();
  assert.deepEqual(await namesTold(late), ['one']);
  assert.equal(download.times(), 1);
  assert.deepEqual(
    events.map(({ state }) => state),
    ['starting', 'running'],
  );
});

test('says why a server does not start, with its last words', async t => {
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
    /^HumanError: .*"dying" .* 3: no such option: --fast\. /,
  );
  assert.match(String(await reason('typo')), /"typo" .*"no-such-program"/);
  assert.match(String(await reason('variable')), /"variable" .*NO_SUCH_VARIABLE/);
  assert.match(String(await reason('nowhere')), /"nowhere" .*no.such.folder/);
  assert.match(String(await reason('stranger')), /"stranger" /);
  // It would cost a process each time to find out the same again.
  assert.match(String(await reason('stranger')), /In \d+ s, a call can start the server again\.$/);
  assert.equal(stranger.pids().length, 1);
});

test('gives up on a server that always dies, and retries it for a call after half a minute', async t => {
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
  assert.match(await reason(), / 3: .*--fast\. .* 1 s\.$/);
  for (const delay of [500, 1000]) {
    const next = reason();
    t.mock.timers.tick(delay);
    assert.match(await next, /"dying" .* 3: /);
  }
  assert.equal(upstream.plan.kind, 'given-up');
  assert.match(await reason(), / after 3 deaths\. In 30 s, .*$/);
  assert.equal(server.pids().length, 3);
  assert.match(String(events.at(-1)?.reason), / after 3 deaths$/);
  t.mock.timers.tick(30_000);
  assert.match(await reason(), /exit code 3/);
  assert.equal(server.pids().length, 4);
});
