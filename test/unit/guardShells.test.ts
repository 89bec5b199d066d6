import { deepEqual } from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readGlobs } from '../../src/domain/glob/glob.ts';
import { judge } from '../../src/server/hub/guard/judge.ts';
import { prepareRootFolders } from '../../src/server/roots/rootFolders.ts';
import { guardRules } from '../support/guardRules.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

// What shells, parsers of URLs and programs in C make of a text, and what only looks like that.

const commands: readonly string[] = [
  // Words in variables.
  'cat ${x:-/secret/key}',
  'cat "${x-/secret/key}"',
  'cat ${PATH:+/secret/key}',
  'cat ${x:=/secret/key}',
  'cat ${x:-${y:-/secret/key}}',
  'cat ${PATH/*//secret/key}',
  'cat --file=${x:-/secret/key}',
  'cat ${x:-../secret/key}',
  'cat ${x:-link/key}',
  'cat ${x:-$HOME}',
  'cat ${HOME%x}',
  'cat ${a:-l}${b}ink/key',
  // Parameters, which are empty.
  'cat $1/secret/key',
  'cat $@/secret/key',
  'cat $-/secret/key',
  'cat $!/secret/key',
  'cat .$1./secret/key',
  'cat .$*./secret',
  'cat l$1ink/key',
  "cat $'\\057secret/key'",
  "cat $'..\\x2fsecret/key'",
  // Ranges and wildcards.
  'cat {k..m}ink/key',
  'cat {a..z}{a..z}nk/key',
  'cat v{1..300}/key',
  'cat .en{u..w}',
  'cat @(link)/key',
  'cat [[=l=]]ink/key',
  'cat **/key',
  // Home again.
  'cd',
  'cd; cat .ssh/id',
  'cd && cat .ssh/id',
  'cd\ncat .ssh/id',
  'cd -P; cat .ssh/id',
  'cd $1; cat .ssh/id',
  'cd 2>/dev/null; cat .ssh/id',
  'true && \\cd && cat .ssh/id',
  'builtin cd; cat .ssh/id',
  'sh -c "cd; cat .ssh/id"',
];

const harmful: readonly unknown[] = [
  ...commands.map(command => ({ command })),
  ...[
    ['$1/secret/key', '.$@./secret/key', '.${@}./secret', 'l$1ink/key', '${x:-link/key}'],
    ['.\\./secret/key', 'l\\ink/key', '{k..m}ink/key', 'l{i..i}nk/key', '.en{u..w}', 'v{1..300}'],
    ['@(link)/key', '+(l)ink/key', '!(x)/key', '?(link)', '*(link)', '@(.env)', '@(l|+(x))ink'],
    ['[[=l=]]ink/key', '[[.l.]]ink/key', '[[:none:]]ink/key', '[]l]ink/key'],
    ['link?x', 'link#x', '.env?x=/y', '.\t./secret/key', 'li\r\nnk/key'],
  ]
    .flat()
    .map(path => ({ path })),
  ...['@(link)/key', '[[:alpha:]]ink/key', '[[=l=]]ink/key', '!(x)/key'].map(pattern => ({
    pattern,
  })),
  ...[
    ['${x:-/secret/key}', '${x-/secret/key}', '${x:-../secret}', '${HOME%x}', '$@/secret/key'],
    ['.$1./secret/key', '.\t./secret/key', 'fi\tle:///secret/key', 'f\nile:/\n/\n/secret/key'],
    ['..\0x', 'link\0x', '\udcff/key', '\udcff'],
  ]
    .flat()
    .map(anything => ({ anything })),
  { query: 'fi\tle:///secret/key' },
  { url: 'fi\r\nle:/secret/key' },
  { href: 'fi\tle:secret' },
];

const harmless: readonly unknown[] = [
  ...[
    ['$1', '$10.50', '$1/$2', '$1/foo', '$&', '${name}', '${a.b}', 'Hello ${name}!', '${n:-src}'],
    [
      '\\.\\./lib',
      '..?',
      '\\d+\\.\\d+',
      'foo#bar',
      'a?b',
      '{0..1}',
      'foo@(bar)',
      '[1/2',
      '[[1/2]]',
    ],
    [
      'see\nthis\tand/that',
      'Do it.\n./run.sh',
      'Costs $5/month',
      'file:\n- a',
      'File:\na.ts',
      '\u{1f600}/x',
    ],
    ['**/*.@(ts|js)', 'src/a{1..3}.ts', '!(x)'],
  ]
    .flat()
    .map(anything => ({ anything })),
  ...['src/a\\ b', 'Price $5.txt', 'a$1.txt', '$1', 'C#/x', 'what?', 'app/(.)photo/[id]'].map(
    path => ({ path }),
  ),
  ...[
    ['echo $1 $? $# $!', 'echo ${name:-x}', 'echo {a..c} {1..5}', 'touch src/f{1..100}.txt'],
    ["awk '{print $1/1024}' f", "awk '{print $1/$2}' f", "awk 'NR>1 {s+=$1} END {print s/NR}' f"],
    ['for d in a b; do cd $d; ls; done', 'cd "$d" && ls', 'cd src; ls', 'abcd; ls'],
    ['grep -c "cd" f', "grep -E 'cd|ls' f", 'git commit -m "add cd"', 'npm run ci-cd'],
  ]
    .flat()
    .map(command => ({ command })),
  { replacement: '$1/$2', replace: '$1/foo' },
  { uri: 'https://example.org/a?b#c', other: '#top' },
];

test('what a shell or a parser would make of a text is refused where that leads outside', t => {
  const { verdictOn } = judgeIn(t);
  const allowed = harmful.filter(args => verdictOn(args) !== 'denied');
  deepEqual(allowed, []);
});

test('what only looks like something that a shell expands is not refused', t => {
  const { verdictOn } = judgeIn(t);
  const refused = harmless.filter(args => verdictOn(args) !== 'allowed');
  deepEqual(refused, []);
});

test('a sign of a URI in the name of a root or of a folder above it is one like any other', t => {
  const { root, verdictOn } = judgeIn(t);
  const paths = ['a.ts', 'b?c#d', 'link#x', 'link?x'].map(name => join(root, name));
  deepEqual(
    paths.map(path => verdictOn({ path })),
    ['allowed', 'allowed', 'denied', 'denied'],
  );
});

function judgeIn(t: TestContext) {
  const top = tempFolder(t);
  mkdirSync(join(top, 'secret'));
  const root = join(top, 'c# projects/root');
  writeTree(root, { 'src/a.ts': 'text', '.env': 'text' });
  for (const name of ['link', 'v12']) {
    symlinkSync(join(top, 'secret'), join(root, name), 'junction');
  }
  const { scope } = prepareRootFolders([{ uri: pathToFileURL(root).href }], 'linux');
  const deny = readGlobs(['**/.env'], 'entry-and-below');
  const rules = guardRules({ deny: deny.ok ? deny.glob : undefined });
  return { root, verdictOn: (args: unknown) => judge(args, rules, scope, [root]).kind };
}
