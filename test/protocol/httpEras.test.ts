import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startService } from '../support/httpService.ts';
import { patience } from '../support/patience.ts';
import { until } from '../support/processes.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { modernServer, rawServer } from '../support/recordingServer.ts';
import { sdkHttpServer } from '../support/sdkHttpServer.ts';
import { tempFolder } from '../support/temp.ts';

const [web, api] = [root('web'), root('api')];

test('a server made with the older SDK is served over HTTP, told of changes, and left', async t => {
  const server = await sdkHttpServer(t);
  const stop = { end: patience, terminate: patience };
  const { connection, notices } = recordingConnection(t, { stop });
  const state = await connection.start({ url: server.url, headers: {} }, [web]);
  assert.equal(state.kind === 'running' && state.era, 'legacy');
  await until('it has asked', () => server.told.length === 1);
  connection.setRoots([web, api]);
  await until('it has asked again', () => server.told.length === 2);
  assert.deepEqual(server.told, [[web], [web, api]]);
  assert.equal(notices(), 1);
  assert.deepEqual(JSON.parse(await callText(connection, 'ask')), [web, api]);
  assert.equal(server.sessions(), 1);
  await connection.stop();
  assert.equal(server.sessions(), 0);
});

test('a modern server over HTTP gets roots in the call that asks, and no notice', async t => {
  const service = await startService(t);
  const folder = tempFolder(t);
  const roots = [{ uri: pathToFileURL(folder).href, name: 'here' }];
  const { connection, answers, notices } = recordingConnection(t);
  const state = await connection.start({ url: service.url, headers: {} }, roots);
  assert.deepEqual(state, {
    kind: 'running',
    era: 'modern',
    protocolVersion: '2026-07-28',
    pid: undefined,
  });
  assert.match(await callText(connection, 'get-roots'), /here/);
  connection.setRoots([]);
  assert.doesNotMatch(await callText(connection, 'get-roots'), /here/);
  const trigger = { kind: 'tools/call', tool: 'get-roots' };
  assert.deepEqual(answers, [
    { era: 'modern', trigger, count: 1, roots },
    { era: 'modern', trigger, count: 1, roots: [] },
  ]);
  assert.equal(notices(), 0);
});

test('the same server over HTTP is legacy for who wants it so', async t => {
  const service = await startService(t);
  const { connection, traffic } = recordingConnection(t);
  const target = { url: service.url, headers: {} };
  const state = await connection.start(target, [web], 'legacy');
  assert.equal(state.kind === 'running' && state.era, 'legacy');
  assert.doesNotMatch(JSON.stringify(traffic), /server\/discover/);
});

test('who wants a legacy server sends it no probe, and one that can not bear it starts once', async t => {
  const server = rawServer(t, { probe: 'exit' });
  const { connection, answered } = recordingConnection(t);
  const state = await connection.start(server.start, [web], 'legacy');
  assert.equal(state.kind === 'running' && state.era, 'legacy');
  await answered(1);
  assert.equal(server.pids().length, 1);
  assert.equal(server.count('server/discover'), 0);
});

test('who wants a revision gets it', async t => {
  const server = modernServer(t);
  const { connection } = recordingConnection(t);
  const state = await connection.start(server.start, [web], '2026-07-28');
  assert.equal(state.kind === 'running' && state.protocolVersion, '2026-07-28');
});

test('who wants a revision that the server does not speak gets no other one', async t => {
  const server = rawServer(t);
  const { connection } = recordingConnection(t);
  const state = await connection.start(server.start, [web], '2026-07-28');
  assert.equal(state.kind === 'failed' && state.failure.kind, 'protocol');
  assert.equal(server.pids().length, 1);
  assert.equal(server.count('initialize'), 0);
  assert.doesNotMatch(server.bytes(), /file:/);
});

test('a choice is for one start: the next one probes again', async t => {
  const server = modernServer(t);
  const { connection } = recordingConnection(t);
  const legacy = await connection.start(server.start, [web], 'legacy');
  assert.equal(legacy.kind, 'failed');
  const state = await connection.start(server.start, [web]);
  assert.equal(state.kind === 'running' && state.era, 'modern');
});
