import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownSecrets } from '../../../../../src/mcp/process/knownSecrets.ts';
import { SignInProvider, secureFetch } from '../../../../../src/mcp/process/oauth/signIn.ts';

/** Which of the addresses a server may send us to. */
async function reached(server: string, addresses: readonly string[]): Promise<string[]> {
  const seen: string[] = [];
  const fetch = secureFetch(async url => {
    seen.push(String(url));
    return new Response();
  }, new URL(server));
  for (const address of addresses) {
    await fetch(address).catch((error: Error) => assert.equal(error.name, 'SignInError'));
  }
  return seen;
}

const safe = ['https://sign-in.example/token', 'https://10.0.0.1/token'];
const here = ['http://localhost:1/token', 'http://127.0.0.1:2/token', 'http://[::1]:3/token'];
const unsafe = [
  ...['http://sign-in.example/token', 'http://localhost.example/token'],
  ...['http://127.0.0.1.example/token', 'ftp://127.0.0.1/token', 'file:///token'],
];

test('a remote server can only send us to https, and never to this machine', async () => {
  const all = [...safe, ...here, ...unsafe];
  assert.deepEqual(await reached('https://mcp.example/mcp', all), safe);
  assert.deepEqual(await reached('http://localhost.example/mcp', all), safe);
});

test('a server on this machine can send us to others on this machine', async () => {
  const all = [...safe, ...here, ...unsafe];
  assert.deepEqual(await reached('http://localhost:8080/mcp', all), [...safe, ...here]);
});

const redirectUrl = 'http://127.0.0.1:1234/callback';

function provider(known = {}, secrets = new KnownSecrets()) {
  return new SignInProvider({ redirectUrl, state: 'the-state', known, secrets });
}

test('treats all values of a sign-in as secret at once', () => {
  const secrets = new KnownSecrets();
  const signIn = provider({}, secrets);
  signIn.saveClientInformation({ client_id: 'public-id', client_secret: 'client-key' });
  signIn.saveCodeVerifier('the-verifier');
  signIn.saveTokens({
    access_token: 'access-1',
    refresh_token: 'refresh-1',
    id_token: 'id-1',
    token_type: 'Bearer',
  });
  assert.equal(
    secrets.redacted('public-id client-key the-verifier access-1 refresh-1 id-1 Bearer'),
    'public-id ••• ••• ••• ••• ••• Bearer',
  );
});

test('registers a client again for another address', () => {
  const client = { client_id: 'a', redirect_uris: [redirectUrl] };
  assert.equal(provider({ client }).clientInformation(), client);
  const other = { client_id: 'a', redirect_uris: ['http://127.0.0.1:1/callback'] };
  assert.equal(provider({ client: other }).clientInformation(), undefined);
});
