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

test('takes paths that are absolute or start at the home, and normalizes them', () => {
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

test('names an invalid entry with its setting, and keeps the others', () => {
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

test('forbids the defaults as well while an entry is invalid', () => {
  const read = (value: unknown) =>
    readForbidden(id, { value, fallback: ['/', '~/.ssh'] }, posix).paths;
  assert.deepEqual(
    [read(['/x']), read([]), read(['/x', 'oops']), read('all'), read(undefined)],
    [['/x'], [], ['/x', '/', '/home/me/.ssh'], ['/', '/home/me/.ssh'], ['/', '/home/me/.ssh']].map(
      // By these files a window knows its clients.
      paths => [...paths, '/home/me/.mcp-roots'],
    ),
  );
  for (const value of [['~/.mcp-roots'], null]) {
    const { paths } = readForbidden(id, { value, fallback: [] }, windows);
    assert.deepEqual(paths, ['C:\\Users\\me\\.mcp-roots']);
  }
});

test('globs exclude whole paths with everything below', () => {
  const globs = ['**/secret*', '~/private/*', '/srv/{a,b}/data'];
  const { isExcluded, problems } = readExclusion(id, globs, posix);
  const secrets = ['/proj/secrets', '/proj/secrets/deep/x'];
  const excluded = [...secrets, '/home/me/private/x', '/srv/b/data/x'];
  const others = ['/home/me/private', '/srv/c/data', '/proj/open', '/proj/SECRET'];
  assert.deepEqual([[...excluded, ...others].filter(isExcluded), problems], [excluded, []]);
});

test('on Windows globs match both separators and any letter case', () => {
  const globs = ['**\\Secret', 'D:\\data\\*', '~/private', '\\\\host\\share\\x'];
  const { isExcluded, problems } = readExclusion(id, globs, windows);
  const local = ['C:\\proj\\SECRET\\x', 'd:\\DATA\\a', 'C:\\users\\Me\\Private'];
  const excluded = [...local, '\\\\HOST\\share\\X'];
  const paths = [...excluded, 'E:\\data\\a'];
  assert.deepEqual([paths.filter(isExcluded), problems], [excluded, []]);
});

test('takes glob characters in the name of the home literally', () => {
  const context = { home: '/home/[me]*{a,b}', platform: 'linux' } as const;
  const { isExcluded } = readExclusion(id, ['~/x'], context);
  const paths = ['/home/[me]*{a,b}/x', '/home/m/x', '/home/[me]zb/x'];
  assert.deepEqual(paths.filter(isExcluded), ['/home/[me]*{a,b}/x']);
});

test('names a glob that is invalid or not for a whole path, and excludes nothing by it', () => {
  const given = ['secret', 'a/b', '**/[a', '/../x', '!/x', '', '/', 7];
  const { isExcluded, problems } = readExclusion(id, given, posix);
  assert.equal(isExcluded('/secret/a/b'), false);
  assert.deepEqual(
    problems.map(({ text }) => text.values[1]),
    [undefined, 'secret', 'a/b', '**/[a', '/../x', '!/x', '', '/'],
  );
});
