import { deepEqual, equal } from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { prepareRootFolders } from '../../src/server/roots/rootFolders.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

test('a root is kept under the name it was announced by and under its real one', t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'real one/': '' });
  symlinkSync(join(folder, 'real one'), join(folder, 'link'));
  const uri = pathToFileURL(join(folder, 'link')).href;
  const { scope, skipped } = prepareRootFolders([{ uri, name: 'Link' }], 'linux');
  const { device, inode, ...root } = scope.roots[0]!;
  deepEqual(
    [root, skipped, typeof device, typeof inode],
    [
      {
        uri,
        name: 'Link',
        announced: join(folder, 'link'),
        real: join(folder, 'real one'),
        foldsCase: false,
      },
      [],
      'bigint',
      'bigint',
    ],
  );
});

test('what is no existing folder of this machine is skipped, each with its reason', t => {
  const folder = tempFolder(t);
  writeTree(folder, { file: '' });
  const at = (name: string) => pathToFileURL(join(folder, name)).href;
  const uris = [
    at('none'),
    at('file'),
    at('file/x'),
    'http://host/ws',
    '/ws',
    'file:ws',
    'file://host/ws',
    'file:///proc/self/cwd',
    'file:///dev/fd',
    `file://${folder}/%2e%2e%2f`,
    `${at('')}?query`,
  ];
  const odd = [{ uri: 7 }, { uri: { toString: 1 } }, {}];
  const { scope, skipped } = prepareRootFolders([...uris.map(uri => ({ uri })), ...odd], 'linux');
  equal(scope.roots.length, 0);
  deepEqual(skipped, [
    { uri: uris[0], reason: 'It does not exist.' },
    { uri: uris[1], reason: 'It is not a folder.' },
    { uri: uris[2], reason: 'It does not exist.' },
    { uri: uris[3], reason: 'It is not a file: URI.' },
    { uri: uris[4], reason: 'It is not a file: URI.' },
    {
      uri: uris[5],
      reason: 'It is a file: URI without an absolute path: write file:///folder/name.',
    },
    { uri: uris[6], reason: 'It is a file: URI of another machine.' },
    { uri: uris[7], reason: 'It does not name the same folder for every process.' },
    { uri: uris[8], reason: 'It does not name the same folder for every process.' },
    { uri: uris[9], reason: 'It holds an encoded separator.' },
    {
      uri: uris[10],
      reason: 'It is a file: URI with a fragment or a query: write # as %23 and ? as %3F in names.',
    },
    { uri: '7', reason: 'It is not a file: URI.' },
    { uri: '', reason: 'It is not a file: URI.' },
    { uri: '', reason: 'It is not a file: URI.' },
  ]);
});

test('relative paths start in the first root that is a folder', t => {
  const folder = tempFolder(t);
  const entries = [{ uri: 'file:///none' }, { uri: pathToFileURL(folder).href }];
  equal(prepareRootFolders(entries, 'linux').scope.base, folder);
});
