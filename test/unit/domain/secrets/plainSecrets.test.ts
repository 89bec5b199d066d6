import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { plainSecrets } from '../../../../src/domain/secrets/literalSecrets.ts';

const found = (entry: unknown) => plainSecrets(entry).map(path => path.join('.'));

test('secrets in plain text are found where they stand in a definition', () => {
  deepEqual(
    found({
      command: 'npx',
      args: ['-y', 7, '--token', 'hunter2', '--dir=/a', 'sk-0123456789abcdef0123'],
      env: { API_TOKEN: 'hunter2', PLAIN: 'yes', URL: 'https://me:hunter2@example.com', N: 1 },
    }),
    ['args.3', 'args.5', 'env.API_TOKEN', 'env.URL'],
  );
  deepEqual(
    found({
      url: 'https://example.com/mcp?api_key=hunter2',
      headers: { Authorization: 'Bearer hunter2', Accept: 'text/plain' },
    }),
    ['headers.Authorization', 'url'],
  );
});

test('a secret that comes from elsewhere is none, and neither is what has another form', () => {
  const env = { A_TOKEN: '${input:token}', B_TOKEN: '${env:TOKEN}', C_TOKEN: '${TOKEN}' };
  const headers = { Authorization: 'Bearer ${input:token}' };
  deepEqual(found({ command: 'npx', args: '--token x', env, headers }), []);
  for (const odd of [null, 'token', [], { env: 'API_TOKEN=x', args: null, url: 7 }]) {
    deepEqual(found(odd), []);
  }
});
