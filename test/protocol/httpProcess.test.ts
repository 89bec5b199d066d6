import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { within } from '../../src/base/timeLimit.ts';
import { toolCall } from '../support/bundledServer.ts';
import { launch, says, start } from '../support/httpProcess.ts';
import { patience } from '../support/patience.ts';
import { RawHttpClient } from '../support/rawHttp.ts';
import { onlyOn } from '../support/systems.ts';

describe('the server process with --http', { concurrency: true }, () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`runs without an input, and ends all sessions on ${signal}`, {
      skip: onlyOn('posix', 'Windows has no signals'),
    }, async t => {
      const { url, process: child, exited } = await start(t, ['--http', '0']);
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

  test('gives its address in one line, and warns when other programs can connect', async t => {
    const open = await start(t, ['--http', '0']);
    match(open.stderr, /^[^\n]* http:\/\/127\.0\.0\.1:\d+\/mcp, [^\n]*\n/);
    await says(open, /\n\[warn\] [^\n]*\n$/);
    for (const args of [
      ['--root', '/'],
      ['--token-env', 'SECRET'],
    ]) {
      const closed = await start(t, ['--http', '0', ...args], { SECRET: 'secret-token' });
      // When it answers, it has printed all its lines of the start.
      await new RawHttpClient(closed.url).post({ id: 1, method: 'ping' });
      match(closed.stderr, /^[^\n]*\n$/);
    }
  });

  test('takes the token from the environment and never shows it', async t => {
    const args = ['--http', '0', '--token-env', 'SECRET'];
    const served = await start(t, args, { SECRET: 'secret-token' });
    equal((await new RawHttpClient(served.url).post({ id: 1, method: 'ping' })).status, 401);
    const client = new RawHttpClient(served.url, { Authorization: 'Bearer secret-token' });
    await client.initialize({});
    equal((await client.post({ id: 2, method: 'ping' })).status, 200);
    equal(served.stderr.includes('secret'), false);
  });

  test('names the reason when it cannot listen, or would listen to other machines without a token', async t => {
    const { url } = await start(t, ['--http', '0']);
    const { port } = new URL(url);
    for (const [place, reason] of [
      [port, `127.0.0.1, port ${port}`],
      ['0.0.0.0:0', '--token-env'],
    ] as const) {
      const launched = launch(t, ['--http', place]);
      deepEqual(await launched.exited, [2, null]);
      ok(launched.stderr.includes(reason));
    }
  });
});
