import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskFolder } from '../../../src/domain/folders/folders.ts';
import { sameRoots, toRoots } from '../../../src/domain/roots.ts';
import { foundAsExpected } from '../../support/cases.ts';

function folder(path: string, name = path.split('/').at(-1) ?? '') {
  return diskFolder(path, name, 'directory', 'linux');
}

function names(...folders: ReturnType<typeof folder>[]): string[] {
  return toRoots(folders).map(({ name }) => name);
}

test('folders become roots in their order, with nothing but a URI and a name', () => {
  assert.deepEqual(toRoots([folder('/proj/web'), folder('/proj/api', 'The API')]), [
    { uri: 'file:///proj/web', name: 'web' },
    { uri: 'file:///proj/api', name: 'The API' },
  ]);
  assert.deepEqual(toRoots([]), []);
});

test('equal names are told apart by the parent folder, other names stay as they are', () => {
  assert.deepEqual(names(folder('/one/api'), folder('/two/api'), folder('/one/web')), [
    'api (one)',
    'api (two)',
    'web',
  ]);
});

test('equal names below equal parents are told apart by as many parents as that takes', () => {
  assert.deepEqual(names(folder('/a/src/api'), folder('/b/src/api'), folder('/b/lib/api')), [
    'api (a/src)',
    'api (b/src)',
    'api (lib)',
  ]);
});

test('equal names that no parent tells apart carry their path', () => {
  assert.deepEqual(names(folder('/api'), folder('/one/api'), folder('/x', 'api')), [
    'api (/api)',
    'api (one)',
    'api (/x)',
  ]);
});

test('a name made distinct is not the name of another folder', () => {
  assert.deepEqual(names(folder('/one/api'), folder('/two/api'), folder('/x', 'api (one)')), [
    'api (/one/api)',
    'api (two)',
    'api (one)',
  ]);
});

test('Windows paths are told apart by their parents, too', () => {
  const roots = toRoots([
    diskFolder('C:\\x\\one\\api', 'api', 'directory', 'win32'),
    diskFolder('D:\\y\\one\\api', 'api', 'directory', 'win32'),
  ]);
  assert.deepEqual(roots, [
    { uri: 'file:///C:/x/one/api', name: 'api (x/one)' },
    { uri: 'file:///D:/y/one/api', name: 'api (y/one)' },
  ]);
});

test('lists of roots are the same when a server would read the same', () => {
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
