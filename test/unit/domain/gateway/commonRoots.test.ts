import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import {
  commonRoots,
  mostClientRoots,
  type RealRoot,
  readClientRoots,
} from '../../../../src/domain/gateway/commonRoots.ts';
import type { PathPlatform } from '../../../../src/domain/paths/pathNames.ts';
import { sentence } from '../../../../src/domain/sentence.ts';
import { saidBy } from '../../../support/texts.ts';

const api: RealRoot = {
  root: { uri: 'file:///ws/api', name: 'api', hidden: ['/ws/api/keys'] },
  path: '/ws/api',
  real: '/ws/api',
};

/** The target of a path on a disk where only `link` is a link. */
function real(path: string): string {
  return path.replace(/^\/ws\/api\/link(?=\/|$)/, '/outside');
}

/** The part of `api` that the server gets when a client names this root. */
function told(
  uri: unknown,
  roots: readonly RealRoot[] = [api],
  platform: PathPlatform = 'linux',
): string[] {
  const { folders } = readClientRoots({ roots: [{ uri }] }, platform);
  const found = folders.map(one => ({ ...one, found: asIs(real(one.path)) }));
  return commonRoots(roots, found, platform).roots.map(({ uri }) => uri);
}

test('shares nothing outside a root, whatever a client writes', () => {
  const sub = ['file:///ws/api/sub'];
  const spellings: Readonly<Record<string, readonly string[]>> = {
    'file:///ws/api': ['file:///ws/api'],
    'file:///ws': ['file:///ws/api'],
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

test('names a root behind a link, and folders in it, by the root’s own path', () => {
  const linked: RealRoot = {
    root: { uri: 'file:///home/me/api', name: 'api' },
    path: '/home/me/api',
    real: '/ws/api',
  };
  deepEqual(told('file:///ws/api/sub', [linked]), ['file:///home/me/api/sub']);
});

test('names a part of a root after the root, once, without an identity yet', () => {
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

test('names the folders that it leaves out', () => {
  const uris = ['file:///ws/api/..?', 'file:///other', 'file:///gone', 'file:///ws/api/keys'];
  const { folders, leftOut } = readClientRoots({ roots: uris.map(uri => ({ uri })) }, 'linux');
  const gone = { ok: false, reason: 'It is gone.' } as const;
  const found = folders.map(one => ({
    ...one,
    found: one.path === '/gone' ? gone : asIs(one.path),
  }));
  const all = [...leftOut, ...commonRoots([api], found, 'linux').leftOut].map(({ uri }) => uri);
  deepEqual(all, ['file:///ws/api/..?', 'file:///gone', 'file:///other', 'file:///ws/api/keys']);
});

test('tells a client without an answer from a client without roots', () => {
  for (const odd of [undefined, {}, { roots: 'file:///ws/api' }]) {
    equal(readClientRoots(odd, 'linux').leftOut.length, 1);
  }
  deepEqual(readClientRoots({ roots: [] }, 'linux'), { folders: [], leftOut: [] });
});

test('keeps real paths in different letter case apart, and hides folders in any case', () => {
  const path = '/ws/api/inner';
  const inner: RealRoot = { root: { uri: `file://${path}`, name: 'inner' }, path, real: path };
  deepEqual(
    [
      told('file:///ws/API', [inner], 'darwin'),
      told('file:///ws/API/sub', [api], 'darwin'),
      told('file:///ws/api/KEYS', [api], 'darwin'),
    ],
    [[], [], []],
  );
});

function asIs(path: string) {
  return { ok: true, path } as const;
}

test('counts the roots above the limit without a look at them', () => {
  const uris = Array.from({ length: 60_000 }, (_, index) => ({ uri: `file:///ws/api/${index}` }));
  const { folders, leftOut } = readClientRoots({ roots: uris }, 'linux');
  equal(folders.length, mostClientRoots);
  deepEqual(
    leftOut.map(({ uri, reason }) => [uri, saidBy(sentence(reason))]),
    [['', 'commonRoots.readClientRoots.reason(59800)']],
  );
});
