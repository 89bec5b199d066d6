import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { unreadSentence } from '../../src/mcp/process/unreadMessage.ts';
import { atEnd, killed, until } from '../support/processes.ts';
import {
  event,
  type Message,
  type RawHttpServer,
  rawHttpServer,
  sendPage,
} from '../support/rawHttpServer.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';

const web = root('web');
const flooderProgram = fileURLToPath(new URL('../support/httpFlooder.ts', import.meta.url));

/** The server's reaction to a call of the tool by this name. */
type Faults = Readonly<
  Record<string, (call: Message, response: ServerResponse, server: RawHttpServer) => unknown>
>;

/** A connection to a server at this address, beside a healthy one that must stay healthy. */
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

/** A server that floods on request, in a separate process. */
async function flooder(t: TestContext) {
  const child = spawn(process.execPath, [flooderProgram], { stdio: ['pipe', 'pipe', 'inherit'] });
  atEnd(t, () => killed(child));
  const [url] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return besideAnother(t, url.trim());
}

function textAnswer(id: Message['id'], text: string): object {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
}

test('a flood on the stream is reported in part, answered at a pace, and fails no call', async t => {
  const { call, answers, log, count, isOtherWell } = await flooder(t);
  const start = performance.now();
  const seconds = () => Math.ceil((performance.now() - start) / 1000);
  const floods: Readonly<Record<string, () => boolean>> = {
    'flood-notifications': () => log.some(({ text }) => /^… \d+ more$/.test(text)),
    'flood-progress': () => count('message') > 5000,
    'flood-pings': () => count('message') > 10_000,
    'flood-roots': () => answers.length > 30 && answers.some(answer => answer.count > 20),
  };
  for (const [name, hasCome] of Object.entries(floods)) {
    await call(name);
    await until(name, hasCome);
    assert.equal(await call('echo'), 'done');
    await isOtherWell();
  }
  assert.ok(log.length <= 51 * (seconds() + 1), `${log.length} in ${seconds()} s`);
  assert.ok(answers.length <= 1 + 20 * (seconds() + 1), `${answers.length} in ${seconds()} s`);
});

test('the SDK’s own answers to requests use one connection at a time', async t => {
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

test('skips and counts events without a message, and reads the events around them', async t => {
  const { call, server, rubbish, answered, isOtherWell } = await faultyServer(t);
  server.write('garbage\n\n: comment\n\nevent: other\ndata: {}\n\ndata\n\nid:\nretry: x\n\n\0\n\n');
  server.write('data: [1, 2\n\ndata: {"jsonrpc":"2.0","id":null,"method":"roots/list"}\n\n');
  server.push({ jsonrpc: '2.0', id: 'ask', method: 'roots/list' });
  await answered(1);
  assert.deepEqual(rubbish(), [0, 0]);
  assert.equal(await call('any'), 'done');
  await isOtherWell();
});

const nested = '['.repeat(2000) + ']'.repeat(2000);
const long = `"${'x'.repeat(9 * 1024 * 1024)}"`;
const latin = '"caf\xe9"';

test('a call fails with the reason when its answer is not read, which is counted', async t => {
  const json = (content: string) => (_: Message, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(Buffer.from(`{"jsonrpc":"2.0","result":{"a":${content}}}`, 'latin1'));
  };
  const streams: ServerResponse[] = [];
  const events = (data: (id: Message['id']) => string) => (asked: Message, to: ServerResponse) => {
    // They stay open: a stream need not end with the answer.
    streams.push(to.writeHead(200, { 'content-type': 'text/event-stream' }));
    to.write(Buffer.from(data(asked.id), 'latin1'));
  };
  const first = (a: string) =>
    events(id => `data: {"jsonrpc":"2.0","id":${id},"result":{"a":${a}}}\n\n`);
  const last = (a: string) =>
    events(
      id =>
        `event: message\r\nid: 1\r\ndata:{"result":{"a":${a}},"jsonrpc":"2.0","id":${id}}\r\nretry: 100\r\n\r\n`,
    );
  const cases = [
    ['malformed', json(latin)],
    ['complex', first(nested)],
    ['complex', last(nested)],
    ['long', first(long)],
  ] as const;
  const { call, rubbish, server, answered, connection, isOtherWell } = await faultyServer(
    t,
    Object.fromEntries(cases.map(([, answer], index) => [`${index}`, answer])),
  );
  for (const [index, [defect]] of cases.entries()) {
    const told = unreadSentence(defect, '…');
    await assert.rejects(call(`${index}`), ({ message }: Error) =>
      message.replace(/\d{7}/, '…').includes(told),
    );
  }
  assert.equal(rubbish().length, 3);
  server.push(`{"jsonrpc":"2.0","method":"x","params":{"a":${nested}}}`);
  await until('it is counted', () => rubbish().length === 4);
  streams.forEach(stream => void stream.end());
  server.push({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
  await answered(1);
  assert.equal(await call('any'), 'done');
  assert.equal(connection.state.kind, 'running');
  await isOtherWell();
});

test('an answer over the limit fails only its call, and is not read to its end', async t => {
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

test('a call without an answer delays no other, can be cancelled, and leaves nothing', async t => {
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

for (const [name, type] of [
  ['before the answer', undefined],
  ['within an answer', 'application/json'],
  ['within events', 'text/event-stream'],
] as const) {
  test(`a connection that breaks during a call, ${name}, fails only the call`, async t => {
    const cut = (_: Message, response: ServerResponse) => {
      if (type) {
        response.writeHead(200, { 'content-type': type }).write('data: {"jsonrpc"');
      }
      setImmediate(() => response.destroy());
    };
    const { call, connection, isOtherWell } = await faultyServer(t, { cut });
    await assert.rejects(call('cut'));
    assert.equal(await call('any'), 'done');
    assert.equal(connection.state.kind, 'running');
    await isOtherWell();
  });
}

test('a proxy that answers with a page fails only the call', async t => {
  const page = (status: number) => (_: Message, response: ServerResponse) =>
    sendPage(response, status);
  const { call, connection, isOtherWell } = await faultyServer(t, {
    200: page(200),
    410: page(410),
    502: page(502),
  });
  await assert.rejects(call('200'), /text\/html/);
  await assert.rejects(call('410'), /Gone/);
  await assert.rejects(call('502'), /Bad Gateway/);
  assert.equal(await call('any'), 'done');
  assert.equal(connection.state.kind, 'running');
  await isOtherWell();
});

test('a stream that ends at once is reopened at a pace', async t => {
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

test('a stream that resumes with the answer to a call ends after that answer', async t => {
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
