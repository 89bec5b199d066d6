import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redacted } from '../../../../src/domain/secrets/redact.ts';

test('a secret is made unreadable wherever it stands', () => {
  assert.equal(redacted('Bearer s3cret! and s3cret!', ['s3cret!']), 'Bearer ••• and •••');
  assert.equal(redacted('nothing here', ['s3cret!']), 'nothing here');
  assert.equal(redacted('as it is', []), 'as it is');
});

test('a secret is found as a URL and as JSON write it', () => {
  const secret = 'a"b c/d';
  assert.equal(redacted('?key=a%22b+c%2Fd', [secret]), '?key=•••');
  assert.equal(redacted('?key=a%22b%20c%2Fd', [secret]), '?key=•••');
  assert.equal(redacted(JSON.stringify({ secret }), [secret]), '{"secret":"•••"}');
});

test('of a secret that begins with another one nothing is left', () => {
  assert.equal(redacted('token-long', ['token', 'token-long']), '•••');
});

test('a secret of many lines is found when only one of them is shown', () => {
  assert.equal(redacted('read: line two', ['line one\r\nline two']), 'read: •••');
});

test('a secret is text, no pattern, and what is too short to be one stays', () => {
  assert.equal(redacted('a.*$& and aXXb', ['a.*$&', 'aX']), '••• and aXXb');
  assert.equal(redacted('1 of 100', ['1', '']), '1 of 100');
});

test('a secret that is no proper Unicode does not matter', () => {
  assert.equal(redacted('x \ud800abcd y', ['\ud800abcd']), 'x ••• y');
});
