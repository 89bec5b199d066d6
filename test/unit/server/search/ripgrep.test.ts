import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Limiter } from '../../../../src/base/limiter.ts';
import { TimeSlice } from '../../../../src/base/timeSlice.ts';
import type { PathScope } from '../../../../src/domain/paths/pathScope.ts';
import {
  Ripgrep,
  type RipgrepPlaces,
  ripgrepGlobs,
} from '../../../../src/server/search/ripgrep.ts';
import { rustPattern } from '../../../../src/server/search/rustPattern.ts';
import { startSearch, timeLimit } from '../../../../src/server/search/search.ts';
import { searchFileTexts } from '../../../../src/server/search/searchFileTexts.ts';
import { SearchFilter } from '../../../../src/server/search/searchFilter.ts';
import { candidates, type NamedPaths } from '../../../../src/server/search/walk.ts';
import { patience } from '../../../support/patience.ts';
import { allGone, atEnd } from '../../../support/processes.ts';
import { scopeOf } from '../../../support/searching.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

const skip = process.platform === 'win32' && 'programs are written as shell scripts here';
const nowhere: RipgrepPlaces = {
  given: undefined,
  script: undefined,
  searchPath: undefined,
  workingFolder: '/',
};

/** A program that says of itself what ripgrep says, and of its search what the script does. */
function program(folder: string, script: string, version = 'ripgrep 15.0.0'): string {
  const path = join(folder, 'rg');
  const says = `#!/bin/sh\ncase "$*" in *--version*) echo '${version}'; exit 0;; esac\n${script}\n`;
  writeTree(folder, { rg: says });
  chmodSync(path, 0o755);
  return path;
}

function found(places: Partial<RipgrepPlaces>, scope: PathScope): Promise<string | undefined> {
  return new Ripgrep({ ...nowhere, ...places }, patience).pathFor(scope);
}

test('ripgrep is looked for where it is given, among the packages, and on the path', {
  skip,
}, async t => {
  const folder = tempFolder(t);
  const scope = scopeOf(tempFolder(t));
  writeTree(folder, { 'no/rg': 'no program', 'server/main.js': '' });
  mkdirSync(join(folder, 'bin'));
  const rg = program(join(folder, 'bin'), '');
  const name = `node_modules/@vscode/ripgrep-${process.platform}-${process.arch}/bin`;
  mkdirSync(join(folder, 'server', name), { recursive: true });
  const packaged = program(join(folder, 'server', name), '');
  const script = join(folder, 'server', 'main.js');
  const searchPath = ['bin', join(folder, 'none'), join(folder, 'no'), dirname(rg)].join(delimiter);
  assert.equal(await found({}, scope), undefined);
  assert.equal(await found({ given: rg }, scope), rg);
  assert.equal(await found({ given: join(folder, 'no', 'rg'), searchPath }, scope), undefined);
  assert.equal(await found({ searchPath }, scope), rg);
  assert.equal(await found({ script, searchPath }, scope), packaged);
  assert.equal(await found({ given: 'none', script, searchPath }, scope), undefined);
});

test('a ripgrep that lies in a root or in the working folder is not run', { skip }, async t => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'links'));
  const rg = program(join(folder, 'bin'), `touch ${join(folder, 'was-run')}`);
  symlinkSync(rg, join(folder, 'links', 'rg'));
  const inRoot = scopeOf(folder);
  const elsewhere = scopeOf(tempFolder(t));
  const searchPath = dirname(rg);
  const linked = join(folder, 'links');
  assert.equal(await found({ given: rg }, inRoot), undefined);
  assert.equal(await found({ searchPath }, inRoot), undefined);
  assert.equal(await found({ searchPath, workingFolder: folder }, elsewhere), undefined);
  assert.equal(
    await found({ searchPath: linked, workingFolder: dirname(rg) }, elsewhere),
    undefined,
  );
  assert.equal(await found({ searchPath: linked, workingFolder: linked }, elsewhere), undefined);
  assert.equal(await found({ searchPath: linked }, elsewhere), rg);
});

test('what does not call itself ripgrep, or is an old one, is not used', { skip }, async t => {
  const scope = scopeOf(tempFolder(t));
  for (const version of ['snap 2.60', 'ripgrep 12.1.1', '', 'ripgrep-all 13.0.0']) {
    const given = program(tempFolder(t), '', version);
    assert.equal(await found({ given }, scope), undefined, version);
  }
  const given = program(tempFolder(t), '', 'ripgrep 13.0.0 (rev 1)');
  assert.equal(await found({ given }, scope), given);
});

/** What a search finds with a program in the place of ripgrep. */
async function searchWith(
  t: Pick<TestContext, 'after'>,
  script: string,
  files: Readonly<Record<string, string>>,
) {
  const folder = tempFolder(t);
  writeTree(folder, files);
  symlinkSync(join(folder, 'outside', 'a.txt'), join(folder, 'root', 'link.txt'));
  symlinkSync(join(folder, 'outside'), join(folder, 'root', 'linked'));
  const ripgrep = new Ripgrep({ ...nowhere, given: program(tempFolder(t), script) }, patience);
  const means = { limiter: new Limiter({ running: 1, waiting: 1 }), ripgrep };
  const call = {
    scope: scopeOf(join(folder, 'root')),
    signal: new AbortController().signal,
    progress() {},
  };
  const plain = { isRegex: false, isCaseSensitive: true, contextLines: 0, filesOnly: true };
  const where = { path: '.', include: [], exclude: ['excluded'], includeIgnored: false };
  const request = { query: 'wanted', ...plain, ...where, limit: 100, offset: 0 };
  const found = await searchFileTexts(request, call, means);
  assert.ok(found.ok);
  return found.value.files.map(({ path }) => path);
}

const files = {
  'outside/a.txt': 'wanted',
  'root/.gitignore': 'ignored',
  'root/a.txt': 'wanted',
  'root/b.txt': 'something else',
  'root/c.txt': 'wanted',
  'root/excluded/a.txt': 'wanted',
  'root/ignored/a.txt': 'wanted',
  'root/sub/d.txt': 'wanted',
  'root/.git/a.txt': 'wanted',
};

test('only what ripgrep names is opened, and what it names is not believed', { skip }, async t => {
  const names = [
    './sub/d.txt',
    './a.txt',
    './b.txt',
    './missing.txt',
    './ignored/a.txt',
    './excluded/a.txt',
    './.git/a.txt',
    './../outside/a.txt',
    './sub/../c.txt',
    '../outside/a.txt',
    '/etc/passwd',
    './sub',
    './link.txt',
    './linked/a.txt',
    '',
    './',
  ];
  const script = `printf '${names.map(name => `${name}\\000`).join('')}'`;
  assert.deepEqual(await searchWith(t, script, files), ['a.txt', 'sub/d.txt']);
});

test('where ripgrep fails, finds too much or dies, the search does without it', {
  skip,
}, async t => {
  const all = ['a.txt', 'c.txt', 'sub/d.txt'];
  const scripts = {
    'an error': 'printf "./a.txt\\000"; exit 2',
    death: 'printf "./a.txt\\000"; kill -9 $$',
    'too much': 'yes "./a.txt" | tr "\\n" "\\000"',
  };
  for (const [name, script] of Object.entries(scripts)) {
    assert.deepEqual(await searchWith(t, script, files), all, name);
  }
  assert.deepEqual(await searchWith(t, 'exit 1', files), []);
});

test('where ripgrep waits for a pipe, the search goes on without it, and ends it', {
  skip,
}, async t => {
  const folder = tempFolder(t);
  const pid = join(folder, 'pid');
  const script = `mkfifo ${folder}/pipe; echo $$ > ${pid}; printf './a.txt\\000'; read line < ${folder}/pipe`;
  const start = performance.now();
  assert.deepEqual(await searchWith(t, script, files), ['a.txt', 'c.txt', 'sub/d.txt']);
  assert.ok(performance.now() - start < timeLimit / 2);
  await allGone([Number(readFileSync(pid, 'utf8'))]);
});

test('a walk that went before the names of the files goes on with those alone', async t => {
  const root = tempFolder(t);
  const names = ['a', 'b/c', 'b/d', 'e/f', 'e/g', 'h/i'];
  writeTree(root, Object.fromEntries(names.map(name => [name, ''])));
  const started = startSearch(scopeOf(root), '.');
  assert.ok(started.ok);
  const wanted = { folder: [], include: undefined, exclude: undefined, includesIgnored: false };
  const search = {
    filter: new SearchFilter(started.value.tree, wanted),
    slice: new TimeSlice(new AbortController().signal, { limit: patience }),
    counts: { files: 0, unreadable: 0 },
  };
  let name: (paths: NamedPaths) => void = () => {};
  const naming = new Promise<NamedPaths>(resolve => {
    name = resolve;
  });
  const files = candidates(search, naming);
  const all = [(await files.next()).value, (await files.next()).value];
  name([['e', 'g'], ['a'], ['h', 'i'], ['b', 'c'], ['b', 'new']]);
  await naming;
  for await (const found of files) {
    all.push(found);
  }
  assert.deepEqual(all, [
    { folder: [], files: ['a'] },
    { folder: ['b'], files: ['c', 'd'] },
    { folder: ['e'], files: ['g'] },
    { folder: ['h'], files: ['i'] },
  ]);
});

test('ripgrep is given nothing of the environment, and no file of settings', { skip }, async t => {
  process.env['RIPGREP_CONFIG_PATH'] = '/proj/settings';
  atEnd(t, () => delete process.env['RIPGREP_CONFIG_PATH']);
  const script = `
    case "$*" in *--no-config*) ;; *) exit 1;; esac
    [ -z "$RIPGREP_CONFIG_PATH$HOME$NODE_OPTIONS" ] && [ "$(pwd -P)" != / ] && printf './a.txt\\000'`;
  assert.deepEqual(await searchWith(t, script, files), ['a.txt']);
});

test('a pattern is written for ripgrep only where that finds at least as much', () => {
  const patterns: Record<string, string | undefined> = {
    'a-1': '\\x{61}\\x{2d}\\x{31}',
    '^\\bé$': '^\\x{FEFF}?\\x{e9}\\r?$',
    '(?<n>a$|b)+?': '(?:\\x{61}|\\x{62})+?',
    '[a-z\\d_-]{2,}': '[\\x{61}-\\x{7a}0-9\\x{5f}\\x{2d}]{2,}',
    '[^\\W&&]': '[^[^0-9A-Za-z_]\\x{26}\\x{26}]',
    '\\p{Lu}[\\u{1F600}-\\u{1F610}]': '.[\\x{1f600}-\\x{1f610}]',
    '\\D\\x41\\t\\/': '[^0-9]\\x{41}\\x{9}\\x{2f}',
    '[\\b]': '[\\x{8}]',
    '\\n': undefined,
    'a(?=b)': undefined,
    '(?<!a)b': undefined,
    '(a)\\1': undefined,
    '[]': undefined,
    '[\\p{L}]': undefined,
    '\\ud83d\\ude00': undefined,
    '\\cJ': undefined,
    '\\0': undefined,
    '(?i:a)': undefined,
  };
  const written = Object.keys(patterns).map(source => [source, rustPattern(source)]);
  assert.deepEqual(Object.fromEntries(written), patterns);
});

test('globs are given to ripgrep only where they mean the same to it', () => {
  assert.deepEqual(ripgrepGlobs(['*.ts']), ['*.ts', '**/*.ts/**']);
  assert.deepEqual(ripgrepGlobs(['src/*.{ts,js}']), [
    'src/*.ts',
    'src/*.ts/**',
    'src/*.js',
    'src/*.js/**',
  ]);
  assert.deepEqual(ripgrepGlobs(['src/', '/a/**/b']), ['**/src/**', '/a/**/b', '/a/**/b/**']);
  for (const glob of ['[a].ts', 'a\\*', 'a**b', 'été', 'a b', '?.ts', 'a//b', '!a']) {
    assert.deepEqual(ripgrepGlobs(['*.ts', glob]), [], glob);
  }
});
