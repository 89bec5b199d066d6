import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecretName } from '../../src/domain/secrets/secretNames.ts';
import type { HttpLaunch, StdioLaunch } from '../../src/domain/servers/launch.ts';
import {
  changedFields,
  identityOf,
  launchFields,
} from '../../src/domain/servers/serverIdentity.ts';
import { httpLaunch, stdioLaunch } from '../support/launches.ts';

const launch = stdioLaunch({
  command: 'npx',
  args: ['-y', 'some-server', '/data'],
  cwd: '/proj',
  env: { LOG_LEVEL: 'info', API_TOKEN: 'abc123', REGION: 'north' },
});

function identity(change: Partial<StdioLaunch>): string {
  return identityOf(launchFields({ ...launch, ...change }));
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

test('a server defined before there was more to say keeps its identity, and so its answers', () => {
  assert.deepEqual(
    [identity({}), identityOf(launchFields(stdioLaunch({ command: 'git-server' })))],
    [
      '870fbb6d59be3c7159bc980ab56961806b6c6774a7d67a4689abbe3be3abfaac',
      '0f7dc8ca66a0eaa05d6b9cf4498d427ab4bd53e8860a9ae5c661bb493c3e5d93',
    ],
  );
});

test('a server over HTTP is its URL and its headers, without the values of secrets', () => {
  const fields = (url: string, headers: HttpLaunch['headers'] = {}) =>
    launchFields(httpLaunch(url, headers));
  const url = 'https://example.com/mcp?team=web&apiKey=hunter2#top';
  assert.deepEqual(fields(url, { 'X-Team': 'web', Authorization: 'Bearer hunter2' }), {
    transport: 'http',
    url: 'https://example.com/mcp?team=web&apiKey#top',
    headers: ['Authorization', 'X-Team=web'],
  });
  const variants = [
    fields(url),
    fields('http://example.com/mcp?team=web&apiKey=hunter2#top'),
    fields('https://example.org/mcp?team=web&apiKey=hunter2#top'),
    fields('https://example.com/mcp?team=web#top'),
    fields(url, { 'X-Team': 'web' }),
    fields(url, { 'X-Team': 'app' }),
    fields(url, { Authorization: 'a' }),
  ];
  assert.equal(new Set(variants.map(identityOf)).size, variants.length);
  const rotated = fields(url.replace('hunter2', 'hunter3'), { Authorization: 'b' });
  assert.equal(identityOf(rotated), identityOf(fields(url, { Authorization: 'a' })));
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
    { envFile: '.env' },
    { envFile: '.env.local' },
    { env: { ...launch.env, REGION: 'south' } },
    { env: { ...launch.env, EXTRA: '' } },
    { env: { LOG_LEVEL: 'info', REGION: 'north' } },
    { env: {} },
  ];
  assert.equal(new Set(variants.map(identity)).size, variants.length);
});

test('the value of a secret is no part of the fields, its name is', () => {
  const fields = launchFields(launch);
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
  const before = launchFields(launch);
  const args = ['server.js', '/my data'];
  const env = { LOG_LEVEL: 'debug', API_TOKEN: 'another' };
  const after = launchFields(stdioLaunch({ command: 'node', args, env }));
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

test('a change is shown without a secret that was kept with the answer', () => {
  assert.deepEqual(changedFields({ args: ['--token=hunter2'] }, { args: ['--token=…'] }), [
    { field: 'args', before: '--token=…', after: '--token=…' },
  ]);
});
