import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownSecrets } from '../../src/mcp/knownSecrets.ts';

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
