import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { test } from 'node:test';
import type { PathPlatform } from '../../src/domain/paths/pathNames.ts';
import { PathScope } from '../../src/domain/paths/pathScope.ts';
import { pageOf, rootResources } from '../../src/server/resources/rootResources.ts';
import type { RootFolder } from '../../src/server/roots/rootFolders.ts';

test('a root has one URI, however it was sent', () => {
  deepEqual(urisOf('linux', '/proj/app', '/proj/a b#c', '/'), [
    'file:///proj/app',
    'file:///proj/a%20b%23c',
    'file:///',
  ]);
  deepEqual(urisOf('win32', 'C:\\proj\\app', 'C:\\', '\\\\server\\share\\app'), [
    'file:///C:/proj/app',
    'file:///C:/',
    'file://server/share/app',
  ]);
});

test('a root is called as the client calls it, or as its folder is', () => {
  const roots = [folder('/proj/app', 'App'), folder('/proj/app'), folder('/')];
  const resources = rootResources(new PathScope(roots, 'linux'));
  deepEqual(
    resources.map(({ name }) => name),
    ['App', 'app', '/'],
  );
  ok(resources.every(({ mimeType }) => mimeType === 'text/plain'));
});

test('pages that follow each other are the whole list', () => {
  const roots = Array.from({ length: 1001 }, (_, index) => folder(`/proj/${index}`));
  const all = rootResources(new PathScope(roots, 'linux'));
  const found: object[] = [];
  let cursor: string | undefined;
  do {
    const page = pageOf(all, cursor);
    found.push(...page.resources);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  deepEqual(found, all);
  equal(pageOf(all, '5000').resources.length, 0);
  throws(() => pageOf(all, 'next'), /There is no such cursor/);
});

function urisOf(platform: PathPlatform, ...paths: readonly string[]): string[] {
  const scope = new PathScope(
    paths.map(path => folder(path)),
    platform,
  );
  return rootResources(scope).map(({ uri }) => uri);
}

function folder(path: string, name?: string): RootFolder {
  const common = { uri: '', foldsCase: false, device: 0n, inode: 0n };
  return { ...common, announced: path, real: path, ...(name !== undefined && { name }) };
}
