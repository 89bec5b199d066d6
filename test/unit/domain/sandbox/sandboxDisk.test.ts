import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { LinkTrail } from '../../../../src/domain/sandbox/sandboxDisk.ts';
import { fakeSandboxDisk } from './fakeSandboxDisk.ts';

const disk = fakeSandboxDisk({
  '/a/link': '-> ../b/file',
  '/b/file': '-> /c/real',
  '/c/real': '',
  '/d': '-> a',
  '/deep/x/y/file': '',
  '/deep/z': '-> x/y',
  '/deep/x/up': '-> ../z/../file',
  '/deep/x/file': '',
  '/circle/a': '-> b',
  '/circle/b': '-> ./a',
  ...Object.fromEntries(
    Array.from({ length: 41 }, (_, index) => [`/long/${index}`, `-> ${index + 1}`]),
  ),
  '/long/41': '',
});

test('a path is followed link by link, and its links are kept', async () => {
  const trail = new LinkTrail(disk);
  deepEqual(await trail.steps('/d/link'), ['/a/link', '/b/file', '/c/real']);
  deepEqual(Object.fromEntries(trail.links), {
    '/d': 'a',
    '/a/link': '../b/file',
    '/b/file': '/c/real',
  });
});

test('a path without links, or with nothing at its end, is its own', async () => {
  const trail = new LinkTrail(disk);
  equal(await trail.realPath('/c/./real'), '/c/real');
  equal(await trail.realPath('/missing//folder/'), '/missing/folder');
  equal(await trail.realPath('/'), '/');
  equal(await trail.realPath('/../..'), '/');
  deepEqual([...trail.links], []);
});

test('what lies above a link is what lies above its target', async () => {
  const trail = new LinkTrail(disk);
  equal(await trail.realPath('/deep/z/../file'), '/deep/x/file');
  equal(await trail.realPath('/deep/x/up'), '/deep/x/file');
});

test('links in a circle, and more than the system follows, lead nowhere', async () => {
  const trail = new LinkTrail(disk);
  equal(await trail.realPath('/circle/a'), undefined);
  deepEqual(await trail.steps('/circle/a/b'), []);
  equal(await trail.realPath('/long/0'), undefined);
  equal(await trail.realPath('/long/2'), '/long/41');
});
