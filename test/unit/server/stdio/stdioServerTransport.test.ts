import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '../../../../src/server/stdio/stdioServerTransport.ts';
import { noLogger } from '../../../support/noLogger.ts';
import { said } from '../../../support/texts.ts';

const limit = 8 * 1024 * 1024;

/** The client's end of the output: it reads only on request. */
class SlowReader extends Writable {
  /** The chunks, as they came. */
  readonly pieces: string[] = [];
  private readonly unread: (() => void)[] = [];
  private isReading = true;

  constructor() {
    super({ decodeStrings: false });
  }

  stopReading(): void {
    this.isReading = false;
  }

  readAll(): void {
    this.isReading = true;
    for (const done of this.unread.splice(0)) {
      done();
    }
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.get(chunk, done);
  }

  override _writev(chunks: { readonly chunk: string }[], done: () => void): void {
    this.get(chunks.map(({ chunk }) => chunk).join(''), done);
  }

  private get(piece: string, done: () => void): void {
    this.pieces.push(piece);
    if (this.isReading) {
      done();
    } else {
      this.unread.push(done);
    }
  }
}

/** A transport that is started, and everything it has to do with. */
async function started() {
  const input = new PassThrough();
  const output = new SlowReader();
  const events: string[] = [];
  const messages: JSONRPCMessage[] = [];
  const log: string[] = [];
  const note = (event: string) => () => events.push(event);
  const logger = { ...noLogger, warn: (message: string) => void log.push(message) };
  const work = [{ pause: note('pause'), resume: note('resume') }];
  const transport = new StdioServerTransport({ input, output, work, logger, leave: note('leave') });
  transport.onmessage = message => messages.push(message);
  transport.onerror = error => events.push(`error: ${error.message}`);
  transport.onclose = note('close');
  await transport.start();
  /** Writes, and waits until all of it is taken. */
  const receive = async (bytes: string | Buffer) => {
    await new Promise(resolve => input.write(bytes, resolve));
    await turns(50);
  };
  const answers = () => output.pieces.join('').split('\n').filter(Boolean).map(parse);
  return { input, output, transport, events, messages, log, receive, answers };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await immediate();
  }
}

const parse = (text: string): { id: unknown; error: { code: number } } => JSON.parse(text);
const request = (id: number) => ({ jsonrpc: '2.0' as const, id, method: 'ping' });
const line = (message: object) => `${JSON.stringify(message)}\n`;
const requests = (count: number) =>
  Array.from({ length: count }, (_, id) => line(request(id))).join('');
const answer = (id: number, size = 0) => ({
  jsonrpc: '2.0' as const,
  id,
  result: { text: 'x'.repeat(size) },
});

test('sends a client nothing before the answer to its handshake', async () => {
  const { transport, receive, answers } = await started();
  await receive(line({ ...request(1), method: 'initialize' }) + line(request(2)));
  const method = 'notifications/tools/list_changed';
  const told = transport.send({ jsonrpc: '2.0', method });
  const asked = transport.send({ ...request(3), method: 'roots/list' });
  await transport.send(answer(2));
  await turns(10);
  await transport.send(answer(1));
  await Promise.all([told, asked]);
  const ids = answers().map(({ id }) => id);
  assert.deepEqual(ids, [2, 1, undefined, 3]);
});

test('refuses a request of an unknown revision at any time', async () => {
  const { receive, messages, answers } = await started();
  const inRevision = (id: number, version: string) => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': version };
    return { ...request(id), params: { _meta } };
  };
  const served = [inRevision(1, '2026-07-28'), inRevision(2, '2025-11-25')];
  await receive([...served, inRevision(3, '2099-01-01')].map(line).join(''));
  assert.deepEqual(messages, served);
  const error = {
    code: -32022,
    message: 'Unsupported protocol version: 2099-01-01',
    data: { supported: ['2026-07-28'], requested: '2099-01-01' },
  };
  assert.deepEqual(answers(), [{ jsonrpc: '2.0', id: 3, error }]);
});

test('passes messages unchanged, and answers and skips other lines', async () => {
  const { receive, messages, answers, log } = await started();
  await receive(`\ufeff${line(request(1))}\r\n\nrubbish\n${line(request(2))}{"id":3}\n\xff\n`);
  await receive(line([request(4)]));
  await receive(Buffer.from([0xff, 10]));
  // A malformed response is never answered.
  await receive('{"jsonrpc":"2.0","id":1,"result":5}\n{"jsonrpc":"2.0","id":null,"error":{}}\n');
  await receive(line(request(5)));
  assert.deepEqual(messages, [request(1), request(2), request(5)]);
  const codes = answers().map(({ id, error }) => `${id} ${error.code}`);
  assert.deepEqual(codes, ['null -32700', '3 -32600', 'null -32700', 'null -32600', 'null -32700']);
  assert.deepEqual(log.map(said), ['stdioServerTransport.refusedLine(clientLine.notJson())']);
});

test('drops and answers a line over 8 MB, and reads the next', async () => {
  const { receive, messages, answers } = await started();
  const long = { ...request(1), params: { text: 'x'.repeat(limit) } };
  const longest = { ...request(2), params: { text: '' } };
  longest.params.text = 'x'.repeat(limit - JSON.stringify(longest).length);
  await receive(line(long));
  await receive(line(longest));
  const [refusal] = answers();
  assert.deepEqual([refusal?.id, refusal?.error.code], [1, -32600]);
  assert.deepEqual(messages, [longest]);
});

test('handles the first messages of a chunk before it reads the last', async () => {
  const { input, messages } = await started();
  input.write(requests(1000));
  await turns(2);
  const first = messages.length;
  assert.ok(first > 0 && first < 200, `${first} messages`);
  await turns(100);
  assert.equal(messages.length, 1000);
});

test('sends the messages of one turn in order, in one piece, and whole', async () => {
  const { transport, output } = await started();
  const sent = [request(1), answer(2, 100_000), answer(3)];
  await Promise.all(sent.map(message => transport.send(message)));
  assert.deepEqual(output.pieces, [sent.map(line).join('')]);
});

test('reports a message as sent only when it is written', async () => {
  const { transport, output } = await started();
  output.stopReading();
  const sent: string[] = [];
  const sending = transport.send(answer(1)).then(() => sent.push('answer'));
  await turns(5);
  assert.deepEqual(sent, []);
  output.readAll();
  await sending;
});

test('reads nothing and works on nothing while too many answers are unread', async () => {
  const { input, output, transport, events, messages } = await started();
  output.stopReading();
  const sending = Array.from({ length: 5 }, (_, id) => transport.send(answer(id, 1024 * 1024)));
  input.write(line(request(1)));
  await turns(20);
  assert.deepEqual([events, messages], [['pause'], []]);
  output.readAll();
  await Promise.all(sending);
  await turns(20);
  assert.deepEqual([events, messages], [['pause', 'resume'], [request(1)]]);
});

test('does not stop for its own requests, or their answers could not come', async () => {
  const { input, output, transport, events, messages } = await started();
  output.stopReading();
  const params = { text: 'x'.repeat(1024 * 1024) };
  for (let id = 0; id < 10; id++) {
    void transport.send({ ...request(id), params });
  }
  input.write(line(answer(1)));
  await turns(20);
  assert.deepEqual([events, messages], [[], [answer(1)]]);
});

test('holds the rest of a chunk, too, while answers are unread', async () => {
  const { input, output, transport, messages } = await started();
  output.stopReading();
  const sending: Promise<void>[] = [];
  transport.onmessage = message => {
    messages.push(message);
    sending.push(transport.send(answer(messages.length, 100_000)));
  };
  input.write(requests(500));
  await turns(100);
  assert.ok(messages.length < 200, `${messages.length} messages`);
  output.readAll();
  await turns(200);
  await Promise.all(sending);
  assert.equal(messages.length, 500);
});

test('closes once at the end of the input, and logs half a line', async () => {
  const { input, transport, events, messages, log } = await started();
  input.end(`${line(request(1))}{"jsonrpc":"2.0","id":2,"meth`);
  await turns(20);
  assert.deepEqual([messages, events], [[request(1)], []]);
  assert.deepEqual(log.map(said), ['stdioServerTransport.lostLine(29)']);
  await transport.send(answer(1));
  await turns(5);
  assert.deepEqual(events, ['close', 'leave']);
  await transport.close();
  await assert.rejects(transport.send(answer(1)), { message: 'The connection is closed.' });
  assert.deepEqual(events, ['close', 'leave']);
});

test('asks nothing after the end of the input, and gives requests 5 seconds', async t => {
  const { input, transport, events, messages, answers } = await started();
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } };
  const listen = { ...request(4), method: 'subscriptions/listen' };
  await transport.send({ ...request(7), method: 'roots/list' });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  input.end([request(1), request(2), request(3), cancelled, listen].map(line).join(''));
  await turns(20);
  const failed = messages.flatMap(message => ('error' in message ? [message.id] : []));
  assert.deepEqual(failed, [7]);
  await assert.rejects(transport.send({ ...request(8), method: 'roots/list' }), /input/);
  await transport.send(answer(1));
  t.mock.timers.tick(4_999);
  await turns(5);
  assert.deepEqual(events, []);
  t.mock.timers.tick(1);
  await turns(5);
  assert.deepEqual(events, ['close', 'leave']);
  const [, , last] = answers();
  assert.deepEqual([answers().length, last?.id, last?.error.code], [3, 2, -32000]);
});

test('gives an unread answer at the end time to be read, and sends no other', async t => {
  const { input, output, transport, events, answers } = await started();
  output.stopReading();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  input.end([request(1), request(2)].map(line).join(''));
  await turns(20);
  void transport.send(answer(1));
  t.mock.timers.tick(5_000);
  await turns(5);
  assert.deepEqual(events, ['close']);
  await assert.rejects(transport.send(answer(2)));
  output.readAll();
  await turns(5);
  const codes = answers().map(({ id, error }) => `${id} ${error?.code}`);
  assert.deepEqual(codes, ['1 undefined', '2 -32000']);
  assert.deepEqual(events, ['close', 'leave']);
});

test('gives a client that no longer reads 5 seconds', async t => {
  const { input, output, transport, events } = await started();
  output.stopReading();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  input.end(line(request(1)));
  await turns(20);
  transport.send(answer(1)).catch(() => {});
  await turns(5);
  assert.deepEqual(events, ['close']);
  t.mock.timers.tick(5_000);
  await turns(5);
  assert.deepEqual(events, ['close', 'leave']);
});

test('notices the end of the input behind waiting requests', async t => {
  const { input, output, transport, events, messages } = await started();
  output.stopReading();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const sending = Array.from({ length: 5 }, (_, id) => transport.send(answer(id, 1024 * 1024)));
  const done = Promise.allSettled(sending);
  input.end(requests(3000));
  await turns(50);
  assert.deepEqual([events, messages], [['pause'], []]);
  t.mock.timers.tick(5_000);
  await turns(5);
  assert.deepEqual(events, ['pause', 'close']);
  t.mock.timers.tick(5_000);
  await turns(5);
  assert.deepEqual([events, messages], [['pause', 'close', 'leave'], []]);
  output.readAll();
  await done;
});

test('reads nothing after its close', async () => {
  const { input, transport, messages } = await started();
  input.write(requests(500));
  await turns(2);
  const before = messages.length;
  await transport.close();
  await turns(100);
  assert.ok(before < 500);
  assert.equal(messages.length, before);
});

test('ends quietly when a client no longer reads, and reports any other failure', async () => {
  for (const [code, expected] of [
    ['EPIPE', ['close', 'leave']],
    ['EIO', ['error: broken', 'close', 'leave']],
  ] as const) {
    const { output, transport, events } = await started();
    output.stopReading();
    const sending = transport.send(answer(1));
    output.destroy(Object.assign(new Error('broken'), { code }));
    await assert.rejects(sending);
    await turns(5);
    assert.deepEqual(events, expected);
    await assert.rejects(transport.send(answer(2)));
  }
});
