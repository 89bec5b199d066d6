import assert from 'node:assert/strict';
import { it, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fileUri, type PathStyle, readUriList } from '../../../../src/domain/paths/fileUri.ts';

/** The URIs of many paths at once, by path. */
function uris(style: PathStyle, paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map(path => [path, fileUri(path, style)]));
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
  assert.deepEqual(uris('posix', Object.keys(expected)), expected);
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
  assert.deepEqual(uris('windows', Object.keys(expected)), expected);
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
  assert.deepEqual(uris('windows', Object.keys(expected)), expected);
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
  assert.deepEqual(uris('posix', Object.keys(expected)), expected);
  assert.deepEqual(uris('windows', ['C:\\a b', 'C:\\a#b', 'C:\\a%2fb', 'C:\\größe']), {
    'C:\\a b': 'file:///C:/a%20b',
    'C:\\a#b': 'file:///C:/a%23b',
    'C:\\a%2fb': 'file:///C:/a%252fb',
    'C:\\größe': 'file:///C:/gr%C3%B6%C3%9Fe',
  });
});

test('a backslash in a POSIX name is a character of the name, also at its end', () => {
  assert.deepEqual(uris('posix', ['/a\\b', '/a\\', '/a\\/', '/..\\a']), {
    '/a\\b': 'file:///a%5Cb',
    '/a\\': 'file:///a%5C',
    '/a\\/': 'file:///a%5C',
    '/..\\a': 'file:///..%5Ca',
  });
});

test('a POSIX name that looks like a drive stays as it is', () => {
  assert.equal(fileUri('/c:/proj', 'posix'), 'file:///c:/proj');
});

test('the URI reads back as the path', () => {
  const posix = ['/', '/a b', '/100%', '/a%2fb', '/a\\b', '/größe', '/a#?b', '/~me'];
  const windows = ['C:\\', 'C:\\a b', 'C:\\a%2fb', 'C:\\größe', '\\\\server\\share\\a'];
  const back = (uri: string, isWindows: boolean) => fileURLToPath(uri, { windows: isWindows });
  assert.deepEqual(
    posix.map(path => back(fileUri(path, 'posix'), false)),
    posix,
  );
  assert.deepEqual(
    windows.map(path => back(fileUri(path, 'windows'), true)),
    windows,
  );
});

it('a list of URIs has one a line, whatever ends the lines, and comments are none', () => {
  const text = '# dragged\r\nfile:///proj/api\r\n\r\nfile:///proj/a%20b\nfile:///proj/web#top';
  assert.deepEqual(readUriList(text), [
    'file:///proj/api',
    'file:///proj/a%20b',
    'file:///proj/web#top',
  ]);
  assert.deepEqual(readUriList(''), []);
});
