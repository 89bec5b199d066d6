import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeThrowAwayFolders } from '../../../../src/mcp/rootsCheck/rootsCheck.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

test('the folders are two, each with a file whose text is its own, and both are gone in the end', async () => {
  const { first, second, remove } = await makeThrowAwayFolders();
  for (const { root, path, file, marker } of [first, second]) {
    assert.equal(fileURLToPath(root.uri), path);
    assert.equal(dirname(file), path);
    assert.ok(readFileSync(file, 'utf8').includes(marker));
  }
  assert.notEqual(first.marker, second.marker);
  await remove();
  assert.equal(existsSync(dirname(first.path)), false);
});

test('what a server left in the folders goes with them, and what its links lead to stays', async t => {
  const kept = tempFolder(t);
  writeTree(kept, { 'kept.txt': 'kept' });
  const { first, removeNow } = await makeThrowAwayFolders();
  symlinkSync(kept, join(first.path, 'link'), 'junction');
  writeFileSync(join(first.path, 'left.txt'), 'left');
  removeNow();
  assert.equal(existsSync(dirname(first.path)), false);
  assert.equal(readFileSync(join(kept, 'kept.txt'), 'utf8'), 'kept');
});
