import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type PathContext,
  readExclusion,
  readForbidden,
  readPaths,
} from '../../../../src/domain/folders/folderSettings.ts';

const posix: PathContext = { home: '/home/me', platform: 'linux' };
const windows: PathContext = { home: 'C:\\Users\\me', platform: 'win32' };
const id = 'mcpRoots.some';

test('paths are absolute or start at the home, and are normalised', () => {
  const given = ['/srv/data/', '~', '~/x', '/a/../b', '/'];
  assert.deepEqual(readPaths(id, given, posix), {
    paths: ['/srv/data', '/home/me', '/home/me/x', '/b', '/'],
    problems: [],
  });
  assert.deepEqual(readPaths(id, ['d:\\data\\', '~\\x', '~/a/b', '/', '\\\\Host\\S\\x'], windows), {
    paths: ['D:\\data', 'C:\\Users\\me\\x', 'C:\\Users\\me\\a\\b', '\\', '\\\\host\\s\\x'],
    problems: [],
  });
});

test('an entry that is none is named with the setting, and costs no other', () => {
  const { paths, problems } = readPaths(id, ['sub/x', '~other', 'C:', '', 5, '/a\0', '/ok'], posix);
  assert.deepEqual(paths, ['/ok']);
  assert.deepEqual(
    problems.map(({ text }) => text.values),
    [[id], [id, 'sub/x'], [id, '~other'], [id, 'C:'], [id, ''], [id, '/a\0']],
  );
  for (const value of [null, 'a', {}, 5, undefined]) {
    assert.equal(readPaths(id, value, posix).problems.length, 1);
  }
});

test('as long as something is not understood, the defaults are forbidden as well', () => {
  const read = (value: unknown) =>
    readForbidden(id, { value, fallback: ['/', '~/.ssh'] }, posix).paths;
  assert.deepEqual(
    [read(['/x']), read([]), read(['/x', 'oops']), read('all'), read(undefined)],
    [['/x'], [], ['/x', '/', '/home/me/.ssh'], ['/', '/home/me/.ssh'], ['/', '/home/me/.ssh']].map(
      paths => [...paths, '/home/me/.mcp-roots'],
    ),
  );
});

test('the files by which a window knows its clients are forbidden whatever the setting says', () => {
  const context = { home: 'C:\\Users\\me', platform: 'win32' } as const;
  for (const value of [[], ['~/.mcp-roots'], null]) {
    assert.deepEqual(readForbidden(id, { value, fallback: [] }, posix).paths, [
      '/home/me/.mcp-roots',
    ]);
    assert.deepEqual(readForbidden(id, { value, fallback: [] }, context).paths, [
      'C:\\Users\\me\\.mcp-roots',
    ]);
  }
});

test('globs exclude whole paths and what lies below', () => {
  const { isExcluded, problems } = readExclusion(
    id,
    ['**/secret*', '~/private/*', '/srv/{a,b}/data'],
    posix,
  );
  const paths = [
    '/proj/secrets',
    '/proj/secrets/deep/x',
    '/home/me/private/x',
    '/home/me/private',
    '/srv/b/data/x',
    '/srv/c/data',
    '/proj/open',
    '/proj/SECRET',
  ];
  assert.deepEqual(problems, []);
  assert.deepEqual(paths.filter(isExcluded), [
    '/proj/secrets',
    '/proj/secrets/deep/x',
    '/home/me/private/x',
    '/srv/b/data/x',
  ]);
});

test('on Windows globs take either separator and any letter case', () => {
  const { isExcluded, problems } = readExclusion(
    id,
    ['**\\Secret', 'D:\\data\\*', '~/private', '\\\\host\\share\\x'],
    windows,
  );
  const paths = [
    'C:\\proj\\SECRET\\x',
    'd:\\DATA\\a',
    'C:\\users\\Me\\Private',
    '\\\\HOST\\share\\X',
    'E:\\data\\a',
  ];
  assert.deepEqual(problems, []);
  assert.deepEqual(paths.filter(isExcluded), paths.slice(0, 4));
});

test('a home with the signs of globs in its name is meant letter by letter', () => {
  const { isExcluded } = readExclusion(id, ['~/x'], {
    home: '/home/[me]*{a,b}',
    platform: 'linux',
  });
  const paths = ['/home/[me]*{a,b}/x', '/home/m/x', '/home/[me]zb/x'];
  assert.deepEqual(paths.filter(isExcluded), ['/home/[me]*{a,b}/x']);
});

test('a glob that is for no whole path, or is none, excludes nothing and is named', () => {
  const given = ['secret', 'a/b', '**/[a', '/../x', '!/x', '', '/', 7];
  const { isExcluded, problems } = readExclusion(id, given, posix);
  assert.equal(isExcluded('/secret/a/b'), false);
  assert.deepEqual(
    problems.map(({ text }) => text.values[1]),
    [undefined, 'secret', 'a/b', '**/[a', '/../x', '!/x', '', '/'],
  );
});
