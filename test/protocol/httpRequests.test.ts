import { deepEqual, equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { tooComplex } from '../../src/base/complexityLimit.ts';
import { startService, type TestServiceOptions } from '../support/httpService.ts';
import { until } from '../support/processes.ts';
import { initializeRequest } from '../support/rawHttp.ts';

describe('the server over HTTP', { concurrency: true }, () => {
  test('refuses a foreign host or origin, before it looks at anything else', async t => {
    const send = await sender(t, { token: 'secret' });
    for (const headers of [{ Host: 'evil.example' }, { Origin: 'http://evil.example' }]) {
      const { status, message } = await send({ headers });
      equal(status, 403);
      match(message, /localhost, 127\.0\.0\.1, \[::1\]/);
    }
  });

  test('keeps a connection for a minute between two calls', async t => {
    const send = await sender(t);
    equal((await send({ method: 'OPTIONS' }, '')).headers['keep-alive'], 'timeout=60');
  });

  test('keeps pages of this machine from reading it and from sending JSON: no CORS', async t => {
    const send = await sender(t);
    const headers = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' };
    const answer = await send({ method: 'OPTIONS', headers }, '');
    deepEqual([answer.status, answer.headers['access-control-allow-origin']], [405, undefined]);
  });

  const [streams, alone] = ['text/event-stream', 'application/json'];
  const accepted = {
    '': streams,
    '*/*': streams,
    'application/*, text/*': streams,
    'application/json, */*;q=0.1': streams,
    'application/json': alone,
    'application/json, text/event-stream; q=0.0': alone,
    'TEXT/event-stream;q=0.5': streams,
    'image/png': undefined,
  };
  for (const [Accept, form] of Object.entries(accepted)) {
    test(`answers in a form of "Accept: ${Accept}", or with 406`, async t => {
      const { status, headers } = await (await sender(t))({ headers: { Accept } });
      deepEqual([status, headers['content-type']], form ? [200, form] : [406, alone]);
    });
  }

  test('names the path of MCP on other paths, and the methods for other methods', async t => {
    const send = await sender(t, { token: 'secret' });
    for (const path of ['/', '/sse', '/mcp/x', '//mcp', '/.well-known/oauth-protected-resource']) {
      const { status, message } = await send({ path });
      deepEqual([status, message.includes('/mcp')], [404, true]);
    }
    const headers = { Authorization: 'Bearer secret' };
    for (const method of ['PUT', 'PATCH']) {
      const answer = await send({ method, headers });
      deepEqual([answer.status, answer.headers.allow], [405, 'GET, POST, DELETE']);
    }
  });

  test('admits only requests with the token, and says how to send it', async t => {
    const send = await sender(t, { token: 'secret' });
    const attempt = async (authorization: string) => {
      const { status, headers } = await send({ headers: { Authorization: authorization } });
      return [status, headers['www-authenticate']];
    };
    const realm = 'Bearer realm="mcp-roots"';
    for (const right of ['Bearer secret', 'bearer   secret']) {
      deepEqual(await attempt(right), [200, undefined]);
    }
    for (const wrong of ['Bearer secre', 'Bearer secrets', 'Bearer Secret', 'Bearer x']) {
      deepEqual(await attempt(wrong), [401, `${realm}, error="invalid_token"`]);
    }
    for (const none of ['', 'Bearer', 'Basic c2VjcmV0', 'secret', 'Bearer sec ret']) {
      deepEqual(await attempt(none), [401, realm]);
    }
    equal((await send({})).status, 401);
    equal((await send({ method: 'GET' }, '')).status, 401);
    equal((await send({ method: 'DELETE' }, '')).status, 401);
  });

  test('reads no body without the token', async t => {
    const { url } = await startService(t, { token: 'secret' });
    const { host, port, hostname } = new URL(url);
    const socket = connectSocket(Number(port), hostname);
    socket.write(`POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000000000\r\n\r\n{`);
    const [answer] = await once(socket, 'data');
    match(String(answer), /^HTTP\/1\.1 401 /);
    socket.destroy();
  });

  test('takes bodies of up to 8 MB', async t => {
    const send = await sender(t);
    const padded = (length: number) => initialize.padEnd(length);
    equal((await send({}, padded(8 * 1024 * 1024))).status, 200);
    const tooLong = padded(8 * 1024 * 1024 + 1);
    const headers = { 'Transfer-Encoding': 'chunked' };
    for (const options of [{}, { headers }]) {
      const { status, message } = await send(options, tooLong);
      deepEqual([status, message.includes('8388608')], [413, true]);
    }
    equal((await send({})).status, 200);
  });

  test('keeps all bodies together within one limit', async t => {
    const { hostname, port } = new URL((await startService(t)).url);
    const options = { hostname, port, path: '/mcp', method: 'POST', agent: false, headers: json };
    const requests = Array.from({ length: 20 }, () => request(options));
    const half = ' '.repeat(7 * 1024 * 1024);
    await Promise.all(
      requests.map(sent => new Promise<unknown>(resolve => sent.write(half, resolve))),
    );
    const statuses = requests.map(async sent => {
      sent.end(initialize);
      const [incoming] = (await once(sent, 'response')) as [IncomingMessage];
      await incoming.toArray();
      return incoming.statusCode;
    });
    deepEqual([...new Set(await Promise.all(statuses))].sort(), [200, 503]);
  });

  test('says what is wrong with a body', async t => {
    const send = await sender(t);
    const bad = Buffer.from('"\xff"', 'latin1');
    const texts = [
      '',
      '{',
      'nonsense',
      'null',
      '1',
      '"x"',
      '[]',
      '{}',
      '[null]',
      '{"jsonrpc":"2.0"}',
    ];
    for (const body of [...texts, bad]) {
      const { status, message } = await send({}, body);
      deepEqual([status, message === ''], [400, false], String(body));
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      equal((await send({ headers: { 'Content-Type': type } })).status, 415);
    }
    equal((await send({})).status, 200);
  });

  test('refuses a body too deeply nested for the stack', async t => {
    const send = await sender(t);
    const nested = (levels: number) =>
      initialize.replace('"params":{', `$&"x":${'['.repeat(levels)}${']'.repeat(levels)},`);
    equal((await send({}, nested(900))).status, 200);
    for (const levels of [1000, 500_000]) {
      const { status, message } = await send({}, nested(levels));
      deepEqual([status, message], [400, tooComplex]);
    }
  });

  test('survives a client that leaves in the middle of its request', async t => {
    const { url, logged } = await startService(t);
    const { host, port, hostname } = new URL(url);
    const type = 'Content-Type: application/json';
    const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\n${type}\r\nContent-Length: 100\r\n\r\n{`;
    for (let client = 0; client < 20; client++) {
      const socket = connectSocket(Number(port), hostname);
      await once(socket, 'connect');
      socket.end(head);
      socket.resume();
      await once(socket, 'close');
    }
    equal((await (await sender(t))({})).status, 200);
    deepEqual(logged, []);
  });

  test('ends a connection when a request comes before the last answer', async t => {
    const { url, logged } = await startService(t);
    const { host, port, hostname } = new URL(url);
    const socket = connectSocket(Number(port), hostname);
    const ask = (times: number) => {
      const request = `OPTIONS /mcp HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      socket.write(request.repeat(times));
    };
    let received = '';
    socket.setEncoding('latin1').on('data', text => {
      received += text;
    });
    const answers = () => received.split('HTTP/1.1 405').length - 1;
    ask(1);
    await until('it is answered', () => received.endsWith('0\r\n\r\n'));
    ask(1);
    await until(
      'the next one is answered',
      () => answers() === 2 && received.endsWith('0\r\n\r\n'),
    );
    deepEqual(logged, []);
    ask(3);
    await once(socket, 'close');
    equal(answers(), 2);
    equal(logged.length, 1);
  });
});

const json = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

const initialize = JSON.stringify(initializeRequest());

/** Starts a server; gives a function that sends it one request, with some parts replaced. */
async function sender(t: TestContext, options?: TestServiceOptions) {
  const { hostname, port } = new URL((await startService(t, options)).url);
  return async (part: RequestOptions, body: string | Buffer = initialize) => {
    const headers = { ...json, ...part.headers };
    const whole = { hostname, port, path: '/mcp', method: 'POST', ...part, headers };
    const sent = request(whole);
    sent.end(body);
    const [incoming] = (await once(sent, 'response')) as [IncomingMessage];
    const text = (await incoming.toArray()).join('');
    const isJson = incoming.headers['content-type'] === 'application/json';
    /** The text of the error in the answer; empty without an error. */
    const message: string = isJson ? (JSON.parse(text).error?.message ?? '') : '';
    return { status: incoming.statusCode, headers: incoming.headers, message };
  };
}
