import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskFolder, type Folder } from '../../../src/domain/folders/folders.ts';
import { sameRoots, toRoots } from '../../../src/domain/roots.ts';
import { foundAsExpected } from '../../support/cases.ts';

function folder(path: string, name = path.split('/').at(-1) ?? '') {
  return diskFolder(path, name, 'directory', 'linux');
}

test('folders become roots in their order, with nothing but a URI and a name', () => {
  assert.deepEqual(toRoots([folder('/proj/web'), folder('/proj/api', 'The API')]), [
    { uri: 'file:///proj/web', name: 'web' },
    { uri: 'file:///proj/api', name: 'The API' },
  ]);
  assert.deepEqual(toRoots([]), []);
});

test('tells equal names apart by their parents, and keeps the others', () => {
  const names = (...folders: readonly Folder[]) => toRoots(folders).map(({ name }) => name);
  const onWindows = ['C:\\x\\one\\api', 'D:\\y\\one\\api'].map(path =>
    diskFolder(path, 'api', 'directory', 'win32'),
  );
  foundAsExpected({
    'by a parent': [
      names(folder('/one/api'), folder('/two/api'), folder('/one/web')),
      ['api (one)', 'api (two)', 'web'],
    ],
    'by more of them': [
      names(folder('/a/src/api'), folder('/b/src/api'), folder('/b/lib/api')),
      ['api (a/src)', 'api (b/src)', 'api (lib)'],
    ],
    'by no parent': [
      names(folder('/api'), folder('/one/api'), folder('/x', 'api')),
      ['api (/api)', 'api (one)', 'api (/x)'],
    ],
    'where another has that name': [
      names(folder('/one/api'), folder('/two/api'), folder('/x', 'api (one)')),
      ['api (/one/api)', 'api (two)', 'api (one)'],
    ],
    'on Windows': [names(...onWindows), ['api (x/one)', 'api (y/one)']],
  });
});

test('treats lists of roots as equal when a server would read the same', () => {
  const web = { uri: 'file:///web', name: 'web' };
  const api = { uri: 'file:///api', name: 'api' };
  foundAsExpected({
    'no roots': [sameRoots([], []), true],
    'equal values': [sameRoots([web, api], [{ ...web }, { ...api }]), true],
    'another order': [sameRoots([web, api], [api, web]), false],
    'another name': [sameRoots([web], [{ ...web, name: 'site' }]), false],
    'another URI': [sameRoots([web], [{ ...web, uri: 'file:///site' }]), false],
    'another folder': [sameRoots([{ ...web, folder: '1:2' }], [{ ...web, folder: '1:3' }]), false],
    'one more': [sameRoots([web], [web, api]), false],
    'one less': [sameRoots([web, api], [web]), false],
  });
});
