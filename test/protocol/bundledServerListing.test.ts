import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, rootOf, type TestClient } from '../support/bundledServer.ts';
import { onlyOn, skipLinks } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('list-directory', { concurrency: true }, () => {
  const folder = tempFolder({ after: clean => after(clean as () => void) });
  const root = join(folder, 'root');
  let client: TestClient;
  const list = (args: Record<string, unknown>) => client.call('list-directory', args);
  before(async () => {
    writeTree(folder, { 'root/one/a.txt': 'a', 'secret/key': 'secret' });
    client = await connect({ after: () => {} }, 'SDK 2 (legacy)', { roots: [rootOf(root)] });
  });
  after(() => client.close());

  test('lists the folders, files and other entries of a folder by name', {
    skip: skipLinks,
  }, async () => {
    writeTree(root, { 'kinds/b.txt': 'bb', 'kinds/z/': '', 'kinds/ä': '' });
    symlinkSync(join(folder, 'secret/key'), join(root, 'kinds/link'));
    const { structuredContent, content } = await list({ path: 'kinds' });
    deepEqual(structuredContent, {
      path: join(root, 'kinds'),
      directories: ['z'],
      files: ['b.txt', 'ä'],
      links: ['link'],
      total: 4,
    });
    const lines = [`${join(root, 'kinds')}: 4 entries`, 'z/', 'b.txt', 'ä', 'link (link)'];
    deepEqual(content, [{ type: 'text', text: lines.join('\n') }]);
  });

  test('lists a pipe, and keeps a name with a line break on one line', {
    skip: onlyOn('posix', 'Windows has no pipes in folders, and no such names'),
  }, async () => {
    writeTree(root, { 'odd/new\nline': '' });
    execFileSync('mkfifo', [join(root, 'odd/pipe')]);
    const { structuredContent, content } = await list({ path: 'odd' });
    deepEqual(structuredContent, {
      path: join(root, 'odd'),
      directories: [],
      files: ['new\nline'],
      others: ['pipe'],
      total: 2,
    });
    const lines = [`${root}/odd: 2 entries`, 'new\\u000aline', 'pipe (neither file nor folder)'];
    deepEqual(content, [{ type: 'text', text: lines.join('\n') }]);
  });

  test('gives sizes and dates on request, for links only their own', {
    skip: skipLinks,
  }, async () => {
    writeTree(root, { 'details/b.txt': 'bb', 'details/a/': '' });
    symlinkSync(join(folder, 'secret/key'), join(root, 'details/link'));
    const date = new Date('2026-01-02T03:04:05.000Z');
    for (const name of ['b.txt', 'a']) {
      utimesSync(join(root, 'details', name), date, date);
    }
    const { structuredContent, content } = await list({ path: 'details', details: true });
    const entries = entriesIn(structuredContent);
    const modified = date.toISOString();
    deepEqual(entries.slice(0, 2), [
      { name: 'a', type: 'directory', modified },
      { name: 'b.txt', type: 'file', size: 2, modified },
    ]);
    deepEqual(entries.slice(2), [{ name: 'link', type: 'link', modified: entries[2]?.modified }]);
    ok(entries[2]?.modified !== modified);
    const shown = content[0]?.text?.split('\n').slice(1);
    const dates = [modified, `2 bytes, ${modified}`, entries[2]?.modified];
    deepEqual(shown, [`a/ (${dates[0]})`, `b.txt (${dates[1]})`, `link (link) (${dates[2]})`]);
  });

  test('leaves out a date that JavaScript cannot represent', {
    skip: onlyOn('linux', 'its touch and its disks know such dates'),
  }, async () => {
    writeTree(root, { 'far/future': 'x' });
    execFileSync('touch', ['-d', '@9000000000000', join(root, 'far/future')]);
    const { structuredContent } = await list({ path: 'far', details: true });
    const [entry] = entriesIn(structuredContent);
    equal(entry?.size, 1);
  });

  test('comes in pages, which are the same with and without details', async () => {
    const names = ['a', 'b', 'c', 'x/', 'y/'];
    writeTree(root, Object.fromEntries(names.map(name => [`pages/${name}`, ''])));
    const pages: unknown[] = [];
    for (const offset of [0, 2, 4, 6]) {
      const page = { path: 'pages', offset, limit: 2 };
      const { structuredContent, content } = await list(page);
      const detailed = await list({ ...page, details: true });
      const { directories, files, nextOffset, total } = structuredContent ?? {};
      const shown = [...(directories as string[]), ...(files as string[])];
      const inDetail = entriesIn(detailed.structuredContent).map(({ name }) => name);
      const lines = shown.length + (nextOffset === undefined ? 1 : 2);
      deepEqual([inDetail, total, content[0]?.text?.split('\n').length], [shown, 5, lines]);
      pages.push([shown.join(''), nextOffset]);
    }
    deepEqual(pages, [
      ['xy', 2],
      ['ab', 4],
      ['c', undefined],
      ['', undefined],
    ]);
  });

  test('gives a tree with indents for people and paths for programs', {
    skip: skipLinks,
  }, async () => {
    writeTree(root, {
      'tree/b/c/d.txt': 'd',
      'tree/b/a.txt': 'a',
      'tree/z.txt': '',
      'tree/e/': '',
    });
    symlinkSync('c', join(root, 'tree/b/link'));
    const { structuredContent, content } = await list({ path: 'tree', depth: 5 });
    deepEqual(structuredContent, {
      path: join(root, 'tree'),
      directories: ['b', 'b/c', 'e'],
      files: ['b/a.txt', 'b/c/d.txt', 'z.txt'],
      links: ['b/link'],
    });
    const shown = content[0]?.text?.split('\n').slice(1);
    deepEqual(shown, ['b/', '  a.txt', '  c/', '    d.txt', '  link (link)', 'e/', 'z.txt']);
    const part = await list({ path: 'tree', depth: 5, limit: 2, details: true });
    const { nextOffset, entries } = part.structuredContent ?? {};
    deepEqual(
      [nextOffset, (entries as ShownEntry[]).map(({ name }) => name)],
      [2, ['b', 'b/a.txt']],
    );
  });

  test('leaves out entries that match the globs, and does not open them', async () => {
    const names = [
      'node_modules/x/index.js',
      'src/node_modules/y.js',
      'src/a.log',
      'src/a.ts',
      'b.log',
    ];
    writeTree(root, Object.fromEntries(names.map(name => [`globs/${name}`, ''])));
    const exclude = ['node_modules', '*.log'];
    const { structuredContent: tree } = await list({ path: 'globs', depth: 9, exclude });
    deepEqual([tree?.['directories'], tree?.['files']], [['src'], ['src/a.ts']]);
    equal((await list({ path: 'globs', exclude })).structuredContent?.['total'], 1);
    equal((await list({ path: 'globs', exclude: ['[a'] })).isError, true);
  });

  test('says which names are not text, since a path cannot name them', {
    skip: onlyOn('linux', 'other systems have no such names'),
  }, async () => {
    mkdirSync(join(root, 'bytes'));
    for (const name of ['\xff', '\xfe', '\xc3\xa9']) {
      writeFileSync(Buffer.from(`${root}/bytes/${name}`, 'latin1'), '');
    }
    const { structuredContent } = await list({ path: 'bytes' });
    deepEqual(structuredContent, {
      path: join(root, 'bytes'),
      directories: [],
      files: ['é'],
      unreachable: ['\ufffd', '\ufffd'],
      total: 3,
    });
    // A shown U+FFFD would not open that name.
    equal((await client.call('read-file', { path: 'bytes/\ufffd' })).isError, true);
  });

  test('says which folders of a tree it could not read', {
    skip:
      onlyOn('posix', 'modes keep nobody out of a folder there') ||
      (process.getuid?.() === 0 && 'root may read everything'),
  }, async () => {
    writeTree(root, { 'closed/a/x': '', 'closed/b/y': '' });
    chmodSync(join(root, 'closed/a'), 0);
    const { structuredContent } = await list({ path: 'closed', depth: 2 });
    deepEqual(structuredContent?.['unread'], ['a']);
  });
});

interface ShownEntry {
  readonly name: string;
  readonly type: string;
  readonly size?: number;
  readonly modified?: string;
}

function entriesIn(shown: Record<string, unknown> | undefined): readonly ShownEntry[] {
  return (shown?.['entries'] ?? []) as ShownEntry[];
}
