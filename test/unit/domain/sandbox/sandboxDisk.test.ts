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

test('follows a path link by link, and keeps the links', async () => {
  const trail = new LinkTrail(disk);
  deepEqual(await trail.steps('/d/link'), ['/a/link', '/b/file', '/c/real']);
  deepEqual(Object.fromEntries(trail.links), {
    '/d': 'a',
    '/a/link': '../b/file',
    '/b/file': '/c/real',
  });
});

test('leaves a path without links, or to a missing file, unchanged', async () => {
  const trail = new LinkTrail(disk);
  equal(await trail.realPath('/c/./real'), '/c/real');
  equal(await trail.realPath('/missing//folder/'), '/missing/folder');
  equal(await trail.realPath('/'), '/');
  equal(await trail.realPath('/../..'), '/');
  deepEqual([...trail.links], []);
});

test('takes the parent of a link’s target as the parent of the link', async () => {
  const trail = new LinkTrail(disk);
  equal(await trail.realPath('/deep/z/../file'), '/deep/x/file');
  equal(await trail.realPath('/deep/x/up'), '/deep/x/file');
});

test('ignores circular links and longer chains than the system follows', async () => {
  const trail = new LinkTrail(disk);
  equal(await trail.realPath('/circle/a'), undefined);
  deepEqual(await trail.steps('/circle/a/b'), []);
  equal(await trail.realPath('/long/0'), undefined);
  equal(await trail.realPath('/long/2'), '/long/41');
});

test('follows a link in a shared place only to reachable or system files', async () => {
  const links = fakeSandboxDisk({
    '/bin': '-> usr/bin',
    '/usr/bin/tool': '',
    '/shared/out': '-> /home/u/secret',
    '/shared/round': '-> /home/u/link',
    '/shared/tool': '-> /bin/tool',
    '/shared/in': '-> ./folder/file',
    '/shared/folder/file': '',
    '/shared/up': '-> /home/u',
    '/home/u/secret': '',
    '/home/u/link': '-> /shared/folder/file',
    '/home/u/folder': '-> /shared/folder',
  });
  const trail = new LinkTrail(links, { folders: ['/shared'], reachable: ['/shared'] });
  equal(await trail.realPath('/shared/out'), undefined);
  equal(await trail.realPath('/shared/up/secret'), undefined);
  // And not through a user's link, which would pass for a program of the system.
  equal(await trail.realPath('/shared/round'), undefined);
  equal(await trail.realPath('/shared/tool'), '/usr/bin/tool');
  equal(await trail.realPath('/shared/in'), '/shared/folder/file');
  equal(await trail.realPath('/home/u/folder/file'), '/shared/folder/file');
  const alone = new LinkTrail(links, { folders: ['/shared'], reachable: [] });
  equal(await alone.realPath('/shared/in'), undefined);
  equal(await alone.realPath('/shared/folder/file'), '/shared/folder/file');
});
