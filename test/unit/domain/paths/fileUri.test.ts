import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileUri } from '../../../../src/domain/paths/fileUri.ts';

const posix: Readonly<Record<string, string>> = {
  '/': 'file:///',
  '/proj': 'file:///proj',
  '/proj/': 'file:///proj',
  '/proj//api//': 'file:///proj/api',
  '/proj/api/../web': 'file:///proj/web',
  '/..': 'file:///',
  '/c:/proj': 'file:///c:/proj',
  // Characters with a meaning in a URI are part of the path.
  '/a b': 'file:///a%20b',
  '/a#b': 'file:///a%23b',
  '/a?b': 'file:///a%3Fb',
  '/100%': 'file:///100%25',
  '/a%2fb': 'file:///a%252fb',
  '/größe/日本': 'file:///gr%C3%B6%C3%9Fe/%E6%97%A5%E6%9C%AC',
  '/line\nbreak': 'file:///line%0Abreak',
  // A backslash is a character of a name, also at its end.
  '/a\\b': 'file:///a%5Cb',
  '/a\\': 'file:///a%5C',
  '/..\\a': 'file:///..%5Ca',
};

const windows: Readonly<Record<string, string>> = {
  'c:\\': 'file:///C:/',
  'c:\\proj': 'file:///C:/proj',
  'C:\\Proj\\': 'file:///C:/Proj',
  'd:/proj/api/': 'file:///D:/proj/api',
  'C:\\proj\\..\\web': 'file:///C:/web',
  'C:\\..\\..': 'file:///C:/',
  'C:\\a%2fb': 'file:///C:/a%252fb',
  // The host of a UNC path is the host of the URI.
  '\\\\server\\share\\proj': 'file://server/share/proj',
  '\\\\server\\share\\proj\\': 'file://server/share/proj',
  '\\\\server.example\\My Share\\a#b': 'file://server.example/My%20Share/a%23b',
  // The root of a share is a root of the file system.
  '\\\\server\\share': 'file://server/share/',
};

test('writes a path as a URI in one spelling, with a final slash only for a root', () => {
  for (const [platform, paths] of [['linux', posix] as const, ['win32', windows] as const]) {
    const uris = Object.keys(paths).map(path => [path, fileUri(path, platform)]);
    assert.deepEqual(Object.fromEntries(uris), paths);
  }
});
