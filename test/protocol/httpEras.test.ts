import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startService } from '../support/httpService.ts';
import { patience } from '../support/patience.ts';
import { until } from '../support/processes.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { sdkHttpServer } from '../support/sdkHttpServer.ts';
import { tempFolder } from '../support/temp.ts';

const [web, api] = [root('web'), root('api')];

test('serves a server of the older SDK over HTTP, announces changes, and leaves it', async t => {
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
