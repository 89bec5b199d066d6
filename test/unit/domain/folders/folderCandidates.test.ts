import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  offeredPaths,
  pickedFolders,
  sharedFolders,
  type WindowFolders,
} from '../../../../src/domain/folders/folderCandidates.ts';
import type { PathContext } from '../../../../src/domain/folders/folderSettings.ts';
import type { DiskLook } from '../../../../src/domain/folders/folders.ts';
import { foundAsExpected } from '../../../support/cases.ts';

const posix: PathContext = { home: '/home/me', platform: 'linux' };
const there: DiskLook = { disk: 'directory', realPath: undefined, place: '1:2' };

const window: WindowFolders = {
  workspace: [
    { uri: 'vscode-vfs://host/repo', name: 'virtual', path: undefined },
    { uri: 'file:///proj/web', name: 'web', path: '/proj/web' },
    { uri: 'file:///proj/api', name: 'api', path: '/proj/api' },
  ],
  extra: ['/srv/data', '/proj/api'],
};

test('the shared candidates are the workspace folders, then the extra folders, each once', () => {
  const folders = sharedFolders(window, () => there, posix);
  const found = folders.map(({ uri, name, origin, place }) => `${uri} ${name} ${origin} ${place}`);
  assert.deepEqual(found, [
    'vscode-vfs://host/repo virtual workspace undefined',
    'file:///proj/web web workspace 1:2',
    'file:///proj/api api workspace 1:2',
    'file:///srv/data data extra 1:2',
  ]);
});

test('leaves out a candidate before its first look', () => {
  const lookOf = (path: string) => (path === '/proj/api' ? there : undefined);
  const onDisk = { ...window, workspace: window.workspace.slice(1) };
  const [only, ...others] = sharedFolders(onDisk, lookOf, posix);
  assert.deepEqual([only?.path, others], ['/proj/api', []]);
  assert.deepEqual(pickedFolders(['/proj/web'], lookOf, posix), []);
});

test('a folder offered to one server is named by its last name', () => {
  const names = (paths: readonly string[], context: PathContext) =>
    pickedFolders(paths, () => there, context).map(({ name, uri }) => [name, uri]);
  assert.deepEqual(names(['/proj/web/docs'], posix), [['docs', 'file:///proj/web/docs']]);
  assert.deepEqual(names(['/'], posix), [['/', 'file:///']]);
  const windows = { home: 'C:\\', platform: 'win32' } as const;
  assert.deepEqual(names(['c:\\proj\\web\\'], windows), [['web', 'file:///C:/proj/web']]);
});

test('finds folders of a definition by name, by path, and below workspace folders', () => {
  const meant = (...offers: string[]) => offeredPaths(offers, window, posix);
  foundAsExpected({
    'a name': [meant('api'), ['/proj/api']],
    'the name of an extra one': [meant('data'), ['/srv/data']],
    'an absolute path': [meant('/other/x/'), ['/other/x']],
    'from home': [meant('~/x', '~'), ['/home/me/x', '/home/me']],
    'below a named folder': [meant('api/src'), ['/proj/api/src']],
    'below the first': [meant('src/lib', '.'), ['/proj/web/src/lib', '/proj/web']],
    'a name that is no folder': [meant('docs'), ['/proj/web/docs']],
    twice: [meant('api', '/proj/api', './../api'), ['/proj/api']],
    'of somebody else': [meant('~other'), ['/proj/web/~other']],
    'no path at all': [meant('a\0b'), []],
    'no workspace on disk': [offeredPaths(['src'], { workspace: [], extra: [] }, posix), []],
  });
});
