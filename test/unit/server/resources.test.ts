import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { PathScope } from '../../../src/domain/paths/pathScope.ts';
import { rootResources } from '../../../src/server/resources.ts';
import type { RootFolder } from '../../../src/server/roots/rootFolders.ts';
import { inPlace } from '../../support/rootFolder.ts';

test('a root is called as the client calls it, or as its folder is', () => {
  const roots = [folder('/proj/app', 'App'), folder('/proj/app'), folder('/')];
  const resources = rootResources(new PathScope(roots, 'linux'));
  deepEqual(
    resources.map(({ name }) => name),
    ['App', 'app', '/'],
  );
  ok(resources.every(({ mimeType }) => mimeType === 'text/plain'));
});

function folder(path: string, name?: string): RootFolder {
  const common = { uri: '', foldsCase: false, ...inPlace };
  return { ...common, announced: path, real: path, ...(name !== undefined && { name }) };
}
