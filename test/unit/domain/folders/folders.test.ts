import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskFolder, uniqueFolders } from '../../../../src/domain/folders/folders.ts';

test('a folder on disk is known by its canonical URI and keeps its name and path', () => {
  assert.deepEqual(diskFolder('c:\\proj\\api\\', 'API', 'directory', 'win32'), {
    uri: 'file:///C:/proj/api',
    name: 'API',
    path: 'c:\\proj\\api\\',
    disk: 'directory',
    origin: 'workspace',
    realPath: undefined,
    place: undefined,
  });
});

test('a folder that is there twice counts once, in the place and under the name of the first', () => {
  const web = diskFolder('/proj/web', 'web', 'directory', 'linux');
  const api = diskFolder('/proj/api', 'api', 'directory', 'linux');
  const again = diskFolder('/proj/web/', 'other name', 'missing', 'linux');
  assert.deepEqual(uniqueFolders([web, api, again, web]), [web, api]);
});
