import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Logger } from '../../../../src/base/logger.ts';
import { StdioServerTransport } from '../../../../src/server/stdio/stdioServerTransport.ts';

const limit = 8 * 1024 * 1024;

/** What the client's end of the output is: it reads only when it is told to. */
class SlowReader extends Writable {
  /** What came in one piece each. */
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
  const ignore = () => {};
  const warn = (message: string) => log.push(message);
  const logger: Logger = { trace: ignore, debug: ignore, info: ignore, warn, error: ignore };
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
const answer = (id: number, size = 0) => ({
  jsonrpc: '2.0' as const,
  id,
  result: { text: 'x'.repeat(size) },
});

test('a client is asked and told nothing before it has the answer to its handshake', async () => {
  const { transport, receive, answers } = await started();
  await receive(line({ ...request(1), method: 'initialize' }) + line(request(2)));
  const method = 'notifications/tools/list_changed';
  const told = transport.send({ jsonrpc: '2.0', method });
  const asked = transport.send({ ...request(3), method: 'roots/list' });
  await transport.send(answer(2));
  await turns(10);
  await transport.send(answer(1));
  await Promise.all([told, asked]);
  assert.deepEqual(
    answers().map(({ id }) => id),
    [2, 1, undefined, 3],
  );
});

test('messages come in as they were sent, and lines that are none are answered and passed over', async () => {
  const { receive, messages, answers, log } = await started();
  await receive(`\ufeff${line(request(1))}\r\n\nrubbish\n${line(request(2))}{"id":3}\n\xff\n`);
  await receive(line([request(4)]));
  await receive(Buffer.from([0xff, 10]));
  await receive(line(request(5)));
  assert.deepEqual(messages, [request(1), request(2), request(5)]);
  assert.deepEqual(
    answers().map(({ id, error }) => [id, error.code]),
    [
      [null, -32700],
      [3, -32600],
      [null, -32700],
      [null, -32600],
      [null, -32700],
    ],
  );
  assert.deepEqual(log, [
    'A line from the client was refused (1 so far): This line is not JSON. Send each JSON-RPC message as one line.',
  ]);
});

test('a line over 8 MB is dropped and answered, and the next one arrives', async () => {
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

test('what would have been a response is never answered', async () => {
  const { receive, answers, log } = await started();
  await receive('{"jsonrpc":"2.0","id":1,"result":5}\n{"jsonrpc":"2.0","id":null,"error":{}}\n');
  assert.deepEqual([answers(), log.length], [[], 1]);
});

test('a flood of lines that are refused is one line on the log', async () => {
  const { receive, answers, log } = await started();
  await receive('rubbish\n'.repeat(700));
  assert.deepEqual([answers().length, log.length], [700, 1]);
});

test('of the messages in one chunk, the first have their turn before the last come in', async () => {
  const { input, messages } = await started();
  input.write(Array.from({ length: 1000 }, (_, id) => line(request(id))).join(''));
  await turns(2);
  const first = messages.length;
  assert.ok(first > 0 && first < 200, `${first} messages`);
  await turns(100);
  assert.equal(messages.length, 1000);
});

test('what is sent in one turn goes out in its order, in one piece, and whole', async () => {
  const { transport, output } = await started();
  const sent = [request(1), answer(2, 100_000), answer(3)];
  await Promise.all(sent.map(message => transport.send(message)));
  assert.deepEqual(output.pieces, [sent.map(line).join('')]);
});

test('a message is sent when it is handed over, not before', async () => {
  const { transport, output } = await started();
  output.stopReading();
  let isSent = false;
  const sending = transport.send(answer(1)).then(() => {
    isSent = true;
  });
  await turns(5);
  assert.equal(isSent, false);
  output.readAll();
  await sending;
});

test('while too many answers are unread, nothing is read and nothing is worked on', async () => {
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

test('requests of our own hold nothing still, or their answers could not come', async () => {
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

test('the rest of a chunk waits, too, while answers are unread', async () => {
  const { input, output, transport, messages } = await started();
  output.stopReading();
  const sending: Promise<void>[] = [];
  transport.onmessage = message => {
    messages.push(message);
    sending.push(transport.send(answer(messages.length, 100_000)));
  };
  input.write(Array.from({ length: 500 }, (_, id) => line(request(id))).join(''));
  await turns(100);
  assert.ok(messages.length < 200, `${messages.length} messages`);
  output.readAll();
  await turns(200);
  await Promise.all(sending);
  assert.equal(messages.length, 500);
});

test('the end of the input closes it once, and half a line is logged', async () => {
  const { input, transport, events, messages, log } = await started();
  input.end(`${line(request(1))}{"jsonrpc":"2.0","id":2,"meth`);
  await turns(20);
  assert.deepEqual([messages, events], [[request(1)], []]);
  assert.deepEqual(log, ['Standard input ended within a line: its last 29 bytes were ignored.']);
  await transport.send(answer(1));
  await turns(5);
  assert.deepEqual(events, ['close', 'leave']);
  await transport.close();
  await assert.rejects(transport.send(answer(1)), { message: 'The connection is closed.' });
  assert.deepEqual(events, ['close', 'leave']);
});

test('after the end of the input the client is asked nothing, and its requests have 5 seconds', async t => {
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

test('an answer that is unread at the end is the only one, and has time to be read', async t => {
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
  assert.deepEqual(
    answers().map(({ id, error }) => [id, error?.code]),
    [
      [1, undefined],
      [2, -32000],
    ],
  );
  assert.deepEqual(events, ['close', 'leave']);
});

test('a client that lives on and reads no more has 5 seconds', async t => {
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

test('the end of the input is heard of behind requests that wait for answers to be read', async t => {
  const { input, output, transport, events, messages } = await started();
  output.stopReading();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const sending = Array.from({ length: 5 }, (_, id) => transport.send(answer(id, 1024 * 1024)));
  const done = Promise.allSettled(sending);
  input.end(Array.from({ length: 3000 }, (_, id) => line(request(id))).join(''));
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

test('once it is closed, nothing comes in any more', async () => {
  const { input, transport, messages } = await started();
  input.write(Array.from({ length: 500 }, (_, id) => line(request(id))).join(''));
  await turns(2);
  const before = messages.length;
  await transport.close();
  await turns(100);
  assert.ok(before < 500);
  assert.equal(messages.length, before);
});

test('a client that no longer reads ends it quietly, any other failure is told of', async () => {
  for (const [code, expected] of [
    ['EPIPE', ['close', 'leave']],
    ['EIO', ['error: broken', 'close', 'leave']],
  ] as const) {
    const { output, transport, events } = await started();
    output.destroy(Object.assign(new Error('broken'), { code }));
    await turns(5);
    assert.deepEqual(events, expected);
    await assert.rejects(transport.send(answer(1)));
  }
});

test('a message that cannot be written is rejected', async () => {
  const { output, transport, events } = await started();
  output.stopReading();
  const sending = transport.send(answer(1));
  output.destroy(Object.assign(new Error('broken'), { code: 'EPIPE' }));
  await assert.rejects(sending);
  await turns(5);
  assert.deepEqual(events, ['close', 'leave']);
});
