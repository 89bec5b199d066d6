import { deepEqual, equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { clients, connect, rootOf } from '../support/bundledServer.ts';
import { startService } from '../support/httpService.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

for (const kind of clients) {
  const isModern = kind === 'SDK 2 (modern)';

  describe(`over HTTP, with ${kind}`, { concurrency: true }, () => {
    test('the server gets the roots its client names, and serves nothing else', async t => {
      const folder = tempFolder(t);
      writeTree(folder, { 'in/a.txt': 'a', 'out/b.txt': 'b' });
      const root = rootOf(join(folder, 'in'), 'In');
      const client = await connect(t, kind, { roots: [root], http: await startService(t) });
      const { structuredContent } = await client.call('get-roots');
      deepEqual(structuredContent?.['roots'], [root]);
      equal(structuredContent?.['era'], isModern ? 'modern' : 'legacy');
      equal((await client.call('read-file', { path: 'a.txt' })).content[0]?.text, 'a');
      const outside = await client.call('read-file', { path: join(folder, 'out/b.txt') });
      equal(outside.isError, true);
      equal(
        (await client.listTools()).some(({ name }) => name === 'read-file'),
        true,
      );
    });

    test('two clients with other roots at the same time never see each other’s', async t => {
      const folder = tempFolder(t);
      writeTree(folder, { 'one/a.txt': 'one', 'two/a.txt': 'two' });
      const http = await startService(t);
      const names = ['one', 'two'] as const;
      const both = await Promise.all(
        names.map(name => connect(t, kind, { roots: [rootOf(join(folder, name))], http })),
      );
      const rounds = Array.from({ length: 50 }, () =>
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

    test('a revoked root is refused by the next call, and a new one is served', async t => {
      const folder = tempFolder(t);
      writeTree(folder, { 'old/a.txt': 'old', 'new/b.txt': 'new' });
      const [before, now] = [rootOf(join(folder, 'old')), rootOf(join(folder, 'new'))];
      const client = await connect(t, kind, { roots: [before], http: await startService(t) });
      equal((await client.call('read-file', { path: 'a.txt' })).content[0]?.text, 'old');
      client.roots = [now];
      await client.notify();
      const path = join(folder, 'old/a.txt');
      equal((await client.call('read-file', { path })).isError, true);
      equal((await client.call('read-file', { path: 'b.txt' })).content[0]?.text, 'new');
    });

    test('a client without the capability is never asked and gives no access', async t => {
      const folder = tempFolder(t);
      writeTree(folder, { 'a.txt': 'a' });
      const client = await connect(t, kind, { http: await startService(t) });
      const { isError, content } = await client.call('read-file', { path: join(folder, 'a.txt') });
      match(content[0]?.text ?? '', /has not declared the roots capability/);
      deepEqual([isError, client.timesAsked()], [true, 0]);
    });

    test('a client has to bring the token', async t => {
      const { url, logged } = await startService(t, { token: 'secret-token' });
      const withToken = (token: string) => ({ url, headers: { Authorization: `Bearer ${token}` } });
      const client = await connect(t, kind, { roots: [], http: withToken('secret-token') });
      equal((await client.call('get-roots')).isError, undefined);
      await isRefused(connect(t, kind, { roots: [], http: withToken('secret-tokem') }));
      await isRefused(connect(t, kind, { roots: [], http: { url } }));
      equal(/secret/.test(logged.join('\n')), false);
    });
  });
}

async function isRefused(connection: Promise<unknown>): Promise<void> {
  const outcome = await connection.then(
    () => 'connected',
    error => String(error),
  );
  match(outcome, /401|Unauthorized|token/i);
}
