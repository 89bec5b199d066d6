import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthorizationOptions } from '../support/authorizationServer.ts';
import { until } from '../support/processes.ts';
import { rawHttpServer } from '../support/rawHttpServer.ts';
import { callText, root, testTimes } from '../support/recordingConnection.ts';
import { signInProblem, signingIn } from '../support/signingIn.ts';

const web = root('web');

test('a person signs in through the browser, and the server runs', async t => {
  const { connection, target, authorization, opened, pages, server } = await signingIn(t);
  const state = await connection.start(target, [web]);
  assert.equal(state.kind, 'running', JSON.stringify(state));
  assert.equal(await callText(connection, 'any'), 'done');
  assert.equal(opened.length, 1);
  assert.match(pages[0] ?? '', /You are signed in\. You can close this window/);
  const [page] = authorization.pages;
  assert.equal(page?.get('code_challenge_method'), 'S256');
  assert.equal(page?.get('resource'), server.url);
  assert.ok((page?.get('state')?.length ?? 0) >= 32);
  assert.deepEqual(authorization.log, [
    'GET /.well-known/oauth-authorization-server',
    'POST /register',
    'GET /authorize',
    'POST /token authorization_code',
  ]);
  await connection.stop();
  const again = await connection.start({ ...target, isInteractive: false }, [web]);
  assert.deepEqual([again.kind, opened.length], ['running', 1]);
});

test('keeps tokens out of the traffic, and sends no header to the other server', async t => {
  const { connection, target, authorization, traffic, states, server } = await signingIn(t);
  await connection.start(target, [web]);
  const told = JSON.stringify([traffic, states]);
  assert.ok(authorization.secrets.length >= 4);
  assert.deepEqual(
    authorization.secrets.filter(secret => told.includes(secret)),
    [],
  );
  const keys = server.requests
    .filter(({ message }) => message)
    .map(({ headers }) => headers['x-key']);
  assert.deepEqual([...new Set(keys)], ['k3y-value']);
  assert.ok(authorization.headers.has('content-type') && !authorization.headers.has('x-key'));
});

test('renews an expired token silently, once for all requests', async t => {
  const { connection, target, opened, authorization } = await signingIn(t);
  await connection.start(target, [web]);
  authorization.tokens.clear();
  const calls = await Promise.all(['a', 'b', 'c'].map(name => callText(connection, name)));
  assert.deepEqual(calls, ['done', 'done', 'done']);
  assert.equal(opened.length, 1);
  assert.equal(authorization.log.filter(line => line === 'POST /token refresh_token').length, 1);
});

test('a token that cannot be renewed ends the server, and an automatic start asks nobody', async t => {
  const options: AuthorizationOptions = {};
  const { connection, target, opened, authorization } = await signingIn(t, options);
  await connection.start(target, [web]);
  authorization.tokens.clear();
  options.refusesRefresh = true;
  await assert.rejects(callText(connection, 'any'));
  assert.equal(signInProblem(connection.state), 'accessTokens.startByHand()');
  const byItself = await connection.start({ ...target, isInteractive: false }, [web]);
  assert.equal(signInProblem(byItself), 'accessTokens.startByHand()');
  assert.equal(opened.length, 1);
  const state = await connection.start(target, [web]);
  assert.equal(state.kind, 'running');
  assert.equal(opened.length, 2);
});

test('does not count the time that the user takes', async t => {
  const { connection, target, browser, states } = await signingIn(t);
  browser.visit = async url => {
    setImmediate(() => {
      t.mock.timers.tick(3 * testTimes.handshake);
      void fetch(url);
    });
    return true;
  };
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const state = await connection.start(target, [web]);
  assert.equal(state.kind, 'running', JSON.stringify(state));
  assert.equal(states.length, 2);
});

test('ignores a browser that returns with the wrong state', async t => {
  const { connection, target, browser, authorization, server } = await signingIn(t);
  const answers: number[] = [];
  browser.visit = async url => {
    const redirect = new URL(url).searchParams.get('redirect_uri');
    for (const query of ['?code=forged&state=wrong', '?code=forged', '']) {
      answers.push((await fetch(`${redirect}${query}`)).status);
    }
    answers.push((await fetch(new URL('/', redirect ?? ''))).status);
    assert.equal(connection.state.kind, 'starting');
    assert.ok(!authorization.log.some(line => line.startsWith('POST /token')));
    await fetch(url);
    return true;
  };
  const state = await connection.start(target, [web]);
  assert.equal(state.kind, 'running', JSON.stringify(state));
  assert.deepEqual(answers, [400, 400, 400, 404]);
  assert.equal(server.got('initialize').length, 1);
});

const failing: Readonly<Record<string, readonly [AuthorizationOptions, string]>> = {
  'the person refuses': [
    { refusal: { error: 'access_denied', error_description: 'You said \u202eno\n.' } },
    '"You said \\\\u202eno ."',
  ],
  'others could read the page on the way': [
    { authorizationEndpoint: 'http://sign-in.example/authorize' },
    'signIn.pageProblems.insecure()',
  ],
  'no client is registered': [{ registersNone: true }, 'signIn.registrationError()'],
  'the client is refused': [
    { registersNone: 'Use https' },
    'signIn.registrationError( (invalid_redirect_uri: Use https))',
  ],
};

for (const [why, [options, problem]] of Object.entries(failing)) {
  test(`says why the sign-in fails when ${why}, and keeps nothing`, async t => {
    const { connection, target, kept, pages } = await signingIn(t, options);
    assert.equal(signInProblem(await connection.start(target, [web])), problem);
    assert.deepEqual([...kept], []);
    assert.doesNotMatch(String(pages), /You are signed in/);
  });
}

test('ends the sign-in when the editor opens no browser', async t => {
  const { connection, target, browser } = await signingIn(t);
  browser.visit = async () => false;
  const state = await connection.start(target, [web]);
  assert.equal(signInProblem(state), 'signIn.pageProblems.unopened()');
});

test('a stop ends the wait for the user, and closes the port', async t => {
  const { connection, target, browser, opened } = await signingIn(t);
  browser.visit = async () => true;
  const start = connection.start(target, [web]);
  await until('the browser', () => opened.length === 1);
  await connection.stop();
  assert.deepEqual(await start, { kind: 'stopped' });
  const redirect = new URL(opened[0] ?? '').searchParams.get('redirect_uri') ?? '';
  await assert.rejects(fetch(redirect));
});

test('an unfinished sign-in ends after five minutes', async t => {
  const { connection, target, browser, opened } = await signingIn(t);
  const shown = new Promise<void>(resolve => {
    browser.visit = async () => {
      t.mock.timers.enable({ apis: ['setTimeout'] });
      setImmediate(resolve);
      return true;
    };
  });
  const start = connection.start(target, [web]);
  await shown;
  t.mock.timers.tick(5 * 60_000);
  t.mock.timers.reset();
  assert.equal(signInProblem(await start), 'signIn.answerWithin()');
  assert.equal(opened.length, 1);
});

test('asks for no sign-in when the definition has a key', async t => {
  const { connection, target, opened } = await signingIn(t);
  const state = await connection.start({ ...target, headers: { Authorization: 'Bearer x' } }, [
    web,
  ]);
  assert.equal(state.kind === 'failed' && state.failure.kind, 'unauthorized');
  assert.deepEqual(opened, []);
});

test('signs in with the user’s own registered client, at its port', async t => {
  const { port, vanish } = await rawHttpServer(t);
  await vanish();
  const callbackPort = `${port}`;
  for (const [more, redirect] of [
    [{}, /^http:\/\/127\.0\.0\.1:\d+\/callback$/],
    [{ callbackPort }, new RegExp(`^http://localhost:${callbackPort}/callback$`)],
  ] as const) {
    const client = { clientId: 'mine', ...more };
    const signing = await signingIn(t, { registersNone: true });
    const { connection, target, authorization } = signing;
    const own = { ...target, authorization: { openBrowser, store: signing.store, client } };
    const { kind } = await connection.start(own, [web]);
    const page = authorization.pages[0];
    assert.deepEqual([kind, page?.get('client_id')], ['running', 'mine']);
    assert.match(page?.get('redirect_uri') ?? '', redirect);
    // The client is the same for a new token.
    authorization.tokens.clear();
    assert.equal(await callText(connection, 'any'), 'done');
  }
});

async function openBrowser(url: string): Promise<boolean> {
  await fetch(url);
  return true;
}
