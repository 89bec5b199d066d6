import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FoundLine } from '../../../../src/server/search/lineSearch.ts';
import type { FoundText } from '../../../../src/server/search/searchFileTexts.ts';
import { effort } from '../../../support/effort.ts';
import { search, trySearch } from '../../../support/searching.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';
import { outcomeOf, scopeOver } from '../../../support/writing.ts';

/** As `grep` would show them. */
function shown({ files }: FoundText): readonly string[] {
  const place = ({ line, column, endColumn }: FoundLine) =>
    column === undefined ? `-${line}-` : `:${line}:${column}-${endColumn}:`;
  return files.flatMap(({ path, lines }) =>
    lines.length > 0 ? lines.map(line => `${path}${place(line)}${line.text}`) : [path],
  );
}

test('finds lines, and the places of matches in them', async t => {
  const folder = tempFolder(t, {
    'a.txt': 'one\ntwo three two\r\nThree',
    'sub/b.txt': '\ufeffthree\n\nthr\n',
    'sub/c.txt': 'été 😀 three 3',
    'empty.txt': '',
  });
  const scope = scopeOver(folder);
  const lines = async (...query: [string, object?]) => shown(await search({ scope }, ...query));
  const anyCase = { isCaseSensitive: false };
  const isRegex = true;
  const a = 'a.txt:2:5-10:two three two';
  const b = 'sub/b.txt:1:1-6:three';
  const c = 'sub/c.txt:1:8-13:été 😀 three 3';
  const at = (place: string) => `a.txt:2:${place}:two three two`;
  const inC = (place: string) => `sub/c.txt:1:${place}:été 😀 three 3`;
  const cases: readonly (readonly [query: string, found: readonly string[], options?: object])[] = [
    ['three', [a, b, c]],
    ['two', [at('1-4')]],
    ['THREE', [a, 'a.txt:3:1-6:Three', b, c], anyCase],
    ['ÉTÉ', [inC('1-4')], anyCase],
    ['t.*e', [at('1-10'), b, inC('2-13')], { isRegex }],
    ['^t.*e$', [b], { isRegex }],
    ['two$', [at('11-14')], { isRegex }],
    ['^$', ['sub/b.txt:2:1-1:'], { isRegex }],
    ['^😀|(?<=\\s)\\p{Emoji}\\b', [inC('14-15')], { isRegex }],
    ['\\bTHR\\b', ['sub/b.txt:3:1-4:thr'], { isRegex, ...anyCase }],
    ['.three', []],
  ];
  for (const [query, found, options] of cases) {
    assert.deepEqual(await lines(query, options), found, query);
  }
});

test('shows the lines around matches once each', async t => {
  const folder = tempFolder(t);
  const text = Array.from({ length: 12 }, (_, line) => `line ${line + 1}`).join('\n');
  writeTree(folder, { 'a.txt': text, 'b.txt': 'line 1\n\n' });
  const around = async (query: string, contextLines: number) =>
    shown(await search({ scope: scopeOver(folder) }, query, { contextLines, isRegex: true }));
  assert.deepEqual(await around('[ ](?:1|3|4|12)$', 1), [
    'a.txt:1:5-7:line 1',
    'a.txt-2-line 2',
    'a.txt:3:5-7:line 3',
    'a.txt:4:5-7:line 4',
    'a.txt-5-line 5',
    'a.txt-11-line 11',
    'a.txt:12:5-8:line 12',
    'b.txt:1:5-7:line 1',
    'b.txt-2-',
  ]);
  const [seven = [], nine = []] = [await around('7', 10), await around('9', 2)];
  assert.deepEqual(seven.map(line => line.split(/[:-]/)[1]).join(), '1,2,3,4,5,6,7,8,9,10,11,12');
  assert.deepEqual(nine.map(line => line.split(/[:-]/)[1]).join(), '7,8,9,10,11');
});

test('searches only the wanted files', async t => {
  const folder = tempFolder(t, {
    '.gitignore': 'ignored\n*.log',
    '.hidden/a.ts': 'x',
    'a.log': 'x',
    'a.ts': 'x',
    'ignored/a.ts': 'x',
    'src/a.js': 'x',
    'src/a.ts': 'x',
    'src/deep/.gitignore': '/b.ts',
    'src/deep/b.ts': 'x',
    'src/deep/c.ts': 'x',
  });
  mkdirSync(join(folder, '.git'));
  writeTree(folder, { '.git/config': 'x' });
  const scope = scopeOver(folder);
  const cases: readonly (readonly [options: object, found: string])[] = [
    [{}, 'a.ts .hidden/a.ts src/a.js src/a.ts src/deep/c.ts'],
    [{ include: ['*.js'] }, 'src/a.js'],
    [{ include: ['src'] }, 'src/a.js src/a.ts src/deep/c.ts'],
    [{ include: ['*.js', '/*.ts'] }, 'a.ts src/a.js'],
    [{ include: ['src/**/[c].ts'] }, 'src/deep/c.ts'],
    [{ exclude: ['src'] }, 'a.ts .hidden/a.ts'],
    [{ include: ['src'], exclude: ['*.ts'] }, 'src/a.js'],
    [{ path: 'src' }, 'a.js a.ts deep/c.ts'],
    [{ path: 'ignored' }, 'a.ts'],
    [{ path: 'src/deep/b.ts' }, 'b.ts'],
  ];
  for (const [options, found] of cases) {
    const files = await search({ scope }, 'x', { filesOnly: true, ...options });
    assert.equal(shown(files).join(' '), found, JSON.stringify(options));
  }
});

test('counts binary files, and does not show them', async t => {
  const folder = tempFolder(t, { 'text.txt': 'find me', 'other.bin': 'a\0b' });
  writeFileSync(join(folder, 'nul.bin'), 'find me\0');
  writeFileSync(join(folder, 'latin1.txt'), Buffer.from('find me, café', 'latin1'));
  writeFileSync(join(folder, 'utf16.txt'), Buffer.from('\ufefffind me', 'utf16le'));
  writeFileSync(join(folder, 'huge.txt'), `find me\n${'x'.repeat(10 * 1024 * 1024)}`);
  writeFileSync(join(folder, 'large.txt'), `${'x\n'.repeat(4 * 1024 * 1024)}find me`);
  for (const options of [{}, { isCaseSensitive: false }, { isRegex: true }]) {
    const found = await search({ scope: scopeOver(folder) }, 'find me', options);
    const lines = ['large.txt:4194305:1-8:find me', 'text.txt:1:1-8:find me'];
    assert.deepEqual([shown(found), found.notText, found.unsearched], [lines, 2, 2]);
  }
});

test('cuts a long line around the match, never within a character', async t => {
  const folder = tempFolder(t);
  const [before, after] = ['😀'.repeat(1000), 'é'.repeat(1000)];
  writeTree(folder, { 'a.txt': `${before}x${after}`, 'b.txt': `x${after}`, 'c.txt': `${before}x` });
  const found = await search({ scope: scopeOver(folder) }, 'x');
  for (const { lines } of found.files) {
    const [line] = lines;
    assert.ok(
      line && line.text.length <= 402 && line.text.includes('x') && line.text.includes('…'),
    );
    assert.equal(/\p{Surrogate}/u.test(line.text), false);
  }
  const columns = found.files.map(({ lines }) => lines[0]?.column);
  assert.deepEqual(columns, [2001, 1, 2001]);
});

test('pages of any size together are the whole', async t => {
  const folder = tempFolder(t);
  const files = Array.from({ length: 60 }, (_, file) => {
    return [`${file % 3}/${file}.txt`, 'a match\nnone\nanother match\n'.repeat(file % 4)] as const;
  });
  writeTree(folder, Object.fromEntries(files));
  const scope = scopeOver(folder);
  for (const filesOnly of [false, true]) {
    const all = await search({ scope }, 'match', { filesOnly });
    assert.equal(all.matches, filesOnly ? 45 : 180);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 20, max: 200 }), async limit => {
        const pages: string[] = [];
        for (let offset: number | undefined = 0; offset !== undefined; ) {
          const page = await search({ scope }, 'match', { filesOnly, limit, offset });
          assert.ok(page.matches <= limit);
          pages.push(...shown(page));
          offset = page.nextOffset;
        }
        assert.deepEqual(pages, shown(all));
      }),
      { numRuns: 5 },
    );
  }
});

test('keeps an answer around a megabyte, and says where to go on', async t => {
  const folder = tempFolder(t);
  const line = `match ${'\u0001'.repeat(200)}\n`;
  writeTree(folder, { 'a.txt': line.repeat(1500), 'b.txt': line.repeat(1500) });
  const scope = scopeOver(folder);
  const lines: string[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const page: FoundText = await search({ scope }, 'match', { limit: 2000, offset });
    assert.ok(JSON.stringify(page).length < 500_000);
    lines.push(...shown(page));
    offset = page.nextOffset;
  }
  assert.equal(new Set(lines).size, 3000);
});

test('follows no links', {
  skip: onlyOn('posix', 'links need a privilege elsewhere'),
}, async t => {
  const folder = tempFolder(t, { 'outside/a.txt': 'secret', 'root/b.txt': 'secret' });
  symlinkSync(join(folder, 'outside'), join(folder, 'root', 'sub'));
  symlinkSync(join(folder, 'outside', 'a.txt'), join(folder, 'root', 'a.txt'));
  const scope = scopeOver(join(folder, 'root'));
  assert.deepEqual(shown(await search({ scope }, 'secret')), ['b.txt:1:1-7:secret']);
  for (const path of ['sub', 'a.txt', '../outside', join(folder, 'outside', 'a.txt')]) {
    const refused = await trySearch({ scope }, 'secret', { path });
    assert.equal(refused.ok || refused.kind, 'outside');
  }
});

test('refuses a query that cannot match a line, with the reason', async t => {
  const scope = scopeOver(tempFolder(t));
  const reasons: readonly (readonly [query: string, reason: string, isRegex?: boolean])[] = [
    ['', 'wrongQuery.length(1000)'],
    ['a'.repeat(1001), 'wrongQuery.length(1000)'],
    ['a\nb', 'wrongQuery.lines()'],
    ['\ud83d', 'wrongQuery.half()'],
    ['(', 'readQuery(', true],
    ['\\_', 'readQuery(', true],
  ];
  for (const [query, reason, isRegex = false] of reasons) {
    const refused = String(outcomeOf(await trySearch({ scope }, query, { isRegex })));
    assert.ok(refused.startsWith(`invalid: searchFileTexts.${reason}`), refused);
  }
});

test('gives the same answer as a simple search', async t => {
  const folder = tempFolder(t);
  const scope = scopeOver(folder);
  const word = fc.constantFrom(...'a,B,ab,ſ,s,K,k,ß,ẞ,é,É, ,.,-,1,_,\r,\u2028,😀'.split(','));
  const line = fc.array(word, { maxLength: 5 }).map(words => words.join(''));
  const text = fc
    .tuple(
      fc.array(line, { maxLength: 6 }),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\ufeff'),
    )
    .map(([lines, end, start]) => start + lines.join(end));
  const texts = fc.array(text, { minLength: 5, maxLength: 12 });
  const letters = String.raw`a b S k ß é . \. [ab] [^a] [^\w] [\s\S] [a-k] [K-ſ] \u{1F600} \x61 \p{Lu}`;
  const classes = String.raw`^ $ \b \B \d \w \W \s \S \D`;
  const groups = String.raw`a|b (a|) (?:a*) a+? a{1,2} (a|)\1 (?:^|a$) (?=a) (?!\n)`;
  const piece = fc.constantFrom(...[letters, classes, groups].join(' ').split(' '));
  const regex = fc.array(piece, { minLength: 1, maxLength: 4 }).map(pieces => pieces.join(''));
  const query = fc.oneof(
    fc.record({ query: regex, isRegex: fc.constant(true), isCaseSensitive: fc.boolean() }),
    fc.record({
      query: line.filter(some => /^[^\r]+$/.test(some)),
      isRegex: fc.constant(false),
      isCaseSensitive: fc.boolean(),
    }),
  );
  await fc.assert(
    fc.asyncProperty(texts, query, async (all, { query, ...options }) => {
      const files = Object.fromEntries(all.map((text, index) => [`${index + 10}.txt`, text]));
      writeTree(
        folder,
        Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index + 10}.txt`, ''])),
      );
      writeTree(folder, files);
      const byHand = expected(files, query, options);
      assert.deepEqual(shown(await search({ scope }, query, options)), byHand);
    }),
    { numRuns: 5 * effort },
  );
});

interface Options {
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

function expected(
  files: Record<string, string>,
  query: string,
  { isRegex, isCaseSensitive }: Options,
) {
  const source = isRegex ? query : query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = new RegExp(source, isCaseSensitive ? 'u' : 'iu');
  return Object.entries(files).flatMap(([path, text]) => {
    const lines = text.replace(/^\ufeff/, '').split('\n');
    const whole = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
    const all = whole.map(line => line.replace(/\r$/, ''));
    return all.flatMap((line, index) => {
      const found = pattern.exec(line);
      const end = found && found.index + found[0].length + 1;
      return found ? [`${path}:${index + 1}:${found.index + 1}-${end}:${line}`] : [];
    });
  });
}
