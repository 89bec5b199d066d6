import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { RootsOfClient } from '../../../src/mcp/rootsOfClient.ts';
import { tempFolder } from '../../support/temp.ts';

test('a moment in which this process stood still is not taken for a disk that is gone', async t => {
  const root = { uri: pathToFileURL(tempFolder(t)).href, name: 'root' };
  const client = new RootsOfClient();
  client.take({ roots: [{ uri: root.uri }] });
  const looking = client.look([root]);
  // Longer than a disk may take: its answer has come by then, and is only not read yet.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200);
  await looking;
  deepEqual([client.among([root]).map(({ uri }) => uri), client.leftOut], [[root.uri], []]);
});

test('a client that is asked and does not answer has no roots, and that is said', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const client = new RootsOfClient();
  const named = client.named();
  t.mock.timers.tick(10_000);
  await named;
  deepEqual(client.leftOut, [{ uri: '', reason: 'It did not say which roots it has.' }]);
});
