import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { littleTime } from '../../../support/cpuTime.ts';
import { effort } from '../../../support/effort.ts';
import { find } from '../../../support/searching.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';
import { scopeOver } from '../../../support/writing.ts';

const skip = onlyOn('posix', 'it needs links and pipes');
const folders = ['', 'a/', 'b/', 'a/b/', 'a/b/c/', 'd.d/'];
const names = ['a', 'b', 'a.x', 'b.x', '#c', '!d', ' e', 'éé.y', 'a[b]'];
if (process.platform !== 'win32') {
  names.push('f '); // Programs of Windows read it as `f`.
}
const tree = Object.fromEntries(
  folders.flatMap(folder => names.map(name => [`${folder}file-${name}`, ''])),
);

/** A repository with only the given files, independent of the machine's configuration. */
function repository(t: Pick<TestContext, 'after'>, files: Readonly<Record<string, string>>) {
  const folder = tempFolder(t);
  git(folder, 'init', '--quiet');
  writeTree(folder, files);
  return folder;
}

function git(folder: string, ...args: readonly string[]): string {
  const none = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: folder };
  const env = { ...process.env, ...none };
  return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' });
}

function filesByGit(folder: string): readonly string[] {
  const listed = git(folder, 'ls-files', '--others', '--exclude-standard', '-z');
  return listed
    .split('\0')
    .filter(file => file !== '')
    .sort();
}

async function filesByWalk(folder: string, path = '.'): Promise<readonly string[]> {
  const { files } = await find({ scope: scopeOver(folder) }, '*', { path });
  return [...files].sort();
}

test('ignores what Git ignores by a .gitignore', async t => {
  const names =
    'file-a *.x !*.x /file-b file-b/ file-? file-[ab] file-[!ab].x file-[^a]* file-[a-b]';
  const oddNames = String.raw`file-[]a] file-[[:nonsense:]] file-[ab file-a\[b\] file-\a file-a\ file-a[[]b[]]`;
  const paths = 'a/b b b/ **/c a/** /** **/b/** a/**/c a/* */b/* d.d */ a//b ./a ../a a/.';
  const others = String.raw`\#c *** f**x *a*b* * {a,b} ! / //`;
  const texts = [
    ...[names, oddNames, paths, others].join(' ').split(' '),
    '*.x\n!file-a.x',
    '/*\n!/a\n/a/*\n!/a/b',
    'b\n!b/file-a',
    'b/*\n!b/file-a',
    '#c\nfile-#c',
    '\\!d\nfile-!d',
    'file-f ',
    'file-f\\ ',
    'file-f\\  ',
    '\tfile-a',
    'file-a\r\nfile-b\r\n',
    'file-a\r',
    '\ufefffile-a',
    'é.y\nfile-éé.y',
    '*\n!*/\n!*.x',
    '# nothing',
    '',
  ];
  const folder = repository(t, tree);
  for (const text of texts) {
    writeTree(folder, { '.gitignore': text });
    assert.deepEqual(await filesByWalk(folder), filesByGit(folder), JSON.stringify(text));
  }
});

test('weighs rules of several folders as Git does', async t => {
  const part = fc.constantFrom(...String.raw`file- a b c * ? .x [ab] [!a] \a d.d`.split(' '));
  const name = fc.array(part, { minLength: 1, maxLength: 4 }).map(parts => parts.join(''));
  const path = fc.array(fc.oneof(name, name, fc.constant('**')), { minLength: 1, maxLength: 3 });
  const line = fc
    .tuple(
      fc.constantFrom('', '', '!'),
      fc.constantFrom('', '', '/'),
      path,
      fc.constantFrom('', '/'),
    )
    .map(([mark, start, all, end]) => mark + start + all.join('/') + end)
    // Git takes `a**/` for `a/**/` where no other wildcard comes before it.
    .filter(text => !/[^/]\*\*|\*\*[^/]/.test(text));
  const text = fc.array(line, { maxLength: 5 }).map(lines => lines.join('\n'));
  const ignoreFiles = fc.dictionary(fc.constantFrom(...folders), text, { maxKeys: 4 });
  const folder = repository(t, tree);
  await fc.assert(
    fc.asyncProperty(ignoreFiles, text, async (files, excluded) => {
      const all = Object.fromEntries(
        folders.map(start => [`${start}.gitignore`, files[start] ?? '']),
      );
      writeTree(folder, { ...all, '.git/info/exclude': excluded });
      assert.deepEqual(await filesByWalk(folder), filesByGit(folder));
    }),
    { numRuns: 30 * effort },
  );
});

test('a search below the root follows the rules above it, up to the root', async t => {
  const folder = tempFolder(t, {
    '.gitignore': 'beyond.txt',
    'root/.gitignore': '*.log\n/a/skip.txt',
    'root/a/.gitignore': '!keep.log',
    'root/a/b/keep.log': '',
    'root/a/b/x.log': '',
    'root/a/b/beyond.txt': '',
    'root/a/skip.txt': '',
    'root/a/b/skip.txt': '',
  });
  const scope = scopeOver(join(folder, 'root'));
  const below = await find({ scope }, '*', { path: 'a' });
  assert.deepEqual(below.files, ['.gitignore', 'b/beyond.txt', 'b/keep.log', 'b/skip.txt']);
  const deeper = await find({ scope }, '*', { path: 'a/b' });
  assert.deepEqual(deeper.files, ['beyond.txt', 'keep.log', 'skip.txt']);
});

test('applies the rules of an outer root in a nested root, too', async t => {
  const folder = tempFolder(t, { '.gitignore': '*.log', 'in/a.log': '', 'in/a.txt': '' });
  const scope = scopeOver(join(folder, 'in'), folder);
  assert.deepEqual((await find({ scope }, '*')).files, ['a.txt']);
});

test('applies only its own rules in a nested repository', async t => {
  const folder = repository(t, {
    '.gitignore': '*.log',
    'inner/.gitignore': '*.tmp',
    'inner/a.log': '',
    'inner/a.tmp': '',
    'inner/sub/b.log': '',
    'tree/.git': 'gitdir: /proj/elsewhere',
    'tree/c.log': '',
    'd.log': '',
  });
  git(join(folder, 'inner'), 'init', '--quiet');
  writeFileSync(join(folder, 'inner', '.git', 'info', 'exclude'), 'b.*');
  const files = await filesByWalk(folder);
  assert.deepEqual(files, ['.gitignore', 'inner/.gitignore', 'inner/a.log', 'tree/c.log']);
  assert.deepEqual(filesByGit(join(folder, 'inner')), ['.gitignore', 'a.log']);
});

test('finds ignored files on request, but never files in .git', async t => {
  const folder = repository(t, { '.gitignore': '*', 'a/b.log': '', 'c.log': '' });
  const found = await find({ scope: scopeOver(folder) }, '*', { includeIgnored: true });
  assert.deepEqual(found.files, ['.gitignore', 'c.log', 'a/b.log']);
  assert.deepEqual((await find({ scope: scopeOver(folder) }, '*')).files, []);
});

test('skips a .gitignore that is a link, a pipe, a folder or huge', { skip }, async t => {
  const folder = tempFolder(t, {
    'outside.txt': 'a.log',
    'root/link/a.log': '',
    'root/pipe/a.log': '',
    'root/folder/.gitignore/a.log': '',
    'root/huge/.gitignore': `a.log\n${'#'.repeat(200_000)}`,
    'root/huge/a.log': '',
    'root/usual/.gitignore': 'a.log',
    'root/usual/a.log': '',
  });
  const root = join(folder, 'root');
  symlinkSync(join(folder, 'outside.txt'), join(root, 'link', '.gitignore'));
  mkdirSync(join(root, '.git', 'info'), { recursive: true });
  symlinkSync(join(folder, 'outside.txt'), join(root, '.git', 'info', 'exclude'));
  execFileSync('mkfifo', [join(root, 'pipe', '.gitignore')]);
  const found = await find({ scope: scopeOver(root) }, 'a.log');
  assert.deepEqual(found.files, [
    'folder/.gitignore/a.log',
    'huge/a.log',
    'link/a.log',
    'pipe/a.log',
  ]);
});

test('applies rules that would be slow as a regular expression at once', async t => {
  const folder = tempFolder(t);
  const bombs = ['*a'.repeat(100), `${'**/x*a*/'.repeat(50)}z`, '*[ab]'.repeat(100)];
  writeTree(folder, {
    '.gitignore': bombs.map(bomb => `${bomb}b`).join('\n'),
    [`${'xa/'.repeat(60)}${'a'.repeat(250)}`]: '',
  });
  const start = process.cpuUsage();
  const found = await find({ scope: scopeOver(folder) }, '*');
  const { user } = process.cpuUsage(start);
  assert.equal(found.files.length, 2);
  assert.ok(user / 1000 < littleTime, `took ${user} µs`);
});
