import assert from 'node:assert/strict';
import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { test } from 'node:test';
import { isAlive, until } from '../support/processes.ts';
import { namesTold, patient, withRaw } from '../support/rawUpstreams.ts';
import { rawServer, rootlessServer } from '../support/recordingServer.ts';
import { skipLinks } from '../support/systems.ts';
import {
  callUpstream,
  hubServer,
  launchOf,
  recordedUpstreams,
  rootsOf,
  toolCall,
} from '../support/upstreams.ts';

test('other roots of a client are brought to the process that it has', async t => {
  const { server, at } = withRaw(t);
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const upstream = at([one]).get('raw');
  await callUpstream(upstream, 'ask');
  assert.equal(at([one, two]).get('raw'), upstream);
  await until('the notice', () => server.count('notifications/roots/list_changed') === 1);
  assert.deepEqual(await namesTold(callUpstream(upstream, 'ask')), ['one', 'two']);
  assert.equal(server.pids().filter(isAlive).length, 1);
  // With the last root it ends, whatever it makes of being told that there are none.
  at([]);
  await until('the end of the process', () => !server.pids().some(isAlive));
  assert.deepEqual(await namesTold(callUpstream(upstream, 'ask')), []);
});

test('a server that asks is told of the roots in place at that moment, and of the others when they are back', {
  skip: skipLinks,
}, async t => {
  const { server, at } = withRaw(t);
  const roots = rootsOf(t, 'one', 'two', 'out');
  const [one, two, out] = roots;
  assert.ok(one && two && out);
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

test('a server is not started with a root that is not in place any more', {
  skip: skipLinks,
}, async t => {
  const server = rootlessServer(t);
  const { at } = recordedUpstreams(t, [
    hubServer('files', launchOf(server, '${roots}'), { rootsAs: ['args'] }),
  ]);
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const upstream = at([one, two]).get('files');
  renameSync(one.real, `${one.real}-kept`);
  symlinkSync(two.real, one.real);
  const started = JSON.parse(await callUpstream(upstream, 'started'));
  assert.equal(started.cwd, two.real);
  assert.doesNotMatch(server.bytes() + JSON.stringify(started), /one/);
});

test('a server whose folder is no root any more starts again in the first that is', async t => {
  const server = rootlessServer(t);
  const { events, at } = recordedUpstreams(t, [hubServer('files', launchOf(server))]);
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const upstream = at([one]).get('files');
  const where = async () => JSON.parse(await callUpstream(upstream, 'started')).cwd;
  assert.equal(await where(), one.real);
  at([two, one]);
  assert.equal(await where(), one.real);
  at([two]);
  assert.equal(upstream?.isReady, false);
  assert.equal(await where(), two.real);
  assert.deepEqual(
    events.map(({ state }) => state),
    ['starting', 'running', 'restarting', 'running'],
  );
  assert.match(String(events[2]?.reason), /roots have changed/);
});

test('a server that is told of its roots as arguments starts again with those of now', async t => {
  const server = rootlessServer(t);
  const { events, at } = recordedUpstreams(t, [
    hubServer('files', launchOf(server, '${roots}'), { rootsAs: ['args'] }),
  ]);
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const upstream = at([one]).get('files');
  const folders = async () => JSON.parse(await callUpstream(upstream, 'started')).folders;
  assert.deepEqual(await folders(), [one.announced]);
  at([one, two]);
  assert.deepEqual(await folders(), [one.announced, two.announced]);
  // Changes that follow each other closely: what counts is the last.
  at([two]);
  at([two, one]);
  at([one]);
  assert.deepEqual(await folders(), [one.announced]);
  at([]);
  await until('its end', () => !server.pids().some(isAlive));
  await assert.rejects(folders(), /"files" could not be started: .*it may see none now/);
  assert.equal(upstream?.state.kind, 'failed');
  at([two]);
  // What it was missing may be there now.
  assert.deepEqual([upstream?.state.kind, events.at(-1)?.state], ['stopped', 'stopped']);
  assert.deepEqual(await folders(), [two.announced]);
});

test('no call waits for a server that other roots end, however long that takes', async t => {
  const server = rawServer(t, { isStubborn: true });
  const { at } = recordedUpstreams(t, [
    hubServer('files', launchOf(server, '${roots}'), { rootsAs: ['args'] }),
  ]);
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const upstream = at([one]).get('files');
  await callUpstream(upstream, 'ask');
  const hanging = callUpstream(upstream, 'hang');
  await until('the call', () => server.bytes().includes('"hang"'));
  at([two]);
  await assert.rejects(hanging, /"files" was ended, because the roots have changed/);
  assert.ok(server.pids().every(isAlive));
});

test('only a server that other roots have ended is said to be ended by them', async t => {
  const { server, at } = withRaw(t);
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const upstream = at([one]).get('raw');
  const whyNot = () =>
    upstream?.forward(toolCall('ask')).then(
      () => 'it runs',
      ({ message }: Error) => message,
    );
  at([two]);
  assert.equal(await whyNot(), 'The server "raw" is not running.');
  await upstream?.comeUp(patient());
  at([two, one]);
  assert.equal(await whyNot(), 'it runs');
  at([]);
  assert.equal(await whyNot(), 'The server "raw" was ended, because the roots have changed.');
  at([one]);
  assert.equal(await whyNot(), 'The server "raw" was ended, because the roots have changed.');
  await until('its end', () => !server.pids().some(isAlive));
});
