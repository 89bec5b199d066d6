import { deepEqual, equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { startService, type TestServiceOptions } from '../support/httpService.ts';
import { until } from '../support/processes.ts';
import { initializeRequest } from '../support/rawHttp.ts';

describe('the server over HTTP', { concurrency: true }, () => {
  const foreign: readonly (readonly [what: string, headers: Record<string, string>])[] = [
    ['a foreign host', { Host: 'evil.example' }],
    ['a foreign origin', { Origin: 'http://evil.example' }],
  ];
  for (const [what, headers] of foreign) {
    test(`refuses ${what}, before it looks at anything else`, async t => {
      const send = await sender(t, { token: 'secret' });
      const { status, message } = await send({ headers });
      equal(status, 403);
      match(message, /Allowed are localhost, 127\.0\.0\.1, \[::1\]\.$/);
    });
  }

  test('keeps a connection for a minute between two calls', async t => {
    const send = await sender(t);
    equal((await send({ method: 'OPTIONS' }, '')).headers['keep-alive'], 'timeout=60');
  });

  test('does not let pages of this machine read it, nor send it JSON: no CORS', async t => {
    const send = await sender(t);
    const headers = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' };
    const answer = await send({ method: 'OPTIONS', headers }, '');
    deepEqual([answer.status, answer.headers['access-control-allow-origin']], [405, undefined]);
  });

  test('answers to every host, but not to every origin, where it listens on all addresses', async t => {
    const send = await sender(t, { host: '0.0.0.0', token: 'secret' });
    const authorized = { Authorization: 'Bearer secret', Host: 'files.example' };
    equal((await send({ headers: authorized })).status, 200);
    const Origin = 'http://files.example';
    equal((await send({ headers: { ...authorized, Origin } })).status, 403);
    equal((await send({ headers: { Host: 'files.example' } })).status, 401);
  });

  test('says where MCP is to who asks elsewhere, and how to who asks otherwise', async t => {
    const send = await sender(t, { token: 'secret' });
    for (const path of ['/', '/sse', '/mcp/', '//mcp', '/.well-known/oauth-protected-resource']) {
      const { status, message } = await send({ path });
      deepEqual([status, message], [404, 'There is nothing at this path. MCP is served at /mcp.']);
    }
    const headers = { Authorization: 'Bearer secret' };
    for (const method of ['PUT', 'PATCH']) {
      const answer = await send({ method, headers });
      deepEqual([answer.status, answer.headers.allow], [405, 'GET, POST, DELETE']);
    }
  });

  test('lets in only who brings the token, and says how', async t => {
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

  test('reads nothing of a body without the token', async t => {
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
      deepEqual([status, message], [413, 'A request may have 8388608 bytes at most.']);
    }
    equal((await send({})).status, 200);
  });

  test('keeps no more of all bodies together than there is room for', async t => {
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

  test('says of a body what is wrong with it', async t => {
    const send = await sender(t);
    const notJson = 'The body of the request is not JSON in UTF-8.';
    for (const body of ['', '{', 'nonsense', Buffer.from('"\xff"', 'latin1')]) {
      const { status, message } = await send({}, body);
      deepEqual([status, message], [400, notJson]);
    }
    for (const body of ['null', '1', '"x"', '[]', '{}', '[null]', '{"jsonrpc":"2.0"}']) {
      const { status, message } = await send({}, body);
      deepEqual([status, message === ''], [400, false], body);
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const { status, message } = await send({ headers: { 'Content-Type': type } });
      equal(status, 415);
      match(message, /must be application\/json\.$/);
    }
    equal((await send({})).status, 200);
  });

  test('refuses a body that is nested so deep that it would overflow a stack', async t => {
    const send = await sender(t);
    const nested = (levels: number) =>
      initialize.replace('"params":{', `$&"x":${'['.repeat(levels)}${']'.repeat(levels)},`);
    equal((await send({}, nested(90))).status, 200);
    for (const levels of [100, 500_000]) {
      const { status, message } = await send({}, nested(levels));
      const tooDeep = 'This message has more than 100 levels of nesting. Send a flatter one.';
      deepEqual([status, message], [400, tooDeep]);
    }
  });

  test('outlives a client that goes away in the middle of its request', async t => {
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

  test('ends a connection on which a request comes before the last one is answered', async t => {
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
    const warning = 'A connection was ended: a request came before the last one was answered.';
    deepEqual(logged, [warning]);
  });
});

const json = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

const initialize = JSON.stringify(initializeRequest());

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  /** Of the error that was answered; empty where there is none. */
  readonly message: string;
}

/** Starts a server; gives a function that sends it one request, of which a part can be said. */

test('what one connection fills of the memory for lists of roots is its own', async t => {
  const { url } = await startService(t);
  const ask = (agent: Agent, uri: string) => problemWith(url, agent, uri);
  const [one, other] = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 })) as Agent[];
  t.after(() => [one, other].map(agent => agent?.destroy()));
  const long = (letter: string) => `file:///${letter.repeat(900_000)}`;
  deepEqual([await ask(one!, long('a')), await ask(one!, long('b'))], [undefined, undefined]);
  match(String(await ask(one!, long('c'))), /fill the memory/);
  equal(await ask(other!, long('d')), undefined);
});

/** Why the server says it knows no roots, when a modern client names this one in a call of `get-roots`. */
async function problemWith(url: string, agent: Agent, uri: string): Promise<unknown> {
  const { hostname, port } = new URL(url);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { roots: {} },
  };
  const inputResponses = { roots: { roots: [{ uri }] } };
  const params = { name: 'get-roots', arguments: {}, _meta, inputResponses };
  const headers = {
    ...json,
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'get-roots',
    // Which connection it is, no client decides.
    'Mcp-Roots-Connection': 'mine',
  };
  const sent = request({ hostname, port, path: '/mcp', method: 'POST', agent, headers });
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  const [incoming] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await incoming.toArray()).join('');
  const message = JSON.parse(text.slice(text.indexOf('{')));
  equal(message.error, undefined);
  return message.result.structuredContent.problem;
}

async function sender(t: TestContext, options?: TestServiceOptions) {
  const { hostname, port } = new URL((await startService(t, options)).url);
  return async (part: RequestOptions, body: string | Buffer = initialize): Promise<Answer> => {
    const headers = { ...json, ...part.headers };
    const whole = { hostname, port, path: '/mcp', method: 'POST', ...part, headers };
    const sent = request(whole);
    sent.end(body);
    const [incoming] = (await once(sent, 'response')) as [IncomingMessage];
    const text = (await incoming.toArray()).join('');
    const isJson = incoming.headers['content-type'] === 'application/json';
    const message = isJson ? (JSON.parse(text).error?.message ?? '') : '';
    return { status: incoming.statusCode, headers: incoming.headers, message };
  };
}
