import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import fc from 'fast-check';
import { TimeSlice } from '../../../../src/base/timeSlice.ts';
import { FolderTree } from '../../../../src/server/search/folderTree.ts';
import { readFiles } from '../../../../src/server/search/readFiles.ts';
import { prepareSearch, walk } from '../../../../src/server/search/search.ts';
import { SearchFilter } from '../../../../src/server/search/searchFilter.ts';
import { effort } from '../../../support/effort.ts';
import { pins, skipPins } from '../../../support/pins.ts';
import { atEnd } from '../../../support/processes.ts';
import { find } from '../../../support/searching.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';
import { scopeOver } from '../../../support/writing.ts';

const skipLinks = onlyOn('posix', 'links need a privilege elsewhere');
const request = { path: '.', include: [], exclude: [], includeIgnored: false, limit: 9, offset: 0 };

function callIn(folder: string) {
  return { scope: scopeOver(folder), signal: new AbortController().signal, progress: () => {} };
}

/** A tree of that many empty files, ten in a folder. */
function manyFiles(count: number): Record<string, string> {
  const name = (file: number) => `${file % 7}/${Math.floor(file / 10)}/${file}.txt`;
  return Object.fromEntries(Array.from({ length: count }, (_, file) => [name(file), '']));
}

test('lists the files of a folder by name, then those in its folders', async t => {
  const folder = tempFolder(t);
  const files = ['B', 'Z/a', 'Z/b/c', 'Z/z', 'a', 'a-b/x', 'a/x', 'ab/x', 'c', 'é'];
  writeTree(folder, Object.fromEntries(files.filter(file => file !== 'a').map(file => [file, ''])));
  const found = await find({ scope: scopeOver(folder) }, '*');
  const ordered = ['B', 'c', 'é', 'Z/a', 'Z/z', 'Z/b/c', 'a/x', 'a-b/x', 'ab/x'];
  assert.deepEqual(found, { path: folder, files: ordered, isCut: false, unreadable: 0 });
});

test('pages of any size together are the whole', async t => {
  const folder = tempFolder(t, manyFiles(200));
  const scope = scopeOver(folder);
  const { files: all } = await find({ scope }, '*[1-8].txt');
  assert.equal(all.length, 160);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 200 }), async limit => {
      const pages: string[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const page = await find({ scope }, '*[1-8].txt', { limit, offset });
        assert.ok(page.files.length <= limit);
        pages.push(...page.files);
        offset = page.nextOffset;
      }
      assert.deepEqual(pages, all);
    }),
    { numRuns: 5 * effort },
  );
  assert.deepEqual((await find({ scope }, '*', { offset: 1000 })).files, []);
});

test('keeps an answer below a megabyte, and says where to go on', async t => {
  const folder = tempFolder(t);
  const long = 'n'.repeat(200);
  const files = Array.from({ length: 3000 }, (_, file) => [`${long}/${file}-${long}`, '']);
  writeTree(folder, Object.fromEntries(files));
  const scope = scopeOver(folder);
  const first = await find({ scope }, '*');
  assert.ok(JSON.stringify(first.files).length < 400_000);
  assert.equal(first.nextOffset, first.files.length);
  const next = await find({ scope }, '*', { offset: first.files.length });
  assert.equal(
    new Set([...first.files, ...next.files]).size,
    first.files.length + next.files.length,
  );
});

test('leaves out excluded files, and folders with all their contents', async t => {
  const folder = tempFolder(t, { 'a/b/c.ts': '', 'a/d.ts': '', 'b/c.js': '', 'e.ts': '' });
  const scope = scopeOver(folder);
  const without = async (...exclude: string[]) => (await find({ scope }, '*', { exclude })).files;
  assert.deepEqual(
    [await without('b'), await without('/b/'), await without('*.ts'), await without('a', 'e.ts')],
    [['e.ts', 'a/d.ts'], ['e.ts', 'a/d.ts', 'a/b/c.ts'], ['b/c.js'], ['b/c.js']],
  );
});

test('follows no links, and lists no pipes', { skip: skipLinks }, async t => {
  const folder = tempFolder(t, { 'outside/a.txt': '', 'root/in/b.txt': '', 'root/in/c/d.txt': '' });
  const root = join(folder, 'root');
  symlinkSync(join(folder, 'outside'), join(root, 'out'));
  symlinkSync(join(root, 'in'), join(root, 'again'));
  symlinkSync(join(root, 'in', 'b.txt'), join(root, 'link.txt'));
  symlinkSync('.', join(root, 'in', 'c', 'circle'));
  execFileSync('mkfifo', [join(root, 'pipe.txt')]);
  const scope = scopeOver(root);
  const found = await find({ scope }, '*');
  assert.deepEqual([found.files, found.unreadable], [['in/b.txt', 'in/c/d.txt'], 0]);
  // A link that stays inside may be searched when it is named itself: it is a folder of a root.
  assert.deepEqual((await find({ scope }, '*', { path: 'again' })).path, join(root, 'in'));
});

for (const [name, pin] of Object.entries(pins)) {
  test(`${name} finds and reads the same`, { skip: skipPins }, async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a/b.txt': 'b', 'a/.gitignore': 'c.txt', 'a/c.txt': '', 'd.txt': 'd' });
    symlinkSync('d.txt', join(folder, 'link.txt'));
    const before = readdirSync('/proc/self/fd').length;
    const cwd = process.cwd();
    atEnd(t, () => process.chdir(cwd));
    const tree = new FolderTree(scopeOver(folder), folder, pin);
    const wanted = { folder: [], include: undefined, exclude: undefined, includesIgnored: false };
    const counts = { files: 0, unreadable: 0, unsearched: 0 };
    const slice = new TimeSlice(new AbortController().signal, { limit: 60_000 });
    const search = { filter: new SearchFilter(tree, wanted), slice, counts };
    const files = walk(search);
    const read: string[] = [];
    for await (const batch of readFiles(search, files)) {
      read.push(
        ...batch.files.map(({ folder, name }) => [...folder, name].join('/')),
        `${batch.bytes}`,
      );
    }
    assert.deepEqual(read, ['d.txt', 'a/.gitignore', 'a/b.txt', 'd\nc.txt\nb\n']);
    const opened = tree.visit([], top =>
      ['link.txt', 'a', 'none'].map(name => tree.open(top, name)),
    );
    assert.deepEqual(opened, [undefined, undefined, undefined]);
    assert.equal(tree.list(['none']), undefined);
    assert.equal(tree.list(['d.txt']), undefined);
    assert.equal(readdirSync('/proc/self/fd').length, before);
  });
}

test('counts a file with a name that is not text, since no path can name it', {
  skip: onlyOn('linux', 'other systems have no such names'),
}, async t => {
  const folder = tempFolder(t, { 'a\ufffd': '', b: '' });
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/c`), Buffer.from([0xff])]), '');
  const found = await find({ scope: scopeOver(folder) }, '*');
  assert.deepEqual([found.files, found.unreadable], [['a\ufffd', 'b'], 1]);
});

test('refuses a path that is outside, missing or a file', { skip: skipLinks }, async t => {
  const folder = tempFolder(t, { 'outside/a': '', 'root/a': '' });
  symlinkSync(join(folder, 'outside'), join(folder, 'root', 'out'));
  const scope = scopeOver(join(folder, 'root'));
  const message = (path: string) =>
    find({ scope }, '*', { path }).then(
      () => '',
      error => error.message,
    );
  for (const path of [join(folder, 'outside'), 'out', '..', '/nowhere', '/proc']) {
    assert.match(await message(path), / is outside the folders shared/);
  }
  assert.match(await message('b'), /"b" does not exist/);
  assert.match(await message('a'), /Give the folder to search/);
});

/** Makes a search of few files long: each is compared with all of these, letter by letter. */
const exclude = Array.from({ length: 100 }, (_, index) => `*[x]*${index}*?y`);

test('lets other work run during a search, and reports progress', async t => {
  const folder = tempFolder(t, manyFiles(1000));
  const told: number[] = [];
  let turns = 0;
  let isSearching = true;
  const setting = { scope: scopeOver(folder), progress: (done: number) => told.push(done) };
  const searching = find(setting, '*', { exclude }).finally(() => {
    isSearching = false;
  });
  while (isSearching) {
    await immediate();
    turns += 1;
  }
  assert.equal((await searching).files.length, 1000);
  assert.ok(turns > 5, `only ${turns} turns`);
  assert.deepEqual(
    told,
    [...told].sort((a, b) => a - b),
  );
  assert.ok((told.at(-1) ?? 0) > 100);
});

test('ends an aborted search soon with the reason, and leaves nothing open', {
  skip: onlyOn('linux', 'its open files are counted in /proc'),
}, async t => {
  const folder = tempFolder(t, manyFiles(1000));
  const aborting = new AbortController();
  const { signal } = aborting;
  const reason = new Error('The client has cancelled the request.');
  const before = readdirSync('/proc/self/fd').length;
  let told = 0;
  const progress = () => {
    told += 1;
    aborting.abort(reason);
  };
  await assert.rejects(
    find({ scope: scopeOver(folder), signal, progress }, '*', { exclude }),
    reason,
  );
  assert.equal(told, 1);
  assert.equal(readdirSync('/proc/self/fd').length, before);
});

test('counts files that vanish during a search, and goes on', async t => {
  const folder = tempFolder(t, manyFiles(700));
  const progress = (done: number) => {
    // Not before it has seen that they are there.
    for (const name of done > 0 ? ['5', '6'] : []) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  };
  const found = await find({ scope: scopeOver(folder), progress }, '*', { exclude });
  assert.ok(found.unreadable > 0);
  const left = new Set(found.files.map(file => file.split('/')[0]));
  const missing = [...'01234'].filter(name => !left.has(name));
  assert.deepEqual(missing, []);
});

for (const [where, files] of Object.entries({
  'in many folders': manyFiles(1000),
  'in one folder': Object.fromEntries(
    Array.from({ length: 1000 }, (_, name) => [`in/${name}`, '']),
  ),
})) {
  test(`gives up a search that takes too long ${where}, and says so`, async t => {
    const folder = tempFolder(t, files);
    let now = 0;
    t.mock.method(performance, 'now', () => {
      now += 0.1;
      return now;
    });
    const slice = new TimeSlice(new AbortController().signal, { limit: 20 });
    const prepared = prepareSearch({ ...request, exclude }, callIn(folder), 'entry');
    assert.ok(prepared.ok);
    const { filter, counts } = prepared.value;
    for await (const found of walk({ filter, slice, counts })) {
      assert.ok(found.files.length > 0);
    }
    assert.ok(slice.isOver && counts.files > 0 && counts.files < 1000, String(counts.files));
  });
}
