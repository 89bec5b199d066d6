import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import {
  commonRoots,
  mostClientRoots,
  type RealRoot,
  readClientRoots,
} from '../../../../src/domain/gateway/commonRoots.ts';

const api: RealRoot = {
  root: { uri: 'file:///ws/api', name: 'api', hidden: ['/ws/api/keys'] },
  path: '/ws/api',
  real: '/ws/api',
};

/** Where a disk leads from a path on which only `link` is a link. */
function real(path: string): string {
  return path.replace(/^\/ws\/api\/link(?=\/|$)/, '/outside');
}

/** What the server is told of `api` when a client names this root. */
function told(uri: unknown, roots: readonly RealRoot[] = [api]): string[] {
  const { folders } = readClientRoots({ roots: [{ uri }] }, 'linux');
  const found = folders.map(one => ({ ...one, found: asIs(real(one.path)) }));
  return commonRoots(roots, found, 'linux').roots.map(({ uri }) => uri);
}

test('whatever a client writes, a server is told of nothing that is not in a root', () => {
  const inside = { 'file:///ws/api': ['file:///ws/api'], 'file:///ws': ['file:///ws/api'] };
  const sub = ['file:///ws/api/sub'];
  const spellings: Readonly<Record<string, readonly string[]>> = {
    ...inside,
    'file:///': ['file:///ws/api'],
    'file:///ws/api/': ['file:///ws/api'],
    'file:///ws/api/sub': sub,
    'FILE:///ws/api/sub': sub,
    'file:/ws/api/sub': sub,
    'file:///ws//api///sub/': sub,
    'file:///ws/api/./sub': sub,
    'file:///ws/api/%73ub': sub,
    'file:///ws/api/x/../sub': sub,
    'file://localhost/ws/api/sub': sub,
    'file:///ws/api/sub%20a': ['file:///ws/api/sub%20a'],
    'file:///ws/api/%2573ub': ['file:///ws/api/%2573ub'],
    'file:///ws/api/..': ['file:///ws/api'],
    'file:///ws/api/../api': ['file:///ws/api'],
    'file:///ws/api/.\t./outside': [],
    'file:///ws/api/.\n./outside': [],
    'file:///ws/api/.\r./outside': [],
    'file:///ws/api/..\t/outside': [],
    'file:///ws/api/..?': [],
    'file:///ws/api/..#x': [],
    'file:///ws/api?/../../outside': [],
    'file:///ws/api#/../../outside': [],
    'file:///ws/api/../outside': [],
    'file:///ws/api/%2e%2e/outside': [],
    'file:///ws/api/.%2E/outside': [],
    'file:///ws/api/..%2foutside': [],
    'file:///ws/api/..%5coutside': ['file:///ws/api/..%5Coutside'],
    'file:///ws/api/..\\outside': [],
    'file:\\\\\\ws\\api': [],
    'file:///ws/api/link': [],
    'file:///ws/api/link/sub': [],
    'file:///ws/api/keys': [],
    'file:///ws/api/keys/one': [],
    'file:///ws/apis': [],
    'file:///ws/API': [],
    'file:///ws/ap': [],
    'file:///outside': [],
    'file://elsewhere/ws/api': [],
    'file://ws/api': [],
    'file:ws/api': [],
    'file:///ws/api%00/../outside': [],
    'file:///ws/api/%': [],
    'file:///ws/api ': [],
    ' file:///ws/api': [],
    'file:///ws/api\u0000': [],
    'http://localhost/ws/api': [],
    'vscode-remote://x/ws/api': [],
    '/ws/api': [],
    '': [],
  };
  const seen = Object.fromEntries(Object.keys(spellings).map(uri => [uri, told(uri)]));
  deepEqual(seen, spellings);
  for (const odd of [undefined, null, 7, {}, ['file:///ws/api']]) {
    deepEqual(told(odd), []);
  }
});

test('a root that is reached by a link is told by its own path, and so is what lies in it', () => {
  const linked: RealRoot = {
    root: { uri: 'file:///home/me/api', name: 'api' },
    path: '/home/me/api',
    real: '/ws/api',
  };
  deepEqual(told('file:///ws/api/sub', [linked]), ['file:///home/me/api/sub']);
});

test('a part of a root has its name, is in no list twice, and says no folder of its own yet', () => {
  const pinned: RealRoot = { ...api, root: { ...api.root, folder: '1:2' } };
  const uris = ['file:///ws/api/a/b', 'file:///ws/api/a/./b', 'file:///ws/api'];
  const { folders } = readClientRoots({ roots: uris.map(uri => ({ uri })) }, 'linux');
  const found = folders.map(one => ({ ...one, found: asIs(one.path) }));
  deepEqual(
    commonRoots([pinned], found, 'linux').roots.map(({ uri, name, folder }) => [uri, name, folder]),
    [
      ['file:///ws/api', 'api', '1:2'],
      ['file:///ws/api/a/b', 'api/a/b', undefined],
    ],
  );
});

test('what is left out is named with its reason', () => {
  const uris = ['file:///ws/api/..?', 'file:///other', 'file:///gone', 'file:///ws/api/keys'];
  const { folders, leftOut } = readClientRoots({ roots: uris.map(uri => ({ uri })) }, 'linux');
  const found = folders.map(one => ({
    ...one,
    found: one.path === '/gone' ? { ok: false as const, reason: 'It is gone.' } : asIs(one.path),
  }));
  deepEqual(
    [...leftOut, ...commonRoots([api], found, 'linux').leftOut].map(({ uri }) => uri),
    ['file:///ws/api/..?', 'file:///gone', 'file:///other', 'file:///ws/api/keys'],
  );
});

test('a client that does not say which roots it has is told apart from one that has none', () => {
  for (const odd of [undefined, {}, { roots: 'file:///ws/api' }]) {
    equal(readClientRoots(odd, 'linux').leftOut.length, 1);
  }
  deepEqual(readClientRoots({ roots: [] }, 'linux'), { folders: [], leftOut: [] });
});

test('real paths that differ in letter case are two folders, and what is hidden is so in any case', () => {
  const among = (uri: string, root: RealRoot) => {
    const { folders } = readClientRoots({ roots: [{ uri }] }, 'darwin');
    const found = folders.map(one => ({ ...one, found: asIs(one.path) }));
    return commonRoots([root], found, 'darwin').roots.map(one => one.uri);
  };
  const inner: RealRoot = { ...api, root: { uri: 'file:///ws/api/inner', name: 'inner' } };
  deepEqual(
    among('file:///ws/API', { ...inner, path: '/ws/api/inner', real: '/ws/api/inner' }),
    [],
  );
  deepEqual(among('file:///ws/API/sub', api), []);
  deepEqual(among('file:///ws/api/KEYS', api), []);
});

function asIs(path: string) {
  return { ok: true, path } as const;
}

test('of more roots than a client has, the rest is not looked at, and counted', () => {
  const uris = Array.from({ length: 60_000 }, (_, index) => ({ uri: `file:///ws/api/${index}` }));
  const { folders, leftOut } = readClientRoots({ roots: uris }, 'linux');
  equal(folders.length, mostClientRoots);
  deepEqual(leftOut, [{ uri: '', reason: '59800 more were not looked at.' }]);
});
