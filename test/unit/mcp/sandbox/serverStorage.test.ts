import assert from 'node:assert/strict';
import { existsSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  homeIn,
  markCopy,
  newCopy,
  ServerStorage,
} from '../../../../src/mcp/sandbox/serverStorage.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

const skip = onlyOn('linux', 'there is no sandbox elsewhere');

test('a removal follows no link that the server swaps in for a folder', {
  skip,
}, async t => {
  const base = tempFolder(t);
  const storage = new ServerStorage(join(base, 'storage'));
  const folder = join(homeIn(await storage.open('a')), 'folder');
  writeTree(base, { 'user/file': '' });
  writeTree(folder, { file: '' });
  const swap = () => {
    if (existsSync(folder)) {
      renameSync(folder, join(base, 'before'));
      symlinkSync(join(base, 'user'), folder);
    }
  };
  // The look at the folder is the last step before its files are removed.
  const { readdir } = fs;
  t.mock.method(fs, 'readdir', async (path: string) => {
    const found = await readdir(path);
    if (found.includes('file')) {
      swap();
    }
    return found;
  });
  syncBuiltinESMExports();
  await storage.remove('a').catch(() => {});
  t.mock.restoreAll();
  syncBuiltinESMExports();
  assert.deepEqual(readdirSync(join(base, 'user')), ['file']);
});

test('recreates a folder that the user deleted', { skip }, async t => {
  const storage = new ServerStorage(tempFolder(t));
  const folder = await storage.open('a');
  rmSync(folder, { recursive: true });
  assert.equal(await storage.open('a'), folder);
  assert.ok(existsSync(homeIn(folder)));
});

test('a file with an old time counts as stored', { skip }, async t => {
  const storage = new ServerStorage(tempFolder(t));
  const copy = await newCopy(await storage.open('a'));
  await markCopy(copy, 'mark', new Date(0));
  const path = 'files/npm/_npx/1/node_modules/s/old';
  writeTree(copy, { [path]: '' });
  await fs.utimes(join(copy, path), 0, 0);
  assert.deepEqual((await storage.stored('a')).beside, ['s/old']);
});
