import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeThrowAwayFolders } from '../../../../src/mcp/rootsCheck/rootsCheck.ts';

test('the folders are two beside each other, each with a file whose text is its own', async t => {
  const { parent, first, second } = await makeThrowAwayFolders();
  t.after(() => rmSync(parent, { recursive: true }));
  for (const { root, path, file, marker } of [first, second]) {
    assert.equal(fileURLToPath(root.uri), path);
    assert.equal(dirname(path), parent);
    assert.equal(dirname(file), path);
    assert.ok(readFileSync(file, 'utf8').includes(marker));
  }
  assert.notEqual(first.marker, second.marker);
});
