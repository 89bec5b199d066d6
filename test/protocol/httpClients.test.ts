import { deepEqual, equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { connect, rootOf } from '../support/bundledServer.ts';
import { startService } from '../support/httpService.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('over HTTP', { concurrency: true }, () => {
  for (const kind of ['SDK 2 (legacy)', 'SDK 2 (modern)'] as const) {
    test(`two clients with other roots at the same time never see each other’s: ${kind}`, async t => {
      const folder = tempFolder(t);
      writeTree(folder, { 'one/a.txt': 'one', 'two/a.txt': 'two' });
      const http = await startService(t);
      const names = ['one', 'two'] as const;
      const both = await Promise.all(
        names.map(name => connect(t, kind, { roots: [rootOf(join(folder, name))], http })),
      );
      const rounds = Array.from({ length: 10 }, () =>
        both.map(async (client, index) => {
          const other = join(folder, names[1 - index]!, 'a.txt');
          const [own, foreign] = await Promise.all([
            client.call('read-file', { path: 'a.txt' }),
            client.call('read-file', { path: other }),
          ]);
          return [own.content[0]?.text, foreign.isError];
        }),
      );
      const seen = await Promise.all(rounds.flat());
      deepEqual(new Set(seen.map(String)), new Set(['one,true', 'two,true']));
      // Also when one of them changes its roots, which are the business of nobody else.
      both[0]!.roots = [];
      await both[0]!.notify();
      equal((await both[0]!.call('read-file', { path: 'a.txt' })).isError, true);
      equal((await both[1]!.call('read-file', { path: 'a.txt' })).content[0]?.text, 'two');
    });
  }

  test('a client without the capability is never asked and gives no access', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': 'a' });
    const client = await connect(t, 'SDK 2 (modern)', { http: await startService(t) });
    const { isError, content } = await client.call('read-file', { path: join(folder, 'a.txt') });
    match(content[0]?.text ?? '', /has not declared the roots capability/);
    deepEqual([isError, client.timesAsked()], [true, 0]);
  });

  test('a client has to bring the token', async t => {
    const { url, logged } = await startService(t, { token: 'secret-token' });
    const withToken = (token: string) => ({ url, headers: { Authorization: `Bearer ${token}` } });
    const client = await connect(t, 'SDK 2 (modern)', {
      roots: [],
      http: withToken('secret-token'),
    });
    equal((await client.call('get-roots')).isError, undefined);
    await isRefused(connect(t, 'SDK 2 (modern)', { roots: [], http: withToken('secret-tokem') }));
    await isRefused(connect(t, 'SDK 2 (modern)', { roots: [], http: { url } }));
    equal(/secret/.test(logged.join('\n')), false);
  });
});

async function isRefused(connection: Promise<unknown>): Promise<void> {
  const outcome = await connection.then(
    () => 'connected',
    error => String(error),
  );
  match(outcome, /401|Unauthorized|token/i);
}
