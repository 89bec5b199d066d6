import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { atEnd, killed, until } from '../support/processes.ts';
import {
  event,
  type Message,
  type RawHttpServer,
  rawHttpServer,
  sendJson,
  sendPage,
} from '../support/rawHttpServer.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';

const web = root('web');
const flooderProgram = fileURLToPath(new URL('../support/httpFlooder.ts', import.meta.url));

/** What a server does with a call of the tool by this name. */
type Faults = Readonly<
  Record<string, (call: Message, response: ServerResponse, server: RawHttpServer) => unknown>
>;

/** A connection to a server at this address, beside one that is well and must stay so. */
async function besideAnother(t: TestContext, url: string) {
  const well = await rawHttpServer(t);
  const faulty = recordingConnection(t, { stop: { end: 500, terminate: 500 } });
  const other = recordingConnection(t);
  await Promise.all([
    faulty.connection.start({ url, headers: {} }, [web], 'legacy'),
    other.connection.start({ url: well.url, headers: {} }, [web], 'legacy'),
  ]);
  assert.equal(faulty.connection.state.kind, 'running');
  const call = (name: string) => callText(faulty.connection, name);
  const isOtherWell = async () => {
    assert.equal(await callText(other.connection, 'any'), 'done');
    assert.equal(other.connection.state.kind, 'running');
    assert.deepEqual(
      other.traffic.filter(({ kind }) => kind !== 'message'),
      [],
    );
  };
  const count = (kind: string) => faulty.traffic.filter(passed => passed.kind === kind).length;
  const rubbish = () =>
    faulty.traffic.flatMap(passed => (passed.kind === 'rubbish' ? passed.length : []));
  return { ...faulty, call, isOtherWell, count, rubbish };
}

/** A server that does something wrong when a tool of that name is called. */
async function faultyServer(t: TestContext, faults: Faults = {}) {
  const server: RawHttpServer = await rawHttpServer(t, ({ message }, response) => {
    const { name } = (message?.['params'] ?? {}) as { name?: string };
    const fault = message?.method === 'tools/call' && name !== undefined && faults[name];
    if (fault && message) {
      fault(message, response, server);
    }
    return Boolean(fault);
  });
  const beside = await besideAnother(t, server.url);
  await until('the stream is open', () => server.streams.size === 1);
  return { ...beside, server };
}

/** A server that floods when it is told to, in a process of its own. */
async function flooder(t: TestContext) {
  const child = spawn(process.execPath, [flooderProgram], { stdio: ['pipe', 'pipe', 'inherit'] });
  atEnd(t, () => killed(child));
  const [url] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return besideAnother(t, url.trim());
}

function textAnswer(id: Message['id'], text: string): object {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
}

test('a flood of roots/list is answered at a pace, and everything else works meanwhile', async t => {
  const { call, answers, isOtherWell } = await flooder(t);
  const start = performance.now();
  await call('flood-roots');
  await until('many together', () => answers.some(({ count }) => count > 20));
  await isOtherWell();
  await until('more of them', () => answers.length > 30);
  assert.equal(await call('echo'), 'well');
  const seconds = Math.ceil((performance.now() - start) / 1000);
  assert.ok(answers.length <= 1 + 20 * (seconds + 1), `${answers.length} in ${seconds} s`);
});

test('a flood of log messages is told of in part and counted, and costs nobody a call', async t => {
  const { call, log, isOtherWell } = await flooder(t);
  const start = performance.now();
  await call('flood-notifications');
  await until('the number', () => log.some(({ text }) => /^… \d+ more$/.test(text)));
  assert.equal(await call('echo'), 'well');
  await isOtherWell();
  assert.deepEqual(log[0], { level: 'debug', logger: 'faulty', text: 'again' });
  const seconds = Math.ceil((performance.now() - start) / 1000);
  assert.ok(log.length <= 51 * (seconds + 1), `${log.length} in ${seconds} s`);
});

for (const name of ['flood-pings', 'flood-progress']) {
  test(`a ${name.replace('-', ' of ')} is counted, and costs nobody a call`, async t => {
    const { call, count, isOtherWell } = await flooder(t);
    await call(name);
    await until('many of it', () => count('message') > 5000);
    assert.equal(await call('echo'), 'well');
    await isOtherWell();
  });
}

test('requests that are answered without us are answered one connection at a time', async t => {
  const { server, isOtherWell } = await faultyServer(t);
  for (let id = 0; id < 200; id++) {
    server.push({ jsonrpc: '2.0', id: `ping-${id}`, method: 'ping' });
  }
  const answered = () => server.requests.filter(({ message }) => message?.['result']).length;
  let most = 0;
  await until('the answers', () => {
    most = Math.max(most, server.sockets());
    return answered() === 200;
  });
  assert.ok(most < 10, `${most} connections`);
  await isOtherWell();
});

test('events that are no messages are skipped and counted, and those around them are heard', async t => {
  const { call, server, rubbish, answered, isOtherWell } = await faultyServer(t);
  server.write('garbage\n\n: comment\n\nevent: other\ndata: {}\n\ndata\n\nid:\nretry: x\n\n\0\n\n');
  server.write('data: [1, 2\n\ndata: {"jsonrpc":"2.0","id":null,"method":"roots/list"}\n\n');
  server.push({ jsonrpc: '2.0', id: 'ask', method: 'roots/list' });
  await answered(1);
  assert.deepEqual(rubbish(), [0, 0]);
  assert.equal(await call('any'), 'done');
  await isOtherWell();
});

test('a message that is no UTF-8 is lost and counted rather than altered', async t => {
  const latin = (id: Message['id']) =>
    Buffer.from(JSON.stringify(textAnswer(id, 'caf\xe9')), 'latin1');
  const { server, call, connection, rubbish, answered, isOtherWell } = await faultyServer(t, {
    json: ({ id }, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(latin(id)),
    events: ({ id }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(Buffer.concat([Buffer.from('data: '), latin(id), Buffer.from('\n\n')]));
    },
  });
  await assert.rejects(call('json'), /utf-8/i);
  await assert.rejects(call('events'), /is no JSON-RPC message in UTF-8/);
  assert.equal(rubbish().length, 1);
  server.push({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
  await answered(1);
  assert.equal(connection.state.kind, 'running');
  await isOtherWell();
});

test('a message that is nested without end is lost and counted', async t => {
  const nested = `{"jsonrpc":"2.0","method":"x","params":{"a":${'['.repeat(2000)}${']'.repeat(2000)}}}`;
  const { server, call, rubbish, isOtherWell } = await faultyServer(t, {
    json: (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(nested),
  });
  await assert.rejects(call('json'), /nested too deep/);
  server.push(nested);
  await until('it is counted', () => rubbish().length === 1);
  assert.equal(await call('any'), 'done');
  await isOtherWell();
});

const nested = '['.repeat(2000) + ']'.repeat(2000);
const long = `"${'x'.repeat(9 * 1024 * 1024)}"`;

for (const [name, content, told] of [
  ['nested too deep', nested, /^The answer is nested too deep/],
  ['too long', long, /^The answer has 9437\d{3} bytes and was dropped: 8388608 is the most/],
] as const) {
  test(`who waits for an event that is ${name} is told so, also where its stream stays open`, async t => {
    const streams: ServerResponse[] = [];
    const answerBy =
      (data: (id: Message['id']) => string) => (call: Message, to: ServerResponse) => {
        streams.push(to.writeHead(200, { 'content-type': 'text/event-stream' }));
        to.write(data(call.id));
      };
    const { call, rubbish, isOtherWell } = await faultyServer(t, {
      first: answerBy(id => `data: {"jsonrpc":"2.0","id":${id},"result":{"a":${content}}}\n\n`),
      last: answerBy(
        id =>
          `event: message\r\nid: 1\r\ndata:{"result":{"a":${content}},"jsonrpc":"2.0","id":${id}}\r\nretry: 100\r\n\r\n`,
      ),
    });
    for (const tool of ['first', 'last']) {
      await assert.rejects(call(tool), ({ message }: Error) => told.test(message));
    }
    assert.equal(rubbish().length, 2);
    streams.forEach(stream => void stream.end());
    assert.equal(await call('any'), 'done');
    await isOtherWell();
  });
}

test('an answer over the limit fails the call alone, and is not read to its end', async t => {
  let written = 0;
  const { call, connection } = await faultyServer(t, {
    endless: (_, response) => {
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
    },
  });
  await assert.rejects(call('endless'));
  assert.equal(connection.state.kind, 'running');
  assert.ok(written < 100, `${written} MB`);
});

test('a list of more messages than can be taken at once fails the call alone', async t => {
  const one = {
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data: 1 },
  };
  const { call, connection, log, isOtherWell } = await faultyServer(t, {
    few: ({ id }, response) => sendJson(response, 200, [one, textAnswer(id, 'mine'), one]),
    many: (_, response) =>
      sendJson(
        response,
        200,
        Array.from({ length: 10_000 }, () => one),
      ),
  });
  assert.deepEqual([await call('few'), log.length], ['mine', 2]);
  await assert.rejects(call('many'), /longer than/);
  assert.deepEqual([connection.state.kind, log.length], ['running', 2]);
  await isOtherWell();
});

test('a call that is never answered holds up no other, can be given up, and leaves nothing', async t => {
  const { call, connection, server, isOtherWell } = await faultyServer(t, { hang: () => {} });
  const giveUp = new AbortController();
  const hanging = assert.rejects(
    connection.callTool({ name: 'hang', arguments: {}, signal: giveUp.signal }),
  );
  assert.equal(await call('any'), 'done');
  await isOtherWell();
  giveUp.abort();
  await hanging;
  await until('the server is told', () => server.got('notifications/cancelled').length === 1);
  assert.equal(connection.state.kind, 'running');
  await connection.stop();
  await until('no connection is open', () => server.sockets() === 0);
});

for (const [name, cut] of [
  ['before the answer', (response: ServerResponse) => response.destroy()],
  [
    'within an answer',
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc"');
      setImmediate(() => response.destroy());
    },
  ],
  [
    'within events',
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"jsonrpc"');
      setImmediate(() => response.destroy());
    },
  ],
] as const) {
  test(`a connection that is cut in the middle of a call, ${name}, fails the call alone`, async t => {
    const { call, connection, isOtherWell } = await faultyServer(t, {
      cut: (_, response) => cut(response),
    });
    await assert.rejects(call('cut'));
    assert.equal(await call('any'), 'done');
    assert.equal(connection.state.kind, 'running');
    await isOtherWell();
  });
}

test('what a proxy answers instead of the server fails the call alone, and is told', async t => {
  const html = (status: number) => (_: Message, response: ServerResponse) =>
    sendPage(response, status);
  const { call, connection, isOtherWell } = await faultyServer(t, {
    '200': html(200),
    '410': html(410),
    '429': html(429),
    '500': html(500),
    '502': html(502),
  });
  await assert.rejects(call('200'), /Unexpected content type: text\/html/);
  await assert.rejects(call('410'), /Gone, with a web page instead of MCP: check the URL$/);
  await assert.rejects(call('429'), /: Too Many Requests$/);
  await assert.rejects(call('500'), /: Internal Server Error$/);
  await assert.rejects(call('502'), /: Bad Gateway$/);
  assert.equal(await call('any'), 'done');
  assert.equal(connection.state.kind, 'running');
  await isOtherWell();
});

test('redirects without end are followed for a while, and fail the call alone', async t => {
  let followed = 0;
  const server = await rawHttpServer(t, ({ message, request }, response) => {
    const isCaught = message?.method === 'tools/call' || request.url !== '/mcp';
    if (isCaught) {
      followed += 1;
      response.writeHead(307, { location: `/mcp?${followed}` }).end();
    }
    return isCaught;
  });
  const { call, connection, isOtherWell } = await besideAnother(t, server.url);
  await assert.rejects(call('any'));
  assert.ok(followed <= 25, String(followed));
  assert.equal(connection.state.kind, 'running');
  await isOtherWell();
});

test('a stream that ends at once is opened again at a pace', async t => {
  const opened: number[] = [];
  const server = await rawHttpServer(t, ({ request }, response) => {
    const isStream = request.method === 'GET';
    if (isStream) {
      opened.push(performance.now());
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\n\n');
    }
    return isStream;
  });
  const { call, isOtherWell } = await besideAnother(t, server.url);
  await until('it was opened again', () => opened.length === 5);
  assert.ok(opened[4]! - opened[0]! >= 4 * 190);
  assert.equal(await call('any'), 'done');
  await isOtherWell();
});

test('a stream that ends after a stray answer does not leave us deaf', async t => {
  const { server, answered, count } = await faultyServer(t);
  for (const round of [1, 2]) {
    server.push(textAnswer('zzz', 'whose?'));
    await until('it is told of', () => count('stray') === round);
    server.streams.forEach(stream => void stream.end());
    await until('the stream is gone', () => server.streams.size === 0);
    await until('it is open again', () => server.streams.size === 1);
    server.push({ jsonrpc: '2.0', id: round, method: 'roots/list' });
    await answered(round);
  }
});

test('a stream that goes on with the answer to a call is over when that is there', async t => {
  let cut: Message['id'];
  const server = await rawHttpServer(t, ({ request, message }, response) => {
    const isResumed = request.headers['last-event-id'] !== undefined;
    const isCall = message?.method === 'tools/call';
    if (isCall || isResumed) {
      cut = message?.id ?? cut;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(isCall ? 'id: 1\nretry: 1\ndata:\n\n' : event(textAnswer(cut, 'resumed')));
    }
    return isCall || isResumed;
  });
  const { call, isOtherWell } = await besideAnother(t, server.url);
  await until('the stream is open', () => server.streams.size === 1);
  assert.equal(await call('any'), 'resumed');
  await delay(300);
  assert.equal(server.requests.filter(({ method }) => method === 'GET').length, 2);
  await isOtherWell();
});
