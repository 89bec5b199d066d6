import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { ProtocolError } from '@modelcontextprotocol/client';
import { HumanError, isHumanError, sentence } from '../../../../src/domain/sentence.ts';
import type { Failure } from '../../../../src/domain/servers/serverFailure.ts';
import {
  KnownSecrets,
  redactedError,
  withoutSecrets,
} from '../../../../src/mcp/process/knownSecrets.ts';

test('redacts given secrets, and tokens from when they are learned', () => {
  const secrets = new KnownSecrets(['given-key']);
  assert.equal(secrets.redacted('given-key, new-token'), '•••, new-token');
  secrets.add('new-token', undefined);
  assert.equal(secrets.redacted('given-key, new-token, undefined'), '•••, •••, undefined');
});

const secrets = new KnownSecrets(['s3cret-key']);

test('redacts every text of a failure except our own', () => {
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

test('redacts errors, their stacks and causes in place', () => {
  const inner = new Error('of s3cret-key');
  const outer = new ProtocolError(-32_602, 'bad s3cret-key');
  outer.cause = inner;
  inner.cause = outer;
  const abort = new DOMException('left s3cret-key', 'AbortError');
  const [thrown, aborted] = [redactedError(outer, secrets), redactedError(abort, secrets)];
  assert.deepEqual([thrown, aborted], [outer, abort]);
  assert.doesNotMatch(inspect(thrown, { depth: 5 }), /s3cret-key/);
  assert.deepEqual([outer.code, outer.message, abort.message], [-32_602, 'bad •••', 'left •••']);
  assert.equal(String(redactedError('s3cret-key', secrets)), 'Error: •••');
});

test('keeps a sentence for the user translatable', () => {
  const thrown = redactedError(new HumanError('"{0}" is not there.', 'a s3cret-key'), secrets);
  assert.ok(isHumanError(thrown));
  assert.deepEqual(thrown.sentence, { template: '"{0}" is not there.', values: ['a •••'] });
});

test('redacts the data of an error, leaves the rest, and adds none', () => {
  const data = { uri: 'a', list: ['of s3cret-key', 1, null], 's3cret-key': { deep: true } };
  const thrown = redactedError(new ProtocolError(-32_055, 'no', data), secrets);
  assert.ok(thrown instanceof ProtocolError);
  const clean = { uri: 'a', list: ['of •••', 1, null], '•••': { deep: true } };
  assert.deepEqual(thrown.data, clean);
  for (const data of [undefined, null, 7]) {
    const error = new ProtocolError(-32_055, 'no', data);
    assert.deepEqual(redactedError(error, secrets), new ProtocolError(-32_055, 'no', data));
  }
});
