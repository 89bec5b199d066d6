import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { ProtocolError } from '@modelcontextprotocol/client';
import { HumanError, isHumanError, sentence } from '../../../src/domain/sentence.ts';
import type { Failure } from '../../../src/domain/servers/serverFailure.ts';
import { KnownSecrets, withoutSecrets, withRedactedErrors } from '../../../src/mcp/knownSecrets.ts';

test('what becomes known later is a secret from then on', () => {
  const secrets = new KnownSecrets(['given-key']);
  assert.equal(secrets.redacted('given-key, new-token'), '•••, new-token');
  secrets.add('new-token', undefined);
  assert.equal(secrets.redacted('given-key, new-token, undefined'), '•••, •••, undefined');
});

test('of the many tokens of a long time the last ones count, and what was given always does', () => {
  const secrets = new KnownSecrets(['given-key']);
  for (let count = 0; count < 1000; count++) {
    secrets.add('used-all-the-time', `token-${count}.`);
  }
  assert.equal(
    secrets.redacted('given-key used-all-the-time token-999. token-900. token-0.'),
    '••• ••• ••• ••• token-0.',
  );
});

const secrets = new KnownSecrets(['s3cret-key']);

test('no text of a failure says a secret, whatever its field, and our own words stay', () => {
  const known = new KnownSecrets(['s3cret-key', 'silent', 'sandbox', 'no {0}']);
  const clean = (failure: Failure) => withoutSecrets(failure, known);
  const named = (name: string) => sentence('no {0}', sentence('{0}', name));
  const failed = (text: string): readonly Failure[] => [
    { kind: 'silent', seconds: 1, stderr: ['', text] },
    { kind: 'ended', end: { code: null, signal: 'SIGILL', stderr: [text] }, hadClosedOutput: true },
    { kind: 'not-started', message: text, lack: { program: text } },
    { kind: 'not-started', message: named(text), lack: { named: named(text) } },
    { kind: 'not-started', message: text, lack: 'sandbox' },
  ];
  assert.deepEqual(failed('a s3cret-key').map(clean), failed('a •••'));
});

/** What is thrown in the place of an error. */
async function thrownFor(error: unknown): Promise<unknown> {
  try {
    await withRedactedErrors(Promise.reject(error), secrets);
  } catch (thrown) {
    return thrown;
  }
  throw new Error('Nothing was thrown.');
}

test('what goes well is left as it is', async () => {
  assert.equal(await withRedactedErrors(Promise.resolve('s3cret-key'), secrets), 's3cret-key');
});

test('an error keeps its class and its code, and says no secret, nor does its stack', async () => {
  const thrown = await thrownFor(new ProtocolError(-32_602, 'bad s3cret-key'));
  assert.ok(thrown instanceof ProtocolError);
  assert.deepEqual([thrown.code, thrown.message], [-32_602, 'bad •••']);
  assert.doesNotMatch(inspect(thrown), /s3cret-key/);
});

test('neither does what caused it, also in a circle', async () => {
  const inner = new Error('of s3cret-key');
  const outer = new Error('because', { cause: inner });
  inner.cause = outer;
  const thrown = await thrownFor(outer);
  assert.equal(thrown, outer);
  assert.doesNotMatch(inspect(thrown, { depth: 5 }), /s3cret-key/);
});

test('what is told to a person stays a sentence that can be translated', async () => {
  const thrown = await thrownFor(new HumanError('"{0}" is not there.', 'a s3cret-key'));
  assert.ok(isHumanError(thrown));
  assert.deepEqual(thrown.sentence, { template: '"{0}" is not there.', values: ['a •••'] });
});

test('errors whose words can not be assigned, and what is no error, say no secret either', async () => {
  const abort = await thrownFor(new DOMException('left s3cret-key', 'AbortError'));
  assert.ok(abort instanceof DOMException);
  assert.deepEqual([abort.name, abort.message], ['AbortError', 'left •••']);
  assert.equal(String(await thrownFor('s3cret-key')), 'Error: •••');
});

test('the data that a server sent with an error says no secret, and is the same otherwise', async () => {
  const data = { uri: 'a', list: ['of s3cret-key', 1, null], 's3cret-key': { deep: true } };
  const thrown = await thrownFor(new ProtocolError(-32_055, 'no', data));
  assert.ok(thrown instanceof ProtocolError);
  const clean = { uri: 'a', list: ['of •••', 1, null], '•••': { deep: true } };
  assert.deepEqual(thrown.data, clean);
});

test('an error without data has none afterwards', async () => {
  for (const data of [undefined, null, 7]) {
    const thrown = await thrownFor(new ProtocolError(-32_055, 'no', data));
    assert.ok(thrown instanceof ProtocolError);
    assert.equal(thrown.data, data);
  }
});
