import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fileUri } from '../../../../src/domain/paths/fileUri.ts';
import type { PathPlatform } from '../../../../src/domain/paths/pathNames.ts';

/** The URIs of many paths at once, by path. */
function uris(platform: PathPlatform, paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map(path => [path, fileUri(path, platform)]));
}

test('a POSIX path becomes a URI without a trailing slash, except the root', () => {
  const expected = {
    '/': 'file:///',
    '//': 'file:///',
    '/proj': 'file:///proj',
    '/proj/': 'file:///proj',
    '/proj//api//': 'file:///proj/api',
    '/proj/api/../web': 'file:///proj/web',
    '/proj/./api/.': 'file:///proj/api',
    '/..': 'file:///',
  };
  assert.deepEqual(uris('linux', Object.keys(expected)), expected);
});

test('a Windows path becomes a URI with an upper-case drive letter and no trailing slash', () => {
  const expected = {
    'c:\\': 'file:///C:/',
    'C:\\': 'file:///C:/',
    'c:/': 'file:///C:/',
    'c:\\proj': 'file:///C:/proj',
    'C:\\Proj\\': 'file:///C:/Proj',
    'd:/proj/api/': 'file:///D:/proj/api',
    'C:\\proj\\..\\web': 'file:///C:/web',
    'C:\\..\\..': 'file:///C:/',
  };
  assert.deepEqual(uris('win32', Object.keys(expected)), expected);
});

test('a UNC path keeps its host as the host of the URI', () => {
  const expected = {
    '\\\\server\\share\\proj': 'file://server/share/proj',
    '\\\\server\\share\\proj\\': 'file://server/share/proj',
    '\\\\server.example\\My Share\\a#b': 'file://server.example/My%20Share/a%23b',
    '\\\\wsl.localhost\\Distro\\home\\me': 'file://wsl.localhost/Distro/home/me',
    // The root of a share is a root of the file system.
    '\\\\server\\share': 'file://server/share/',
  };
  assert.deepEqual(uris('win32', Object.keys(expected)), expected);
});

test('characters with a meaning in a URI are encoded, so that they are part of the path', () => {
  const expected = {
    '/a b': 'file:///a%20b',
    '/a#b': 'file:///a%23b',
    '/a?b': 'file:///a%3Fb',
    '/100%': 'file:///100%25',
    '/a%2fb': 'file:///a%252fb',
    '/größe/日本': 'file:///gr%C3%B6%C3%9Fe/%E6%97%A5%E6%9C%AC',
    '/line\nbreak': 'file:///line%0Abreak',
  };
  assert.deepEqual(uris('linux', Object.keys(expected)), expected);
  assert.deepEqual(uris('win32', ['C:\\a b', 'C:\\a#b', 'C:\\a%2fb', 'C:\\größe']), {
    'C:\\a b': 'file:///C:/a%20b',
    'C:\\a#b': 'file:///C:/a%23b',
    'C:\\a%2fb': 'file:///C:/a%252fb',
    'C:\\größe': 'file:///C:/gr%C3%B6%C3%9Fe',
  });
});

test('a backslash in a POSIX name is a character of the name, also at its end', () => {
  assert.deepEqual(uris('linux', ['/a\\b', '/a\\', '/a\\/', '/..\\a']), {
    '/a\\b': 'file:///a%5Cb',
    '/a\\': 'file:///a%5C',
    '/a\\/': 'file:///a%5C',
    '/..\\a': 'file:///..%5Ca',
  });
});

test('a POSIX name that looks like a drive stays as it is', () => {
  assert.equal(fileUri('/c:/proj', 'linux'), 'file:///c:/proj');
});

test('the URI reads back as the path', () => {
  const posix = ['/', '/a b', '/100%', '/a%2fb', '/a\\b', '/größe', '/a#?b', '/~me'];
  const windows = ['C:\\', 'C:\\a b', 'C:\\a%2fb', 'C:\\größe', '\\\\server\\share\\a'];
  const back = (uri: string, isWindows: boolean) => fileURLToPath(uri, { windows: isWindows });
  assert.deepEqual(
    posix.map(path => back(fileUri(path, 'linux'), false)),
    posix,
  );
  assert.deepEqual(
    windows.map(path => back(fileUri(path, 'win32'), true)),
    windows,
  );
});
