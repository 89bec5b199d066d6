import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { within } from '../../src/base/timeLimit.ts';
import { toolCall } from '../support/bundledServer.ts';
import { launch, saysSoon, start } from '../support/httpProcess.ts';
import { patience } from '../support/patience.ts';
import { RawHttpClient } from '../support/rawHttp.ts';
import { onlyOn } from '../support/systems.ts';

describe('the server process with --http', { concurrency: true }, () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`stays without an input, and ends all that it serves on ${signal}`, {
      skip: onlyOn('posix', 'Windows has no signals'),
    }, async t => {
      const { url, child, exited } = await start(t, ['--http', '0']);
      const client = new RawHttpClient(url);
      await client.initialize();
      const stream = await client.listen();
      const call = await client.post(toolCall(2, 'get-roots'));
      child.kill(signal);
      for (const answer of [stream, call]) {
        while (await answer.next()) {}
      }
      deepEqual(await within(exited, patience, 'still there'), [0, null]);
    });
  }

  test('says in one line where it is, and warns where nothing keeps other programs out', async t => {
    const open = await start(t, ['--http', '0']);
    match(
      open.said(),
      /^MCP Roots [\d.]+ serves .* over HTTP at http:\/\/127\.0\.0\.1:\d+\/mcp, .*\n/,
    );
    await saysSoon(open, /\n\[warn\] Every program on this machine can use this server.*\n$/);
    for (const args of [
      ['--root', '/'],
      ['--token-env', 'SECRET'],
    ]) {
      const closed = await start(t, ['--http', '0', ...args], { SECRET: 'secret-token' });
      // By the time it answers, it has said what it had to say at the start.
      await new RawHttpClient(closed.url).post({ id: 1, method: 'ping' });
      match(closed.said(), /^[^\n]*\n$/);
    }
  });

  test('takes the token from the environment and tells nobody', async t => {
    const args = ['--http', '0', '--token-env', 'SECRET'];
    const { url, said } = await start(t, args, { SECRET: 'secret-token' });
    equal((await new RawHttpClient(url).post({ id: 1, method: 'ping' })).status, 401);
    const client = new RawHttpClient(url, { Authorization: 'Bearer secret-token' });
    await client.initialize({});
    equal((await client.post({ id: 2, method: 'ping' })).status, 200);
    equal(said().includes('secret'), false);
  });

  test('does not start where other machines could reach it without a token', async t => {
    for (const host of ['0.0.0.0', '[::]', '192.0.2.1', 'files.example']) {
      const { exited, said } = launch(t, ['--http', `${host}:0`]);
      deepEqual(await exited, [2, null]);
      match(said(), /^Other machines can reach .* so a token is required\. .* --token-env\.\n$/);
    }
  });

  test('says so when it cannot listen there', async t => {
    const { url } = await start(t, ['--http', '0']);
    const { port } = new URL(url);
    const { exited, said } = launch(t, ['--http', port]);
    deepEqual(await exited, [2, null]);
    equal(
      said(),
      `It is not possible to listen on 127.0.0.1, port ${port}: another program does so.\n`,
    );
  });
});
