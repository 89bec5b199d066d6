import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthorizationOptions } from '../support/authorizationServer.ts';
import { until } from '../support/processes.ts';
import { recordingConnection, root } from '../support/recordingConnection.ts';
import { signedIn, signInProblem, signingIn } from '../support/signingIn.ts';

const web = root('web');

test('when several windows share an expired token, the slower windows take the first one’s', async t => {
  const { connection, target, authorization, kept, opened } = await signedIn(t);
  const byItself = { ...target, isInteractive: false };
  const others = [connection, recordingConnection(t).connection, recordingConnection(t).connection];
  const states = await Promise.all(others.map(other => other.start(byItself, [web])));
  assert.deepEqual(
    states.map(({ kind }) => kind),
    ['running', 'running', 'running'],
  );
  assert.equal(authorization.tokens.size, 1);
  assert.equal(opened.length, 1);
  assert.ok(kept.get('oauth')?.includes([...authorization.tokens][0] ?? '-'));
});

test('waits for a window that saves its new token a moment later', async t => {
  const { connection, target, authorization, kept, store } = await signedIn(t);
  const before = kept.get('oauth') ?? '';
  const other = recordingConnection(t).connection;
  await other.start({ ...target, isInteractive: false }, [web]);
  const renewed = kept.get('oauth') ?? '';
  kept.set('oauth', before);
  const refreshes = () => authorization.log.filter(line => line === 'POST /token refresh_token');
  const get = async (key: string) => {
    const value = kept.get(key);
    if (refreshes().length === 2) {
      kept.set(key, renewed);
    }
    return value;
  };
  const late = { openBrowser: async () => false, store: { ...store, get } };
  const state = await connection.start({ ...target, authorization: late }, [web]);
  assert.equal(state.kind, 'running', JSON.stringify(state));
  assert.notEqual(before, renewed);
});

test('a failed sign-in keeps what was saved', async t => {
  const options: AuthorizationOptions = {};
  const { connection, target, authorization, kept, browser, opened } = await signedIn(t, options);
  const before = kept.get('oauth');
  options.refusesRefresh = true;
  const visit = browser.visit;
  browser.visit = async () => false;
  assert.equal((await connection.start(target, [web])).kind, 'failed');
  assert.equal(kept.get('oauth'), before);
  browser.visit = async () => true;
  const start = connection.start(target, [web]);
  await until('the page', () => opened.length === 3);
  await connection.stop();
  assert.equal((await start).kind, 'stopped');
  options.refusal = { error: 'access_denied', error_description: 'no' };
  browser.visit = visit;
  assert.equal((await connection.start(target, [web])).kind, 'failed');
  assert.equal(kept.get('oauth'), before);
  assert.equal(authorization.log.filter(line => line === 'POST /register').length, 1);
});

test('registers again when the authorization server has forgotten the client', async t => {
  const options: AuthorizationOptions = {};
  const { connection, target, authorization, kept } = await signedIn(t, options);
  const registrations = () => authorization.log.filter(line => line === 'POST /register').length;
  options.knowsNobody = true;
  const state = await connection.start({ ...target, isInteractive: false }, [web]);
  assert.equal(state.kind === 'failed' && state.failure.kind, 'unauthorized');
  assert.deepEqual(Object.keys(JSON.parse(kept.get('oauth') ?? '')).sort(), [
    'discovery',
    'tokens',
  ]);
  options.knowsNobody = false;
  assert.equal((await connection.start(target, [web])).kind, 'running');
  assert.equal(registrations(), 2);
});

test('registers again when the authorization server says so only after the sign-in', async t => {
  const options: AuthorizationOptions = {};
  const { connection, target, kept } = await signedIn(t, options);
  const { client, discovery } = JSON.parse(kept.get('oauth') ?? '');
  kept.set('oauth', JSON.stringify({ client, discovery }));
  options.knowsNobody = true;
  const refused = await connection.start(target, [web]);
  assert.equal(signInProblem(refused), '"invalid_client:" "no such client"');
  assert.deepEqual(JSON.parse(kept.get('oauth') ?? ''), { discovery });
});

test('does not open a browser for a server that was reached without a sign-in', async t => {
  let isLate = false;
  const { connection, target, opened, server } = await signingIn(t, { isOpen: () => !isLate });
  assert.equal((await connection.start(target, [web])).kind, 'running');
  await until('a stream', () => server.streams.size === 1);
  isLate = true;
  server.push({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
  await until('the end', () => connection.state.kind === 'failed');
  assert.equal(signInProblem(connection.state), 'accessTokens.startByHand()');
  assert.deepEqual(opened, []);
});
