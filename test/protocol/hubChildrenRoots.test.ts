import assert from 'node:assert/strict';
import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
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
import { isAlive, until } from '../support/processes.ts';
import { namesTold, patient, withRaw } from '../support/rawChildren.ts';
import { modernServer, rootlessServer } from '../support/recordingServer.ts';

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

test('a server that asks is told of the roots in place at that moment, and of the others when they are back', async t => {
  const { sets, server } = withRaw(t);
  const tenant = sets.tenant(nobody);
  const roots = rootsOf(t, 'one', 'two', 'out');
  const [one, two, out] = roots;
  assert.ok(one && two && out);
  const child = tenant.use([one, two]).children.get('raw');
  assert.deepEqual(await namesTold(callChild(child, 'ask', tenant)), ['one', 'two']);
  renameSync(two.real, `${two.real}-kept`);
  symlinkSync(out.real, two.real);
  // Nobody looks at the roots of the client meanwhile: the server itself asks.
  assert.deepEqual(await namesTold(callChild(child, 'ask', tenant)), ['one']);
  unlinkSync(two.real);
  renameSync(`${two.real}-kept`, two.real);
  child?.restoreRoots();
  await until('the notice', () => server.count('notifications/roots/list_changed') === 1);
  assert.deepEqual(await namesTold(callChild(child, 'ask', tenant)), ['one', 'two']);
  assert.equal(server.pids().length, 1);
});

test('a server is not started with a root that is not in place any more', async t => {
  const server = rootlessServer(t);
  const { sets } = childSets(t);
  sets.setServers([hubServer('files', launchOf(server, '${roots}'), { rootsAs: ['args'] })]);
  const tenant = sets.tenant(nobody);
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const child = tenant.use([one, two]).children.get('files');
  renameSync(one.real, `${one.real}-kept`);
  symlinkSync(two.real, one.real);
  const started = JSON.parse(await callChild(child, 'started', tenant));
  assert.equal(started.cwd, two.real);
  assert.doesNotMatch(server.bytes() + JSON.stringify(started), /one/);
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
  const { sets, events } = childSets(t);
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
  assert.equal(child?.state.kind, 'failed');
  tenant.use([two]);
  // What it was missing may be there now.
  assert.deepEqual([child?.state.kind, events.at(-1)?.state], ['stopped', 'stopped']);
  assert.deepEqual(await folders(), [two.announced]);
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

test('only a server that other roots have ended is said to be ended by them', async t => {
  const { sets, server } = withRaw(t);
  const tenant = sets.tenant(nobody);
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const child = tenant.use([one]).children.get('raw');
  const whyNot = () =>
    child?.forward(toolCall('ask'), tenant).then(
      () => 'it runs',
      ({ message }: Error) => message,
    );
  tenant.use([two]);
  assert.equal(await whyNot(), 'The server "raw" is not running.');
  await child?.prepare(patient());
  tenant.use([two, one]);
  assert.equal(await whyNot(), 'it runs');
  tenant.use([]);
  assert.equal(await whyNot(), 'The server "raw" was ended, because the roots have changed.');
  tenant.use([one]);
  assert.equal(await whyNot(), 'The server "raw" was ended, because the roots have changed.');
  await until('its end', () => !server.pids().some(isAlive));
});
