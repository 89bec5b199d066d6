import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AuthorizationOptions,
  authorizationServer,
  protectedServer,
} from '../support/authorizationServer.ts';
import { until } from '../support/processes.ts';
import { callText, recordingConnection, root } from '../support/recordingConnection.ts';
import { signingIn } from '../support/signingIn.ts';

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
});

test('nothing that was given out is in the traffic, and no header goes to the other server', async t => {
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

test('the next start needs no sign-in', async t => {
  const { connection, target, opened } = await signingIn(t);
  await connection.start(target, [web]);
  await connection.stop();
  const state = await connection.start({ ...target, isInteractive: false }, [web]);
  assert.equal(state.kind, 'running');
  assert.equal(opened.length, 1);
});

test('a token that has run out is renewed without a word, once for all that need it', async t => {
  const { connection, target, opened, authorization } = await signingIn(t);
  await connection.start(target, [web]);
  authorization.tokens.clear();
  const calls = await Promise.all(['a', 'b', 'c'].map(name => callText(connection, name)));
  assert.deepEqual(calls, ['done', 'done', 'done']);
  assert.equal(opened.length, 1);
  assert.equal(authorization.log.filter(line => line === 'POST /token refresh_token').length, 1);
});

test('a token that can not be renewed ends the server, and a start by itself asks nobody', async t => {
  const options: AuthorizationOptions = {};
  const { connection, target, opened, authorization } = await signingIn(t, options);
  await connection.start(target, [web]);
  authorization.tokens.clear();
  options.refusesRefresh = true;
  await assert.rejects(callText(connection, 'any'));
  const failed = {
    kind: 'failed',
    failure: {
      kind: 'unauthorized',
      message: 'It asks for a sign-in. Start it by hand to sign in.',
    },
  };
  assert.deepEqual(connection.state, failed);
  assert.deepEqual(await connection.start({ ...target, isInteractive: false }, [web]), failed);
  assert.equal(opened.length, 1);
  const state = await connection.start(target, [web]);
  assert.equal(state.kind, 'running');
  assert.equal(opened.length, 2);
});

test('the time that the person takes is not counted', async t => {
  const authorization = await authorizationServer(t);
  const server = await protectedServer(t, authorization);
  const handshake = 20_000;
  const { connection, states } = recordingConnection(t, { handshake });
  let kept: string | undefined;
  const store = {
    get: async () => kept,
    set: async (_: string, value: string | undefined) => {
      kept = value;
    },
  };
  const openBrowser = async (url: string) => {
    setImmediate(() => {
      t.mock.timers.tick(3 * handshake);
      void fetch(url);
    });
    return true;
  };
  const target = { url: server.url, headers: {}, authorization: { openBrowser, store } };
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const state = await connection.start({ ...target, isInteractive: true }, [web]);
  assert.equal(state.kind, 'running', JSON.stringify(state));
  assert.deepEqual(
    states.map(({ kind }) => kind),
    ['starting', 'running'],
  );
});

test('a browser that comes back with the wrong state changes nothing', async t => {
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

test('a refusal is told in the words of the server, printable', async t => {
  const refusal = { error: 'access_denied', error_description: 'You said \u202eno\n.' };
  const { connection, target, kept, pages } = await signingIn(t, { refusal });
  assert.deepEqual(await connection.start(target, [web]), {
    kind: 'failed',
    failure: { kind: 'unauthorized', message: 'You said \\u202eno .' },
  });
  assert.match(pages[0] ?? '', /You are not signed in\./);
  assert.deepEqual([...kept], []);
});

test('an editor that opens no browser leaves nobody waiting', async t => {
  const { connection, target, browser } = await signingIn(t);
  browser.visit = async () => false;
  assert.deepEqual(await connection.start(target, [web]), {
    kind: 'failed',
    failure: { kind: 'unauthorized', message: 'The page to sign in at was not opened.' },
  });
});

test('a stop ends the wait for a person, and nobody listens any more', async t => {
  const { connection, target, browser, opened } = await signingIn(t);
  browser.visit = async () => true;
  const start = connection.start(target, [web]);
  await until('the browser', () => opened.length === 1);
  await connection.stop();
  assert.deepEqual(await start, { kind: 'stopped' });
  const redirect = new URL(opened[0] ?? '').searchParams.get('redirect_uri') ?? '';
  await assert.rejects(fetch(redirect));
});

test('a sign-in that nobody finishes is over after five minutes', async t => {
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
  assert.deepEqual(await start, {
    kind: 'failed',
    failure: { kind: 'unauthorized', message: 'Nobody signed in.' },
  });
  assert.equal(opened.length, 1);
});

test('a page that others could read on the way is not opened', async t => {
  const authorizationEndpoint = 'http://sign-in.example/authorize';
  const { connection, target, opened } = await signingIn(t, { authorizationEndpoint });
  assert.deepEqual(await connection.start(target, [web]), {
    kind: 'failed',
    failure: {
      kind: 'unauthorized',
      message: 'The page to sign in at is neither https nor on the same machine.',
    },
  });
  assert.deepEqual(opened, []);
});

test('who names a key of his own is not asked to sign in', async t => {
  const { connection, target, opened } = await signingIn(t);
  const state = await connection.start({ ...target, headers: { Authorization: 'Bearer x' } }, [
    web,
  ]);
  assert.equal(state.kind === 'failed' && state.failure.kind, 'unauthorized');
  assert.deepEqual(opened, []);
});
