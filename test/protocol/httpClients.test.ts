import { deepEqual, equal } from 'node:assert/strict';
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
});
