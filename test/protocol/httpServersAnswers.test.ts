import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runningOverHttp } from '../support/httpConnection.ts';
import { sendJson } from '../support/rawHttpServer.ts';
import { callText, root } from '../support/recordingConnection.ts';

const web = root('web');

test('a call that is refused ends the call and nothing else', async t => {
  const { connection } = await runningOverHttp(
    t,
    [web],
    ({ message }, response) =>
      message?.method === 'tools/call' && sendJson(response, 403, { error: 'not yours' }),
  );
  await assert.rejects(callText(connection, 'any'), /not yours/);
  assert.equal(connection.state.kind, 'running');
});

test('an answer whose stream ends without it fails, instead of being waited for', async t => {
  const { connection } = await runningOverHttp(t, [web], ({ message }, response) => {
    const isCall = message?.method === 'tools/call';
    if (isCall) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
    }
    return isCall;
  });
  await assert.rejects(callText(connection, 'any'), /ended without the answer/);
  assert.equal(connection.state.kind, 'running');
});

test('an answer over the limit fails the call alone, and is not read to its end', async t => {
  let written = 0;
  const { connection } = await runningOverHttp(t, [web], ({ message }, response) => {
    if (message?.method !== 'tools/call') {
      return false;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && written < 200) {
        written += 1;
        if (!response.write(' '.repeat(1024 * 1024))) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
    return true;
  });
  await assert.rejects(callText(connection, 'any'));
  assert.equal(connection.state.kind, 'running');
  assert.ok(written < 100, `${written} MB`);
});
