import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StdioLaunch } from '../../src/domain/launch.ts';
import {
  changedFields,
  identityOf,
  isSecretName,
  stdioFields,
} from '../../src/domain/serverIdentity.ts';

const launch: StdioLaunch = {
  command: 'npx',
  args: ['-y', 'some-server', '/data'],
  cwd: '/proj',
  env: { LOG_LEVEL: 'info', API_TOKEN: 'abc123', REGION: 'north' },
};

function identity(change: Partial<StdioLaunch>): string {
  return identityOf(stdioFields({ ...launch, ...change }));
}

test('an identity is a SHA-256 in hexadecimal and the same every time', () => {
  assert.match(identity({}), /^[0-9a-f]{64}$/);
  assert.equal(identity({}), identity({}));
});

test('an identity is pinned: a change of how it is made would suspend every grant', () => {
  const fields = { transport: 'stdio', command: 'a', args: ['b'], cwd: '', env: ['C=d'] };
  assert.equal(
    identityOf(fields),
    '550e65addd5c0109cd73c23f99c2e847723be4db81b45dfb60078885098ce0b8',
  );
});

test('the order of fields and of variables does not matter, the order of arguments does', () => {
  const env = { REGION: 'north', API_TOKEN: 'abc123', LOG_LEVEL: 'info' };
  assert.equal(identity({ env }), identity({}));
  assert.equal(
    identityOf({ command: 'a', args: ['b'] }),
    identityOf({ args: ['b'], command: 'a' }),
  );
  assert.notEqual(identity({ args: ['some-server', '-y', '/data'] }), identity({}));
});

test('each field of the launch changes the identity', () => {
  const variants: readonly Partial<StdioLaunch>[] = [
    {},
    { command: 'npm' },
    { args: ['-y', 'some-server', '/data', '/more'] },
    { args: ['-y', 'some-server /data'] },
    { args: [] },
    { cwd: '/other' },
    { cwd: undefined },
    { env: { ...launch.env, REGION: 'south' } },
    { env: { ...launch.env, EXTRA: '' } },
    { env: { LOG_LEVEL: 'info', REGION: 'north' } },
    { env: {} },
  ];
  assert.equal(new Set(variants.map(identity)).size, variants.length);
});

test('the value of a secret is no part of the fields, its name is', () => {
  const fields = stdioFields(launch);
  assert.deepEqual(fields, {
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'some-server', '/data'],
    cwd: '/proj',
    env: ['API_TOKEN', 'LOG_LEVEL=info', 'REGION=north'],
  });
  assert.equal(identity({ env: { ...launch.env, API_TOKEN: 'rotated' } }), identity({}));
});

test('names that suggest a secret are told from those that do not', () => {
  const secrets = [
    'TOKEN',
    'GITHUB_TOKEN',
    'GITHUB_PAT',
    'client_secret',
    'PGPASSWORD',
    'DB_PASS',
    'MYSQL_PWD',
    'SSH_PASSPHRASE',
    'AWS_ACCESS_KEY_ID',
    'OPENAI_API_KEY',
    'apiKey',
    'APIKEY',
    'x-api-key',
    'Authorization',
    'Cookie',
    'SENTRY_DSN',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'privateKey',
    'bearer',
  ];
  const plain = [
    'PATH',
    'HOME',
    'LOG_LEVEL',
    'PWDX',
    'DISPATCH',
    'MONKEY',
    'COMPASS',
    'uri',
    'name',
  ];
  assert.deepEqual([...secrets, ...plain].filter(isSecretName), secrets);
});

test('the fields that differ are told in alphabetical order, with what was and what is', () => {
  const before = stdioFields(launch);
  const after = stdioFields({
    command: 'node',
    args: ['server.js', '/my data'],
    cwd: undefined,
    env: { LOG_LEVEL: 'debug', API_TOKEN: 'another' },
  });
  assert.deepEqual(changedFields(before, after), [
    { field: 'args', before: '-y some-server /data', after: 'server.js "/my data"' },
    { field: 'command', before: 'npx', after: 'node' },
    { field: 'cwd', before: '/proj', after: '' },
    {
      field: 'env',
      before: 'API_TOKEN LOG_LEVEL=info REGION=north',
      after: 'API_TOKEN LOG_LEVEL=debug',
    },
  ]);
  assert.deepEqual(changedFields(before, before), []);
});

test('a field that came or went is a change, too', () => {
  assert.deepEqual(changedFields({ command: 'a' }, { url: 'https://host/' }), [
    { field: 'command', before: 'a', after: '' },
    { field: 'url', before: '', after: 'https://host/' },
  ]);
});

test('arguments that differ only in where they end are a change that can be seen', () => {
  assert.deepEqual(changedFields({ args: ['a b'] }, { args: ['a', 'b'] }), [
    { field: 'args', before: '"a b"', after: 'a b' },
  ]);
});
