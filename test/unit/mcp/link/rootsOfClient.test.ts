import { deepEqual, equal } from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { RootsOfClient } from '../../../../src/mcp/link/rootsOfClient.ts';
import { skipLinks } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

test('does not take a pause of this process for a missing disk', async t => {
  const root = { uri: pathToFileURL(tempFolder(t)).href, name: 'root' };
  const client = new RootsOfClient();
  client.take({ roots: [{ uri: root.uri }] });
  const looking = client.look([root]);
  // Longer than a disk may take: its answer has come by then, and is only not read yet.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200);
  await looking;
  deepEqual([client.among([root]).map(({ uri }) => uri), client.leftOut], [[root.uri], []]);
});

test('a client that does not answer has no roots', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const client = new RootsOfClient();
  const named = client.named();
  t.mock.timers.tick(10_000);
  await named;
  deepEqual(client.leftOut, [{ uri: '', reason: 'The client did not say which roots it has.' }]);
});

test('hides never-exposed folders under any name', { skip: skipLinks }, async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'api/real/key': '' });
  symlinkSync('real', join(folder, 'api/keys'));
  const uriOf = (path: string) => pathToFileURL(join(folder, path)).href;
  const hidden = [join(folder, 'api/keys')];
  const client = new RootsOfClient();
  client.take({ roots: ['api/real', 'api/keys'].map(path => ({ uri: uriOf(path) })) });
  const root = { uri: uriOf('api'), name: 'api', hidden };
  await client.look([root]);
  deepEqual(client.among([root]), []);
  equal(client.leftOut.length, 2);
});
