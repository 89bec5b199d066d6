import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, rootOf, type TestClient } from '../support/bundledServer.ts';
import { effort } from '../support/effort.ts';
import { skipSwapping, startSwapping } from '../support/swapper.ts';
import { onlyOn, skipLinks } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('list-directory', { concurrency: true }, () => {
  const folder = tempFolder({ after: clean => after(clean as () => void) });
  const root = join(folder, 'root');
  let client: TestClient;
  const list = (args: Record<string, unknown>) => client.call('list-directory', args);
  const names = async (args: Record<string, unknown>) => {
    const { directories, files } = (await list(args)).structuredContent ?? {};
    return { directories, files };
  };

  before(async () => {
    writeTree(folder, { 'root/one/a.txt': 'a', 'secret/key': 'secret' });
    client = await connect({ after: () => {} }, 'SDK 2 (legacy)', { roots: [rootOf(root)] });
  });
  after(() => client.close());

  test('tells what a folder holds: its folders, its files and the rest, each by name', {
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

  test('tells of a pipe, and of a name with a line break in one line', {
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

  test('tells sizes and dates when asked to, and of links nothing but their own', {
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
    equal(
      content[0]?.text,
      `${join(root, 'details')}: 3 entries\na/ (${modified})\nb.txt (2 bytes, ${modified})\n` +
        `link (link) (${entries[2]?.modified})`,
    );
  });

  test('keeps quiet about a date that JavaScript cannot tell', {
    skip: onlyOn('linux', 'its touch and its disks know such dates'),
  }, async () => {
    writeTree(root, { 'far/future': 'x' });
    execFileSync('touch', ['-d', '@9000000000000', join(root, 'far/future')]);
    const { structuredContent } = await list({ path: 'far', details: true });
    const [entry] = entriesIn(structuredContent);
    equal(entry?.size, 1);
  });

  test('comes in pages, which are the same with details', async () => {
    writeTree(root, {
      'pages/a': '',
      'pages/b': '',
      'pages/c': '',
      'pages/x/': '',
      'pages/y/': '',
    });
    const pages: unknown[] = [];
    for (const offset of [0, 2, 4, 6]) {
      const { structuredContent, content } = await list({ path: 'pages', offset, limit: 2 });
      const detailed = await list({ path: 'pages', offset, limit: 2, details: true });
      const { directories, files, nextOffset, total } = structuredContent ?? {};
      const shown = [...(directories as string[]), ...(files as string[])];
      const entries = entriesIn(detailed.structuredContent);
      deepEqual(
        entries.map(({ name }) => name),
        shown,
      );
      equal(total, 5);
      equal(content[0]?.text?.includes('go on with offset'), nextOffset !== undefined);
      pages.push([shown.join(''), nextOffset]);
    }
    deepEqual(pages, [
      ['xy', 2],
      ['ab', 4],
      ['c', undefined],
      ['', undefined],
    ]);
  });

  test('gives a tree, indented for people, with paths for programs', {
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
    equal(
      content[0]?.text,
      `${join(root, 'tree')}: 7 entries\nb/\n  a.txt\n  c/\n    d.txt\n  link (link)\ne/\nz.txt`,
    );
    deepEqual(await names({ path: 'tree', depth: 2 }), {
      directories: ['b', 'b/c', 'e'],
      files: ['b/a.txt', 'z.txt'],
    });
    const part = await list({ path: 'tree', depth: 5, limit: 2, details: true });
    equal(part.structuredContent?.['nextOffset'], 2);
    match(part.content[0]?.text ?? '', /: 2 or more entries\n.*go on with offset 2\.$/s);
    deepEqual(
      entriesIn(part.structuredContent).map(({ name, size }) => [name, size]),
      [
        ['b', undefined],
        ['b/a.txt', 1],
      ],
    );
  });

  test('leaves out what matches the globs, and does not look into it', async () => {
    writeTree(root, {
      'globs/node_modules/x/index.js': '',
      'globs/src/node_modules/y.js': '',
      'globs/src/a.log': '',
      'globs/src/a.ts': '',
      'globs/b.log': '',
    });
    const exclude = ['node_modules', '*.log'];
    deepEqual(await names({ path: 'globs', depth: 9, exclude }), {
      directories: ['src'],
      files: ['src/a.ts'],
    });
    const flat = await list({ path: 'globs', exclude });
    deepEqual(
      [flat.structuredContent?.['directories'], flat.structuredContent?.['total']],
      [['src'], 1],
    );
    equal((await list({ path: 'globs', exclude: ['[a'] })).isError, true);
  });

  test('says which names are no text, by which no path can name anything', {
    skip: onlyOn('linux', 'other systems have no such names'),
  }, async () => {
    mkdirSync(join(root, 'bytes'));
    for (const name of ['\xff', '\xfe', '\xc3\xa9']) {
      writeFileSync(Buffer.from(`${root}/bytes/${name}`, 'latin1'), '');
    }
    const { structuredContent, content } = await list({ path: 'bytes' });
    deepEqual(structuredContent, {
      path: join(root, 'bytes'),
      directories: [],
      files: ['é'],
      unreachable: ['\ufffd', '\ufffd'],
      total: 3,
    });
    match(content[0]?.text ?? '', /\n\ufffd \(no path can name it: its name is not UTF-8\)$/);
    const { structuredContent: detailed } = await list({ path: 'bytes', details: true });
    deepEqual(entriesIn(detailed).slice(1), [
      { name: '\ufffd', type: 'unreachable' },
      { name: '\ufffd', type: 'unreachable' },
    ]);
    // What looks like U+FFFD is not what that name would open.
    equal((await client.call('read-file', { path: 'bytes/\ufffd' })).isError, true);
  });

  test('says of a tree which folders could not be read', {
    skip:
      onlyOn('posix', 'modes keep nobody out of a folder there') ||
      (process.getuid?.() === 0 && 'root may read everything'),
  }, async () => {
    writeTree(root, { 'closed/a/x': '', 'closed/b/y': '' });
    chmodSync(join(root, 'closed/a'), 0);
    const { structuredContent } = await list({ path: 'closed', depth: 2 });
    deepEqual(structuredContent?.['unread'], ['a']);
  });

  test('bounds what it takes', async () => {
    for (const args of [
      { depth: 0 },
      { depth: 21 },
      { limit: 0 },
      { limit: 2001 },
      { offset: -1 },
      { exclude: 'a' },
      { details: 'yes' },
    ]) {
      equal((await list({ path: '.', ...args })).isError, true, JSON.stringify(args));
    }
  });

  test('no listing ends the connection, however long its names are', {
    skip: onlyOn('posix', 'no name takes so much room in JSON there'),
  }, async () => {
    mkdirSync(join(root, 'wide'));
    for (let number = 0; number < 2000; number++) {
      writeFileSync(join(root, 'wide', `${number}`.padEnd(255, '\u0007')), '');
    }
    const wide = await list({ path: 'wide', limit: 2000 });
    equal(wide.structuredContent?.['total'], 2000);
    equal(wide.structuredContent?.['nextOffset'], undefined);
    ok(JSON.stringify(wide).length < 8_000_000);
    const tree = await list({ path: '.', depth: 20, limit: 2000, details: true });
    ok(JSON.stringify(tree).length < 8_000_000);
  });
});

test('no tree names what is outside while a folder is swapped with a link', {
  skip: skipSwapping,
}, async t => {
  const { root } = await startSwapping(t);
  writeTree(join(root, '..'), { 'secret/only-outside': '' });
  const client = await connect(t, 'SDK 1 (legacy)', { roots: [rootOf(root)] });
  const seen = { outside: false, inside: false, link: false };
  // On a busy machine the attacker may not get its turn at once: it is waited for, not assumed.
  for (
    let round = 0;
    round < 20 * effort || (round < 5000 && !(seen.inside && seen.link));
    round++
  ) {
    const calls = Array.from({ length: 20 }, (_, index) =>
      client.call('list-directory', { path: '.', depth: 3, details: index % 2 === 0 }),
    );
    const text = JSON.stringify(await Promise.all(calls));
    seen.outside ||= text.includes('only-outside');
    seen.inside ||= text.includes('sub/key');
    seen.link ||= text.includes('sub (link)');
  }
  deepEqual(seen, { outside: false, inside: true, link: true });
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
