import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { CallbackListener } from '../../../../../src/mcp/process/oauth/callbackListener.ts';
import { atEnd } from '../../../../support/processes.ts';

async function listening(t: TestContext) {
  const listener = await CallbackListener.open('the-state', 0);
  atEnd(t, () => listener.close());
  const { port } = new URL(listener.redirectUrl);
  /** Writes a request of this line; the answer settles when the connection was closed. */
  const request = async (line: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', text => {
      answer += text;
    });
    socket.write(`${line} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    await once(socket, 'close');
    return answer.split('\r\n')[0];
  };
  return { listener, request };
}

test('answers requests to other or invalid URLs with nothing, and closes their connections', async t => {
  const { listener, request } = await listening(t);
  for (const line of [
    ...['GET //', 'GET http://[', 'GET http://:99999999/', 'OPTIONS *', 'GET /'],
    ...['POST /callback?state=the-state&code=x'],
  ]) {
    assert.equal(await request(line), 'HTTP/1.1 404 Not Found', line);
  }
  assert.equal(await request('GET /callback?state=the-state&code=c0de'), 'HTTP/1.1 200 OK');
  assert.equal((await listener.answer).get('code'), 'c0de');
});
