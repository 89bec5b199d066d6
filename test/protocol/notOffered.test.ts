import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Root } from '../../src/domain/roots.ts';
import { until } from '../support/processes.ts';
import { recordingConnection, root } from '../support/recordingConnection.ts';
import { programStart } from '../support/recordingServer.ts';
import { tempFolder } from '../support/temp.ts';

// A server that, once it is running, asks for what it was not offered, and tells what it gets.
const nosy = `
  const send = message => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const tell = value => console.error(JSON.stringify(value));
  require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
    const { id, method, params, error } = JSON.parse(line);
    if (method === 'server/discover') {
      send({ id, error: { code: -32601, message: 'Method not found' } });
    } else if (method === 'initialize') {
      tell(params.capabilities);
      const serverInfo = { name: 'nosy', version: '1' };
      send({ id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo } });
    } else if (method === 'notifications/initialized') {
      send({ id: 's', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
      send({ id: 'e', method: 'elicitation/create', params: { message: 'Who?' } });
    } else if (!method) {
      tell([id, error]);
    }
  }).on('close', () => process.exit(0));`;

/** The capabilities it was offered, and what its requests were answered with. */
async function toldBy(t: TestContext, roots: readonly Root[] | undefined) {
  const { connection, stderr } = recordingConnection(t);
  await connection.start(programStart(tempFolder(t), '-e', nosy), roots);
  await until('both answers', () => stderr.length === 3);
  return stderr.map(line => JSON.parse(line) as unknown);
}

const unknown = { code: -32601, message: 'Method not found' };

test('sampling and elicitation are not offered to a process, and are refused as unknown', async t => {
  assert.deepEqual(await toldBy(t, [root('web')]), [
    { roots: { listChanged: true } },
    ['s', unknown],
    ['e', unknown],
  ]);
});

test('a process that is refused altogether is offered nothing at all', async t => {
  assert.deepEqual(await toldBy(t, undefined), [{}, ['s', unknown], ['e', unknown]]);
});
