import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GlobReach, readGlobs } from '../../../../src/domain/glob/glob.ts';
import { sentence } from '../../../../src/domain/sentence.ts';
import { cpuTimeOf, littleTime } from '../../../support/cpuTime.ts';
import { saidBy } from '../../../support/texts.ts';

const files = [
  ...['a.ts', 'b.js', '.hidden', 'src/a.ts', 'src/a.test.ts', 'src/lib/deep/a.ts', 'src/[x].ts'],
  ...['lib/a.ts', 'été/a.ts'],
];

function matched(glob: string, reach: GlobReach = 'entry'): readonly string[] {
  const read = readGlobs([glob], reach);
  assert.ok(read.ok, glob);
  return files.filter(file => read.glob.matches(file.split('/'), 0));
}

test('a glob has the meaning that Git and ripgrep give it', () => {
  const a = ['a.ts', 'src/a.ts', 'src/lib/deep/a.ts', 'lib/a.ts', 'été/a.ts'];
  const meant: Record<string, readonly string[]> = {
    'a.ts': a,
    '*.js': ['b.js'],
    '*': files,
    '**': files,
    '.*': ['.hidden'],
    '?.ts': a,
    '/a.ts': ['a.ts'],
    './a.ts': a,
    '/*': ['a.ts', 'b.js', '.hidden'],
    'src/*': ['src/a.ts', 'src/a.test.ts', 'src/[x].ts'],
    'src/**': ['src/a.ts', 'src/a.test.ts', 'src/lib/deep/a.ts', 'src/[x].ts'],
    'src/': ['src/a.ts', 'src/a.test.ts', 'src/lib/deep/a.ts', 'src/[x].ts'],
    'src/**/a.ts': ['src/a.ts', 'src/lib/deep/a.ts'],
    '**/a.ts': a,
    '**/lib/**': ['src/lib/deep/a.ts', 'lib/a.ts'],
    'lib/a.ts': ['lib/a.ts'],
    src: [],
    '*.{js,test.ts}': ['b.js', 'src/a.test.ts'],
    '{src/lib,lib}/**': ['src/lib/deep/a.ts', 'lib/a.ts'],
    '{a,{b,c}}.{ts,js}': [...a.slice(0, 1), 'b.js', ...a.slice(1)],
    '[a-b].[jt]s': ['a.ts', 'b.js', ...a.slice(1)],
    '[!a].*': ['b.js'],
    '[[]x].ts': ['src/[x].ts'],
    '\\[x\\].ts': ['src/[x].ts'],
    '?t?/*': ['été/a.ts'],
    '[é]*/*': ['été/a.ts'],
    'A.TS': [],
    'a**s': [...a.slice(0, 2), 'src/a.test.ts', ...a.slice(2)],
  };
  assert.deepEqual(
    Object.fromEntries(Object.keys(meant).map(glob => [glob, matched(glob)])),
    meant,
  );
});

test('a glob may name a folder where its contents count', () => {
  assert.deepEqual(matched('lib', 'entry-and-below'), ['src/lib/deep/a.ts', 'lib/a.ts']);
  assert.deepEqual(matched('/lib', 'entry-and-below'), ['lib/a.ts']);
  assert.deepEqual(matched('src/lib', 'entry-and-below'), ['src/lib/deep/a.ts']);
});

test('knows before opening a folder whether its contents can match', () => {
  const below = (glob: string, folder: string) => {
    const read = readGlobs([glob], 'entry');
    return read.ok && read.glob.mayMatchBelow(folder.split('/'), 0);
  };
  const cases: Record<string, boolean> = {
    'src/*.ts in src': true,
    'src/*.ts in src/lib': false,
    'src/*.ts in lib': false,
    '/a.ts in src': false,
    'a.ts in src': true,
    'src/**/a.ts in src/lib/deep': true,
    'src/**/a.ts in lib': false,
    '{src,lib}/a.ts in lib': true,
  };
  const found = Object.keys(cases).map(text => {
    const [glob = '', folder = ''] = text.split(' in ');
    return [text, below(glob, folder)];
  });
  assert.deepEqual(Object.fromEntries(found), cases);
});

test('refuses a meaningless glob with the reason', () => {
  const reason = (...globs: string[]) => {
    const read = readGlobs(globs, 'entry');
    return read.ok || saidBy(sentence(read.reason)).replace(/^.*, glob\./, '');
  };
  const refused: Readonly<Record<string, readonly string[]>> = {
    'problemWith(1000))': ['', 'a'.repeat(1001)],
    'problemWith())': ['!a', '../a', 'a/../b'],
    'readOne())': ['[a', '[[:letter:]]', 'a\\'],
    'readOne(100))': ['{a,b', '{a,b}'.repeat(7)],
  };
  for (const [why, globs] of Object.entries(refused)) {
    for (const glob of globs) {
      assert.equal(reason(glob), why, glob);
    }
  }
  const many = Array.from({ length: 101 }, () => 'a');
  assert.equal(reason(...many), 'glob.readGlobs.reason(100)');
});

test('no glob takes long in any spelling', () => {
  const name = 'a'.repeat(255);
  const path = Array.from({ length: 500 }, () => 'xa');
  const bombs = [
    `${'*a'.repeat(300)}b`,
    `${'*[ab]'.repeat(150)}c`,
    `${'?*'.repeat(400)}b`,
    `${'**/x*a*/'.repeat(100)}z`,
    `${'**/*/'.repeat(150)}z`,
    `*${'a'.repeat(127)}b*`,
    '{'.repeat(200),
    '{a,'.repeat(200) + '}'.repeat(200),
    '[[:'.repeat(300),
  ];
  for (const bomb of bombs) {
    let found: boolean | undefined;
    const taken = cpuTimeOf(() => {
      const read = readGlobs([bomb], 'entry-and-below');
      found = read.ok && (read.glob.matches([name], 0) || read.glob.matches([...path, name], 0));
    });
    assert.equal(found, false, bomb);
    // Backtracking would take longer than there is time in the universe.
    assert.ok(taken < littleTime, `${bomb.slice(0, 20)}… is slow`);
  }
});
