import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { type ServerLogEntry, ServerMessages } from '../../../../src/mcp/link/serverMessages.ts';
import { KnownSecrets } from '../../../../src/mcp/process/knownSecrets.ts';
import type { Traffic } from '../../../../src/mcp/process/wire.ts';

/** The messages of a server that the test controls, on the test's clock. */
function messagesAt(t: TestContext, secrets: readonly string[] = []) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const didPass = new Emitter<Traffic>();
  const messages = new ServerMessages({ onDidPass: didPass.event }, new KnownSecrets(secrets));
  t.after(() => messages.dispose());
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

test('logs text as it is and everything else as JSON', t => {
  const { entries, say } = messagesAt(t);
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
});

test('logs the usable part of an odd message, and no other notices', t => {
  const { entries, pass } = messagesAt(t);
  pass('notifications/progress', { progressToken: 1, progress: 1 });
  pass('notifications/message');
  pass('notifications/message', { level: 'loud', logger: { name: 'x' }, data: 'hear' });
  assert.deepEqual(entries, [
    { level: 'info', text: '' },
    { level: 'info', text: 'hear' },
  ]);
});

test('logs endlessly nested data', t => {
  const { entries, say } = messagesAt(t);
  say(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)));
  assert.deepEqual(entries, [{ level: 'info', text: '…', isJson: true }]);
});

test('cuts long texts', t => {
  const { entries, say } = messagesAt(t);
  say('x'.repeat(10_000), 'info', 'y'.repeat(200));
  say('x'.repeat(10_001), 'info', 'y'.repeat(201));
  assert.deepEqual(entries, [
    { level: 'info', logger: 'y'.repeat(200), text: 'x'.repeat(10_000) },
    { level: 'info', logger: `${'y'.repeat(200)}…`, text: `${'x'.repeat(10_000)}…` },
  ]);
});

test('repeats no secret, whole or in part', t => {
  const { entries, say } = messagesAt(t, ['s3cret"value']);
  say('key is s3cret"value', 'info', 's3cret"value');
  say({ key: 's3cret"value' });
  say(`${'x'.repeat(9_995)}s3cret"value`);
  assert.doesNotMatch(JSON.stringify(entries), /s3c/);
});

test('logs fifty messages a second and counts the rest', t => {
  const { entries, say, tick } = messagesAt(t);
  for (let count = 0; count < 10_000; count++) {
    say(`message ${count}`, 'debug');
  }
  assert.equal(entries.length, 50);
  tick(1000);
  assert.deepEqual(entries.slice(50), [{ level: 'warning', text: '… 9950 more' }]);
  say('one more');
  assert.equal(entries.at(-1)?.text, 'one more');
});

test('logs the count of the rest at its end', t => {
  const { messages, entries, say, tick } = messagesAt(t);
  for (let count = 0; count < 53; count++) {
    say('x', 'warning');
  }
  messages.dispose();
  say('late');
  tick(60_000);
  assert.deepEqual(entries.slice(50), [{ level: 'warning', text: '… 3 more' }]);
});
