import assert from 'node:assert/strict';
import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { test } from 'node:test';
import { isAlive, until } from '../support/processes.ts';
import { rawServer, rootlessServer } from '../support/recordingServer.ts';
import { skipLinks } from '../support/systems.ts';
import { said } from '../support/texts.ts';
import {
  callUpstream,
  hubServer,
  launchOf,
  namesTold,
  patient,
  recordedUpstreams,
  rootsOf,
  toolCall,
  withRaw,
} from '../support/upstreams.ts';

test('sends a client’s changed roots to its running process', async t => {
  const { server, at } = withRaw(t);
  const [one, two] = rootsOf(t, 'one', 'two');
  const upstream = at([one]).get('raw');
  await callUpstream(upstream, 'ask');
  assert.equal(at([one, two]).get('raw'), upstream);
  await until('the notice', () => server.count('notifications/roots/list_changed') === 1);
  assert.deepEqual(await namesTold(callUpstream(upstream, 'ask')), ['one', 'two']);
  assert.equal(server.pids().filter(isAlive).length, 1);
  // It ends with the last root, whatever it does with an empty list.
  at([]);
  await until('the end of the process', () => !server.pids().some(isAlive));
  assert.deepEqual(await namesTold(callUpstream(upstream, 'ask')), []);
});

test('a server gets the roots that exist when it asks, and the others when they return', {
  skip: skipLinks,
}, async t => {
  const { server, at } = withRaw(t);
  const [one, two, out] = rootsOf(t, 'one', 'two', 'out');
  const upstream = at([one, two]).get('raw');
  assert.deepEqual(await namesTold(callUpstream(upstream, 'ask')), ['one', 'two']);
  renameSync(two.real, `${two.real}-kept`);
  symlinkSync(out.real, two.real);
  // Nobody looks at the roots of the client meanwhile: the server itself asks.
  assert.deepEqual(await namesTold(callUpstream(upstream, 'ask')), ['one']);
  unlinkSync(two.real);
  renameSync(`${two.real}-kept`, two.real);
  upstream?.restoreRoots();
  await until('the notice', () => server.count('notifications/roots/list_changed') === 1);
  assert.deepEqual(await namesTold(callUpstream(upstream, 'ask')), ['one', 'two']);
  assert.equal(server.pids().length, 1);
});

test('starts a server without a root that no longer exists', {
  skip: skipLinks,
}, async t => {
  const server = rootlessServer(t);
  const { at } = recordedUpstreams(t, [
    hubServer('files', launchOf(server, '${roots}'), { rootsAs: ['args'] }),
  ]);
  const [one, two] = rootsOf(t, 'one', 'two');
  const upstream = at([one, two]).get('files');
  renameSync(one.real, `${one.real}-kept`);
  symlinkSync(two.real, one.real);
  const started = JSON.parse(await callUpstream(upstream, 'started'));
  assert.equal(started.cwd, two.real);
  assert.doesNotMatch(server.bytes() + JSON.stringify(started), /one/);
});

test('a server that gets its roots as arguments restarts with the present roots', async t => {
  const server = rootlessServer(t);
  const { events, at } = recordedUpstreams(t, [
    hubServer('files', launchOf(server, '${roots}'), { rootsAs: ['args'] }),
  ]);
  const [one, two] = rootsOf(t, 'one', 'two');
  const upstream = at([one]).get('files');
  const folders = async () => JSON.parse(await callUpstream(upstream, 'started')).folders;
  assert.deepEqual(await folders(), [one.announced]);
  at([one, two]);
  assert.deepEqual(await folders(), [one.announced, two.announced]);
  // Of changes in quick succession, the last one counts.
  at([two]);
  at([two, one]);
  at([one]);
  assert.deepEqual(await folders(), [one.announced]);
  at([]);
  await until('its end', () => !server.pids().some(isAlive));
  await assert.rejects(folders(), /"files" .*\$\{roots\}/);
  assert.equal(upstream?.state.kind, 'failed');
  at([two]);
  // The missing parts may exist now.
  assert.deepEqual([upstream?.state.kind, events.at(-1)?.state], ['stopped', 'stopped']);
  assert.deepEqual(await folders(), [two.announced]);
});

test('no call waits for a server that changed roots end', async t => {
  const server = rawServer(t, { isStubborn: true });
  const { at } = recordedUpstreams(t, [
    hubServer('files', launchOf(server, '${roots}'), { rootsAs: ['args'] }),
  ]);
  const [one, two] = rootsOf(t, 'one', 'two');
  const upstream = at([one]).get('files');
  await callUpstream(upstream, 'ask');
  const hanging = callUpstream(upstream, 'hang');
  await until('the call', () => server.bytes().includes('"hang"'));
  at([two]);
  await assert.rejects(hanging, /"files" .* the roots have changed/);
  assert.ok(server.pids().every(isAlive));
});

test('names changed roots as the cause only for a server that they ended', async t => {
  const { server, at } = withRaw(t);
  const [one, two] = rootsOf(t, 'one', 'two');
  const upstream = at([one]).get('raw');
  const endedByRoots = 'upstreamProblem.upstreamError(raw, upstream.byRoots())';
  const whyNot = () =>
    upstream?.forward(toolCall('ask')).then(
      () => 'it runs',
      ({ message }: Error) => said(message),
    );
  at([two]);
  assert.equal(await whyNot(), 'upstreamProblem.upstreamError(raw, upstream.notRunning())');
  await upstream?.comeUp(patient());
  at([two, one]);
  assert.equal(await whyNot(), 'it runs');
  at([]);
  assert.equal(await whyNot(), endedByRoots);
  at([one]);
  assert.equal(await whyNot(), endedByRoots);
  await until('its end', () => !server.pids().some(isAlive));
});
