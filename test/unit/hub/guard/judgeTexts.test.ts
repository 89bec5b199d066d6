import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { type JudgedCall, judge } from '../../../../src/hub/guard/judge.ts';
import { thisDisk } from '../../../../src/hub/guard/pathJudge.ts';
import { cpuTimeOf } from '../../../support/cpuTime.ts';
import { guardedTree } from '../../../support/guardedTree.ts';
import { guardRules } from '../../../support/guardRules.ts';
import { onlyOn } from '../../../support/systems.ts';

// What people and models write that is no path, and what is one in a form that is easily missed.

const skip = onlyOn(
  'posix',
  'what is a path is judged by the rules of Windows with the test of judge',
);

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

test('what is no path is not refused', { skip }, t => {
  const { top, refused } = tree(t);
  deepEqual(refused(placed(harmless, top)), []);
});

test('what leads outside is refused in every form', { skip }, t => {
  const { top, refused } = tree(t);
  const all = placed(harmful, top);
  deepEqual(refused(all), all);
});

/** The arguments with the path of the folder that is there in the place of `/secret`. */
function placed(some: readonly unknown[], top: string): readonly unknown[] {
  return JSON.parse(JSON.stringify(some).replaceAll(/(?<![\w.*])\/secret/g, `${top}/secret`));
}

// Calls of tools as real servers have them, and calls that name paths outside in all kinds of dress.

test('everyday calls of common servers are let through with no configuration', { skip }, t => {
  const calls = callsIn('guardHarmless');
  const kindOf = kindIn(t);
  const refused = calls.filter(call => kindOf(call) !== 'allowed').map(({ args }) => args);
  ok(calls.length >= 245, `${calls.length} calls`);
  deepEqual(refused, [
    // Both are folders of this machine, under names that say nothing.
    { operationId: 'getUser', path_params: { id: 'a/b' }, method: 'get', path: '/dev/docs' },
    { key: 'cache:/home', value: 'x' },
  ]);
});

test('a path outside that a call names as a path is refused in every dress', { skip }, t => {
  const calls = callsIn('guardHostile');
  const kindOf = kindIn(t);
  const passed = calls.filter(call => kindOf(call) !== 'denied').map(({ args }) => args);
  ok(calls.length >= 150, `${calls.length} calls`);
  deepEqual(passed, []);
});

/** The calls in a list, in which `$ROOT` stands for the only root and `$OUT` for a folder beside it. */
function callsIn(list: 'guardHarmless' | 'guardHostile'): readonly JudgedCall[] {
  const file = new URL(`../../fixtures/${list}.json`, import.meta.url);
  const groups: readonly Group[] = JSON.parse(readFileSync(file, 'utf8'));
  return groups.flatMap(({ server, tool, inputSchema, calls }) =>
    calls.map(args => ({ file: 'servers.json', server, tool, args, schema: inputSchema })),
  );
}

interface Group {
  readonly server: string;
  readonly tool: string;
  readonly inputSchema?: object;
  readonly calls: readonly object[];
}

/** A root, and links in it to what lies beside it. */
function tree(t: TestContext) {
  const names = ['src/a.ts', 'sub/deep/a', 'in.txt', 'README.md', 'package.json', 'docs/a.md'];
  const files = Object.fromEntries(names.map(name => [`root/${name}`, 'text']));
  const links = { 'root/link': 'secret', 'root/linkfile': 'secret/key' };
  return guardedTree(t, { ...files, 'secret/key': 'text' }, links);
}

/** Judges such calls as on Linux for a user who may write anywhere. */
function kindIn(t: TestContext): (call: JudgedCall) => string {
  const { top, root, scope } = tree(t);
  const disk = {
    ...thisDisk,
    isFirstThere: (path: string) => path.startsWith(top) || ofLinux.test(path),
    canBeMade: () => true,
  };
  const placed = (args: unknown) =>
    JSON.parse(JSON.stringify(args).replaceAll('$ROOT', root).replaceAll('$OUT', `${top}/secret`));
  return call => {
    const placedCall = { ...call, args: placed(call.args) };
    return judge(placedCall, { rules: guardRules(), scope, bases: [root], disk }).kind;
  };
}

const ofLinux =
  /^\/(?:bin|boot|dev|etc|home|lib|lib64|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var)(?:\/|$)/;

test('JSON in a text is looked at like arguments, names and JSON within it included', {
  skip,
}, t => {
  const { refused } = tree(t);
  const hidden = [
    { value: '{"path":"/etc/secret.txt"}' },
    { value: '[1, {"a" : "/etc/secret.txt"}]' },
    { value: '{"command":"cat /etc/secret.txt"}' },
    { value: '{"/etc/secret.txt":1}' },
    { value: '{"a":"link"}' },
    { value: '"\\u002fetc/secret.txt"' },
    { value: JSON.stringify({ deep: '{"a":"/etc/secret.txt"}' }) },
    { value: ` ${JSON.stringify(JSON.stringify(['../secret/key']))} ` },
    { path: '["in.txt","link/key"]' },
    { value: '%5B%22/etc/x%22%5D' },
    JSON.parse('{"__proto__":{"path":"/etc/secret.txt"}}'),
  ];
  deepEqual(refused(hidden), hidden);
});

test('what a name in JSON says of its value counts there, too', t => {
  const harmless = [
    { value: '{"text":"/etc/secret.txt","a":"in.txt"}' },
    { value: '{"body":{"a":"/etc/x"}}' },
    { value: '{"own":"/etc/secret.txt","a":1}' },
    { text: '{"path":"/etc/secret.txt"}' },
    { value: '{"path":' },
    { value: '[1/2, 3/4]' },
  ];
  deepEqual(tree(t).refused(harmless, { leaveNames: ['own'] }), []);
});

// The best of some runs, since what is cleared away and compiled meanwhile adds to each.
test('texts without an end cost no more than others in what is meant as JSON', t => {
  const { refused } = tree(t);
  for (const start of ['["', '{"', '["a", "']) {
    const value = start + '\\"'.repeat(19_000);
    const times = Array.from({ length: 5 }, () => cpuTimeOf(() => void refused([{ value }])));
    ok(Math.min(...times) < 100, `${start}: ${times}`);
  }
});

/** Behind a scheme that only its program knows, and without a host. */
const outside = [
  '../secret/key',
  '%2e%2e/secret/key',
  '..\\secret\\key',
  '..',
  '/etc/hosts',
  '%2Fetc%2Fhosts',
  '~/.ssh',
  '/etc/x.db?mode=ro',
];

const inside = [
  'x/../in.txt',
  'in.txt',
  'insights',
  'a:b@host:80/c,d=/e?f=/g&h=../..#/i',
  'x y/{id}',
  // A host, for all that anybody can tell.
  'link/key',
  'x/../../secret/key',
];

test('behind a scheme without a host a path has to be inside', { skip }, t => {
  const { refused } = tree(t);
  const forms = outside.flatMap(path => [
    { uri: `note://${path}` },
    { value: `My-Notes+x://${path}` },
    { command: `open 'note://${path}' --now` },
    { args: ['open', `--uri=note://${path}`] },
    { value: [{ deep: `"note://${path}"` }] },
  ]);
  deepEqual(refused(forms), forms);
  deepEqual(refused([{ db: 'sqlite:///:memory:' }, { url: 'unknown:///none' }]), []);
  deepEqual(refused(inside.map(path => ({ uri: `note://${path}` }))), []);
});

test('URLs of hosts stay what they are, however they climb', { skip }, t => {
  const schemes = ['http', 'HTTPS', 'wss', 'ftp', 'git', 'git+ssh', 's3', 'redis', 'mongodb+srv'];
  const urls = schemes.flatMap(scheme => [
    ...inside.map(path => `${scheme}://${path}`),
    `${scheme}://link/../../x`,
    `${scheme}://link/key`,
  ]);
  const others = ['data:text/plain,a..b', 'mailto:a@b.org?subject=a/../b', 'urn:a:b..c'];
  const given = [...urls, ...others].flatMap(url => [{ url }, { value: url }, { path: url }]);
  deepEqual(tree(t).refused(given), []);
});

test('in a list of lines each is looked at, and prose is not', { skip }, t => {
  const lists = ['/etc/hosts', 'link', '..\\x\nhttps://b'].map(line => ({
    anything: `https://example.org/a?b=c\r\n${line}`,
  }));
  const prose = [
    { anything: 'https://example.org/a\nhttps://example.org/b\nin.txt' },
    { anything: 'https://example.org/a is a page,\n/users and /etc/hosts are routes' },
    { message: 'https://example.org/a\n/etc/hosts' },
  ];
  deepEqual(tree(t).refused([...lists, ...prose]), lists);
});
