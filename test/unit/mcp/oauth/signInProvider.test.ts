import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownSecrets } from '../../../../src/mcp/knownSecrets.ts';
import { SignInProvider } from '../../../../src/mcp/oauth/signIn.ts';

const redirectUrl = 'http://127.0.0.1:1234/callback';

function provider(known = {}, secrets = new KnownSecrets()) {
  return new SignInProvider({ redirectUrl, state: 'the-state', known, secrets });
}

test('all that is handed out in a sign-in is known to be secret at once', () => {
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

test('a client that was registered for another address is registered anew', () => {
  const client = { client_id: 'a', redirect_uris: [redirectUrl] };
  assert.equal(provider({ client }).clientInformation(), client);
  const other = { client_id: 'a', redirect_uris: ['http://127.0.0.1:1/callback'] };
  assert.equal(provider({ client: other }).clientInformation(), undefined);
});
