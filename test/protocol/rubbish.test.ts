import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/processes.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { rawServer } from '../support/recordingServer.ts';

const web = root('web');

test('what is no message, before, on and after the line of one, costs nothing and is told of', async t => {
  const server = rawServer(t, { printsRubbish: true });
  const { connection, answered, traffic } = recordingConnection(t);
  const state = await connection.start(server.start, [web]);
  assert.equal(state.kind, 'running');
  assert.deepEqual((await answered(1)).roots, [web]);
  assert.deepEqual(JSON.parse(await callText(connection, 'ask')), [web]);
  // Each message of the server has the same around it.
  const around = ['Listening…', '{"not":"a message"}', '10 % done '].map(text =>
    Buffer.byteLength(text),
  );
  const after = ['{"jsonrpc":"2.0","id":'.length, 3];
  const expected = Array.from({ length: 5 }, () => [...around, 'message', ...after]).flat();
  const kinds = () =>
    traffic.flatMap(passed =>
      passed.kind === 'rubbish'
        ? passed.length
        : passed.direction === 'from-server'
          ? 'message'
          : [],
    );
  // What follows the last message may be taken in the turn after it.
  await until('what is after the last', () => kinds().length >= expected.length);
  assert.deepEqual(kinds(), expected);
});
