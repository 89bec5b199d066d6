import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runningOverHttp } from '../support/httpConnection.ts';
import { until } from '../support/processes.ts';
import { root } from '../support/recordingConnection.ts';

const [web, api] = [root('web'), root('api')];

test('a server over HTTP gets its roots on its stream, as they are when it asks', async t => {
  const { connection, server, answers, traffic, states } = await runningOverHttp(t);
  assert.deepEqual(states.at(-1), {
    kind: 'running',
    era: 'legacy',
    protocolVersion: '2025-11-25',
    pid: undefined,
  });
  server.push({ jsonrpc: '2.0', id: 'ask-1', method: 'roots/list' });
  const answer = () => server.requests.find(({ message }) => message?.id === 'ask-1')?.message;
  await until('the answer', () => answer() !== undefined);
  assert.deepEqual(answer(), { jsonrpc: '2.0', id: 'ask-1', result: { roots: [web] } });
  assert.deepEqual(answers, [
    { era: 'legacy', trigger: { kind: 'roots/list' }, count: 1, roots: [web] },
  ]);
  connection.setRoots([api]);
  const notice = 'notifications/roots/list_changed';
  await until('the notice', () => server.got(notice).length === 1);
  const passed = traffic.map(one =>
    one.kind === 'message'
      ? `${one.direction} ${'method' in one.message ? one.message.method : 'response'}`
      : one.kind,
  );
  assert.deepEqual(passed, [
    'to-server server/discover',
    'from-server response',
    'to-server initialize',
    'from-server response',
    'to-server notifications/initialized',
    'from-server roots/list',
    'to-server response',
    `to-server ${notice}`,
  ]);
});

test('sends the headers of the definition with every request', async t => {
  const { connection, server } = await runningOverHttp(t);
  await connection.stop();
  const keys = server.requests.map(({ method, headers }) => `${method} ${headers['x-key']}`);
  assert.deepEqual([...new Set(keys)].sort(), [
    'DELETE k3y-value',
    'GET k3y-value',
    'POST k3y-value',
  ]);
});
