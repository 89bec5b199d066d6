import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import { KnownSecrets } from '../../../src/mcp/knownSecrets.ts';
import { type ServerLogEntry, ServerMessages } from '../../../src/mcp/serverMessages.ts';
import type { Traffic } from '../../../src/mcp/wire.ts';

/** The messages of a server that says what the test says, on a clock of the test's own. */
function messagesAt(t: TestContext, secrets: readonly string[] = []) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const didPass = new Emitter<Traffic>();
  const messages = new ServerMessages({ onDidPass: didPass.event }, new KnownSecrets(secrets));
  const entries: ServerLogEntry[] = [];
  messages.onDidLog(entry => entries.push(entry));
  const pass = (method: string, params?: Record<string, unknown>) =>
    didPass.fire({
      kind: 'message',
      direction: 'from-server',
      message: { jsonrpc: '2.0', method, ...(params && { params }) },
    });
  const say = (data: unknown, level = 'info', logger?: string) =>
    pass('notifications/message', { level, data, ...(logger && { logger }) });
  return { messages, entries, pass, say, tick: (time: number) => t.mock.timers.tick(time) };
}

test('text is told as it is, and everything else as JSON', t => {
  const { messages, entries, say } = messagesAt(t);
  say('ready\n', 'info', 'main');
  say({ error: 'no such file', path: ['a', 1] }, 'error');
  say(null, 'debug');
  say(undefined, 'debug');
  assert.deepEqual(entries, [
    { level: 'info', logger: 'main', text: 'ready\n' },
    { level: 'error', text: '{"error":"no such file","path":["a",1]}', isJson: true },
    { level: 'debug', text: 'null', isJson: true },
    { level: 'debug', text: '' },
  ]);
  messages.dispose();
});

test('a message with members that are not as they should be is told as well as it can be', t => {
  const { messages, entries, pass } = messagesAt(t);
  pass('notifications/message');
  pass('notifications/message', { level: 'loud', logger: { name: 'x' }, data: 'hear' });
  assert.deepEqual(entries, [
    { level: 'info', text: '' },
    { level: 'info', text: 'hear' },
  ]);
  messages.dispose();
});

test('what is nested without end is told of, and harms nobody', t => {
  const { messages, entries, say } = messagesAt(t);
  say(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)));
  assert.deepEqual(entries, [{ level: 'info', text: '…', isJson: true }]);
  messages.dispose();
});

test('nothing but log messages is told', t => {
  const { messages, entries, pass } = messagesAt(t);
  pass('notifications/progress', { progressToken: 1, progress: 1 });
  assert.deepEqual(entries, []);
  messages.dispose();
});

test('what is too long is cut', t => {
  const { messages, entries, say } = messagesAt(t);
  say('x'.repeat(10_000), 'info', 'y'.repeat(200));
  say('x'.repeat(10_001), 'info', 'y'.repeat(201));
  assert.deepEqual(entries, [
    { level: 'info', logger: 'y'.repeat(200), text: 'x'.repeat(10_000) },
    { level: 'info', logger: `${'y'.repeat(200)}…`, text: `${'x'.repeat(10_000)}…` },
  ]);
  messages.dispose();
});

test('no secret is repeated, whole or in part', t => {
  const { messages, entries, say } = messagesAt(t, ['s3cret"value']);
  say('key is s3cret"value', 'info', 's3cret"value');
  say({ key: 's3cret"value' });
  say(`${'x'.repeat(9_995)}s3cret"value`);
  assert.doesNotMatch(JSON.stringify(entries), /s3c/);
  messages.dispose();
});

test('of a flood, the first fifty of a second are told, and of the rest the number', t => {
  const { messages, entries, say, tick } = messagesAt(t);
  for (let count = 0; count < 10_000; count++) {
    say(`message ${count}`, count === 777 ? 'critical' : 'debug');
  }
  assert.equal(entries.length, 50);
  tick(1000);
  assert.deepEqual(entries.slice(50), [{ level: 'critical', text: '… 9950 more' }]);
  say('one more');
  assert.equal(entries.at(-1)?.text, 'one more');
  messages.dispose();
});

test('a server that says little is told at once, and leaves nothing to be told later', t => {
  const { messages, entries, say, tick } = messagesAt(t);
  for (let second = 0; second < 5; second++) {
    say('tick');
    tick(1000);
  }
  assert.equal(entries.length, 5);
  messages.dispose();
});

test('at the end the number of what was left out is told, and nothing after it', t => {
  const { messages, entries, say, tick } = messagesAt(t);
  for (let count = 0; count < 53; count++) {
    say('x', 'warning');
  }
  messages.dispose();
  say('late');
  tick(60_000);
  assert.deepEqual(entries.slice(50), [{ level: 'warning', text: '… 3 more' }]);
});
