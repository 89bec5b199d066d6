import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listTree, type TreeRequest, walkTree } from '../../../../src/server/listing/listTree.ts';
import { FolderTree } from '../../../../src/server/search/folderTree.ts';
import { effort } from '../../../support/effort.ts';
import { good, secret, startSwapping } from '../../../support/swapper.ts';
import { onlyOn, skipLinks } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';
import { scopeOver } from '../../../support/writing.ts';

const skip = onlyOn('linux', 'other systems pin folders in other ways');
const all: TreeRequest = { depth: 20, offset: 0, limit: 1000, details: false };

const links = { skip: skipLinks };
test('lists a folder before its contents, and follows no links', links, async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'b/c/d.txt': '', 'b/a.txt': '', 'a.txt': '', 'c/': '', 'b.txt': '' });
  symlinkSync('b', join(folder, 'b/link'));
  const names = ['a.txt', 'b', 'b/a.txt', 'b/c', 'b/c/d.txt', 'b/link', 'b.txt', 'c'];
  deepEqual(await namesBelow(folder, all), names);
  deepEqual(
    await namesBelow(folder, { ...all, depth: 2 }),
    names.filter(name => name !== 'b/c/d.txt'),
  );
});

test('consecutive parts make up the whole tree', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'b/c/d.txt': '', 'b/a.txt': '', 'a.txt': '', 'c/x/y/z': '', 'b.txt': '' });
  const whole = await namesBelow(folder, all);
  for (const limit of [1, 2, 3, 9, 10, 11]) {
    const names: string[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const part = await list(folder, { ...all, offset, limit });
      names.push(...(part?.entries.map(({ name }) => name) ?? []));
      ok(part?.nextOffset === undefined || part.nextOffset === offset + limit);
      offset = part?.nextOffset;
    }
    deepEqual(names, whole, `in parts of ${limit}`);
  }
  equal(whole?.length, 10);
});

test('ends a part with long paths before its answer becomes too long', async t => {
  const folder = tempFolder(t);
  const deep = Array.from({ length: 12 }, () => 'x'.repeat(200)).join('/');
  writeTree(
    folder,
    Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${deep}/${n}`, ''])),
  );
  const part = await list(folder, all);
  const length = part?.entries.reduce((sum, { name }) => sum + name.length, 0) ?? 0;
  ok(length > 390_000 && length <= 400_000, `${length}`);
  const rest = await list(folder, { ...all, offset: part?.nextOffset ?? 0 });
  equal((part?.entries.length ?? 0) + (rest?.entries.length ?? 0), 312);
  equal(rest?.nextOffset, undefined);
});

test('gives details of each entry, in any folder', async t => {
  const folder = tempFolder(t, { 'a/1': '1', 'a/b/22': '22', 'a/z': 'zzz', '4': '4444' });
  const tree = await list(folder, { ...all, details: true });
  const sizes = tree?.entries.map(({ name, size }) => `${name} ${size}`);
  deepEqual(sizes, ['4 4', 'a undefined', 'a/1 1', 'a/b undefined', 'a/b/22 2', 'a/z 3']);
  ok(tree?.entries.every(({ modified }) => modified !== undefined));
});

test('reports a folder as unread when it is replaced during the walk', { skip }, t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'root/a/inside.txt': '', 'root/b/inside.txt': '', 'secret/key': '' });
  const root = join(folder, 'root');
  const walk = walkTree(new FolderTree(scopeOver(root), root), { depth: 5 }) ?? [];
  // Both were seen as folders when the walk began; now one leads out, and the other to the first.
  renameSync(join(root, 'a'), join(root, 'kept'));
  symlinkSync(join(folder, 'secret'), join(root, 'a'));
  renameSync(join(root, 'b'), join(folder, 'b'));
  symlinkSync(join(root, 'kept'), join(root, 'b'));
  const read = [...walk].map(({ entry, isUnread }) => `${entry.name} ${isUnread}`);
  deepEqual(read, ['a true', 'b true']);
});

test('lists nothing from outside when a folder is swapped', { skip }, async t => {
  const { root } = await startSwapping(t);
  const seen = new Set<string>();
  const wanted = [`sub/key file ${good.length} `, 'sub link false '];
  const isMissing = () => wanted.some(line => !seen.has(line));
  // On a busy machine the attacker may not get its turn at once: it is waited for, not assumed.
  for (let round = 0; round < 500 * effort || (isMissing() && round < 500_000); round++) {
    const tree = await list(root, { ...all, details: true });
    for (const { name, type, size, isUnread } of tree?.entries ?? []) {
      const isKept = name.startsWith('sub-kept');
      const shown = isKept ? '' : [name, type, type === 'file' && size, isUnread].join(' ');
      seen.add(shown);
    }
  }
  ok(good.length !== secret.length);
  const possible = [
    '',
    'sub directory false ',
    'sub directory false true',
    ...wanted,
    // The file was gone again when its details were looked for.
    'sub/key file  ',
  ];
  const strange = [...seen].filter(line => !possible.includes(line));
  deepEqual(strange, []);
  ok(!isMissing());
});

test('ends a cancelled walk at its next pause', async t => {
  const folder = tempFolder(t);
  writeTree(folder, Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`${n}/x`, ''])));
  const cancelled = new AbortController();
  const call = {
    scope: scopeOver(folder),
    signal: cancelled.signal,
    progress: () => cancelled.abort(new Error('enough')),
  };
  await rejects(listTree(folder, { ...all, limit: 10_000 }, call), /enough/);
});

test('fails when the top folder is gone', async t => {
  const folder = tempFolder(t, { 'root/': '' });
  const call = callIn(join(folder, 'root'));
  renameSync(join(folder, 'root'), join(folder, 'moved'));
  equal(await listTree(join(folder, 'root'), all, call), undefined);
});

async function namesBelow(folder: string, request: TreeRequest) {
  return (await list(folder, request))?.entries.map(({ name }) => name);
}

function list(folder: string, request: TreeRequest) {
  return listTree(folder, request, callIn(folder));
}

function callIn(folder: string) {
  return { scope: scopeOver(folder), signal: new AbortController().signal, progress: () => {} };
}
