import { deepEqual } from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { judge } from '../../../../src/hub/guard/judge.ts';
import { prepareRootFolders } from '../../../../src/server/roots/rootFolders.ts';
import { guardRules } from '../../../support/guardRules.ts';
import { thisPlatform } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

// What people and models write that is no path, and what is one in a form that is easily missed.

const harmless: readonly unknown[] = [
  { text: 'see https://example.org/secret/key and and/or 1/2' },
  { regex: '^/api/v[0-9]+/users$' },
  { pattern: '\\d{2,3}', query: '\\w{1,2}x', regex: '\\.{ts,tsx}$', formula: '\\frac{1}{2}' },
  { regex: '^(?:/api)?(?=/users)/\\d+\\.\\w+$' },
  { path: 'src/a.ts', content: 'const k = "/secret/key"; import x from "../../../y";' },
  { edits: [{ oldText: '/secret/key', newText: '../../../x' }] },
  { command: 'str_replace', old_str: '/etc', new_string: '~/x', file_text: '/etc/passwd' },
  { message: 'Fix the import of ../../../lib/x in foo; see /docs and and/or' },
  { message: "Replace '../' by './' (#12)\n\nCo-authored-by: A B <a@b.org>" },
  { prompt: 'What is in the folder above ../..? Is it 50% of A/B?' },
  { query: "SELECT a/b, '/secret/key' FROM t WHERE p LIKE '%/x' AND d = '2024/01/02'" },
  { query: 'how to cat /etc/passwd' },
  { url: 'https://example.org/a/../b?file=/etc/passwd&x=%2Fetc#/route' },
  { uri: 'https://example.org/a', source: 'npm:left-pad', target: 'es2022', destination: '' },
  { link: 'git@github.com:org/repo.git', remote: 'ssh://git@example.org/repo' },
  { pattern: '**/*.ts', include: 'src/{a,b}/**/*.{js,ts}', exclude: ['!dist/**', '*.min.js'] },
  { version: '~1.2.3', range: '^1 || >=2 <3', ruby: '~> 1.2', python: '~=1.4' },
  { ref: 'HEAD~1', base: 'origin/main', range: 'main..HEAD', other: 'v1.0...v2.0' },
  {
    type: 'text/html; charset=utf-8',
    date: '2024-01-02T03:04:05+01:00',
    time: '12:30',
    ratio: 0.5,
  },
  {
    expression: 'a / b',
    selector: 'div > a:not(.x)',
    xpath: 'count(a/b)',
    price: '$5',
    big: '100%',
  },
  { jsonpath: '$.store.book[0]', pointer: '#/definitions/x', $ref: '#/a/b' },
  { markdown: '[a](/secret/key) ~~old~~', heading: '~~old~~ new', id: '@scope/pkg@1.0.0' },
  { name: 'node_modules', package: '@types/node', image: 'docker.io/library/alpine:3' },
  { mail: 'a@b.org', phone: '+49/123', emoji: '\u{1f600}/', cron: '*/5 * * * *' },
  { command: 'npm test -- --grep "a/b" > /dev/null 2>&1; git log origin/main..HEAD~1' },
  { command: 'npm', args: ['run', 'build', '--', '--out-dir=dist', '-p', 'tsconfig.json', '.'] },
  { filename_pattern: '*.ts', targetLanguage: 'en', fileType: 'ts', dirty: 'yes', profile: 'a:b' },
  { depth: 3, flag: true, nothing: null, list: [], object: {}, empty: '' },
  { json: '{"a":1,"b":["x/y"],"text":"/secret"}', broken: '{"path":', list: '[1/2, 3/4]' },
  { body: { anything: '/secret/key', deep: [{ more: '../../x' }] } },
  { thought: 'Maybe /secret/key? No: a/b.', thoughtNumber: 1 },
  {
    image: `/9j/4AAQSkZJRgABAQ${'Ab3/x+'.repeat(60)}==`,
    url: 'data:image/jpeg;base64,/9j/4AAQSkZJRgAB',
  },
  { data: `//uQ9xAAAAAAAAAAAAAAASW5mbwAA${'Ab3/x+'.repeat(60)}` },
  { cwd: '', working_dir: '', uri: '' },
  { key: '/', separator: '/', keys: ['Control+/', '/'] },
  { xpath: '//div[@id="a"]', selector: "//button[text()='OK']" },
  { pattern: '// TODO', search: '// old', other: '/* c */ a {}' },
  { query: '/* c */ SELECT 1', message: '/api: fix the thing', prompt: '/imagine a cat' },
  { script: 'document.querySelector(\'a[href="/login"]\').click()' },
  { script: 'return 1 / 2', command: '1 / 2' },
  { command: "awk '/foo/ {print $1}' src/a.ts" },
  { command: 'grep -rn "// TODO" src | head' },
  { file: 'Makefile:12', target: '@~', ref: 'HEAD@~1', revision: 'stash@{0}' },
  { command: 'curl --url=https://example.org/a', args: ['--registry=https://example.org/npm/'] },
  { accept: '*/*', include: '**/*.ts', glob: '*' },
  { cwd: 'src', path: 'a.ts', args: ['-C', 'src'] },
  { uri: 'memo://insights', database: 'postgres://localhost/db', db: 'sqlite:///:memory:' },
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
    ['see\nthis\tand/that', 'Do it.\n./run.sh', 'Costs $5/month', 'file:\n- a', 'File:\na.ts'],
    ['\u{1f600}/x', '**/*.@(ts|js)', 'src/a{1..3}.ts', '!(x)'],
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

const harmful: readonly unknown[] = [
  { path: '/secret/key' },
  { FILE_PATH: 'link/key' },
  { outputDir: '../x' },
  { rootUri: 'file:///secret' },
  { srcFile: '..\\..\\secret' },
  { paths: { a: [{ b: 'link/key' }] } },
  { paths: { 'link/key': true } },
  { content: { path: '/secret/key' } },
  { anything: 'link/key' },
  { anything: ' "/secret/key" ' },
  { anything: '%252e%252e%252fsecret' },
  { anything: 'FiLe:///secret/key' },
  { anything: 'git+file:///secret' },
  { anything: 'C:\\secret\\key' },
  { anything: '\\\\server\\share\\key' },
  { anything: '\\\\?\\C:\\secret' },
  { anything: '~/.ssh/id_rsa' },
  { anything: '$HOME/.ssh' },
  { anything: '${HOME}' },
  { anything: '%USERPROFILE%\\.ssh' },
  { anything: 'src/../../secret' },
  { anything: 'src\\..\\..\\secret' },
  { anything: 'src/{a,../../secret}' },
  { anything: 'name=@/secret/key' },
  { anything: 'src:/secret/key' },
  { anything: 'a,../../secret' },
  { anything: 'src;/secret/key' },
  { anything: 'src:file:///secret' },
  { anything: '--output=~/x' },
  { anything: '-L../../x' },
  { anything: '-IC:\\secret' },
  { anything: '-I"/secret"' },
  { anything: '\ufeff/secret' },
  { anything: '[{"a":"[\\"/secret\\"]"}]' },
  { '["/secret/key"]': 1, '{"path":"/secret/key"}': true },
  { command: 'cat /secret/key' },
  { command: 'cat</secret/key' },
  { command: "sh -c 'cat /secret/key'" },
  { command: 'cat link/key' },
  { command: 'cat \\/secret/key' },
  { command: 'echo `cat /secret/key`' },
  { command: 'cat $HOME/.ssh/id_rsa' },
  { command: 'cat ./{x,../../secret}' },
  { command: 'cat ~/.ssh/id_rsa' },
  { args: ['-c', 'cat /secret/key; true'] },
  { args: [['if=/secret/key']] },
  { script: 'cat src/../../secret/key' },
  // URIs of what is on this machine.
  { database_url: 'sqlite:////secret/k.db' },
  { args: ['--zip-file', 'fileb:///secret/key'] },
  { command: 'aws s3 cp fileb:///secret/key s3://b' },
  { uri: 'local:///secret/key' },
  { docker_host: 'unix:///var/run/docker.sock' },
  { url: 'x://../../secret' },
  { args: ['--db=sqlite:////secret/k.db'] },
  { anything: 'unknown:///secret' },
  // Links without a slash.
  { anything: 'linkfile' },
  { anything: '@linkfile' },
  { args: ['--file=linkfile'] },
  { path: 'name=linkfile' },
  { anything: Array.from({ length: 20 }, (_, n) => (n < 19 ? `n${n}` : 'linkfile')) },
  // Changes of the folder that can fail, or add up.
  { command: 'cd src; ls ..' },
  { command: 'cd none || ls ..' },
  { command: 'cd - && ls ..' },
  { command: 'cd src && git -C .. ls ..' },
  { command: 'cd src && ls ../..' },
  // Variables.
  { command: 'cat $HOME$X/.profile' },
  { anything: '${HOME}${X}/.ssh' },
  { anything: '$env:HOME/.ssh' },
  { command: 'cat $env:HOME/.ssh' },
  // Lists.
  { path: 'x /secret/key' },
  { files: 'src ../../secret/key' },
  { paths: 'src|/secret/key' },
  { form: 'name=</secret/key' },
  { data: `${' '.repeat(101)}{"a": "/secret/key"}` },
  // Names of command lines.
  { bash: 'cat /secret/key' },
  { exec: 'cat /secret/key' },
  { options: '-v -o /secret/key' },
  { flags: '-v -o /secret/key' },
  // Close to what is let through.
  { anything: `/secret/${'key/'.repeat(90)}` },
  { image: '/secret/key/AB+/' },
  { path: `/9j/${'AAAA'.repeat(9)}` },
  { key: '/secret' },
  { script: "document.querySelector('a'); cat /secret/key" },
  { command: "awk '/foo/' /secret/key" },
  { command: "echo awk '/secret/' | xargs ls; awk '/secret/'" },
  { command: 'ls 1 / 2' },
  { file: 'linkfile:12' },
  { path: `${'src/../'.repeat(41)}link/../key` },
  JSON.parse('{"__proto__":{"path":"/secret/key"}}'),
  ['/secret/key'],
  '/secret/key',
];

test('what is no path is not refused', t => {
  const verdictOn = judgeIn(t);
  const refused = harmless.filter(args => verdictOn(args) !== 'allowed');
  deepEqual(refused, []);
});

test('what leads outside is refused in every form', t => {
  const verdictOn = judgeIn(t);
  const allowed = harmful.filter(args => verdictOn(args) !== 'denied');
  deepEqual(allowed, []);
});

function judgeIn(t: TestContext): (args: unknown) => string {
  const top = tempFolder(t);
  mkdirSync(join(top, 'secret'));
  writeTree(join(top, 'root'), { 'src/a.ts': 'text', 'sub/deep/a': '' });
  writeTree(top, { 'secret/key': 'text' });
  symlinkSync(join(top, 'secret/key'), join(top, 'root/linkfile'));
  symlinkSync(join(top, 'secret'), join(top, 'root/link'), 'junction');
  const root = join(top, 'root');
  const { scope } = prepareRootFolders([{ uri: pathToFileURL(root).href }], thisPlatform);
  const judging = { rules: guardRules(), scope, bases: [root] };
  const placed = (args: unknown) =>
    JSON.parse(JSON.stringify(args).replaceAll(/(?<![\w.*])\/secret/g, `${top}/secret`));
  return args => judge({ server: 'server', tool: 'tool', args: placed(args) }, judging).kind;
}
