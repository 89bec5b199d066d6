import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { judgePaths, type PathsVerdict } from '../../../../src/domain/gate/pathsInRoots.ts';
import type { Rules } from '../../../../src/domain/guard/guardRules.ts';
import type { GuardMachine } from '../../../../src/domain/guard/pathJudge.ts';
import type { PathPlatform } from '../../../../src/domain/paths/pathNames.ts';
import { PathScope } from '../../../../src/domain/paths/pathScope.ts';
import { thisMachine } from '../../../../src/hub/guard/thisMachine.ts';
import type { RootFolder } from '../../../../src/server/roots/rootFolders.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { cpuTimeOf, littleTime } from '../../../support/cpuTime.ts';
import { globs, guardedTree, guardRules, lexicalDisk } from '../../../support/guardRules.ts';
import { inPlace } from '../../../support/rootFolder.ts';
import { skipLinks } from '../../../support/systems.ts';
import { said } from '../../../support/texts.ts';

const out = { path: '/secret/key' };

test('a refusal names the path, the roots, the argument, and the key that lets it pass', () => {
  const verdict = judgeLexically(guardRules(), 'linux', { deep: [out] });
  const message = verdict.kind === 'denied' ? verdict.message : '';
  deepEqual(message.match(/'[^']+'|"[^"]+"|\[\/[^\]]+\]|hub\.json/g), [
    ...["'/secret/key'", '[/ws/app, /ws/lib]', '"deep[0].path"', '"read"'],
    ...['"leaveNames"', '"path"', '"guard"', '"files"', 'hub.json'],
  ]);
  const byRule = judgeLexically(guardRules({ deny: globs('a') }), 'linux', { path: 'a' });
  doesNotMatch(byRule.kind === 'denied' ? byRule.message : 'leaveNames', /leaveNames/);
});

test('a refusal has a reason', () => {
  const reasonOf = (path: string, rules = guardRules()) => {
    const verdict = judgeLexically(rules, 'linux', { path });
    const reason = verdict.kind === 'denied' ? said(verdict.reason) : verdict.kind;
    // Which of its reasons the reader of paths gives is held by its own tests.
    return reason.replace(/^(pathInput|pathNames)\..*/, '$1');
  };
  foundAsExpected({
    outside: [reasonOf('/secret/key'), 'pathsInRoots.denialText.reason()'],
    odd: [reasonOf('a\n\u202e/../../../x'), 'pathsInRoots.denialText.reason()'],
    encoded: [reasonOf('/ws/app/%2e%2e/..'), 'pathsInRoots.rewritable()'],
    home: [reasonOf('~/x'), 'pathInput'],
    'too long': [reasonOf(`/${'x'.repeat(300)}`), 'pathNames'],
    denied: [reasonOf('.env', guardRules({ deny: globs('.env') })), 'pathJudge.globReasons.deny()'],
    'not allowed': [
      reasonOf('b', guardRules({ allow: globs('a') })),
      'pathJudge.globReasons.allow()',
    ],
  });
});

test('refuses existing and missing paths outside in the same words', t => {
  const { verdictOn, top } = folder(t);
  const messages = ['secret/key', 'secret/none'].map(name => {
    const verdict = verdictOn(guardRules(), { path: join(top, name) });
    return verdict.kind === 'denied' ? verdict.message.replace(join(name), '') : verdict.kind;
  });
  match(messages[0] ?? '', /^Access denied/);
  equal(messages[0], messages[1]);
});

test('names the real paths that it judged, at most twenty', { skip: skipLinks }, t => {
  const { verdictOn, root } = folder(t);
  const paths = ['src/a.ts', './src/../src/a.ts', join(root, 'alias/a.ts')];
  deepEqual(verdictOn(guardRules(), { paths, content: '/x' }), {
    kind: 'allowed',
    paths: [join(root, 'src/a.ts')],
  });
  const many = verdictOn(guardRules(), { paths: Array.from({ length: 30 }, (_, n) => `f${n}`) });
  equal(many.kind === 'allowed' && many.paths.length, 20);
});

test('a switched-off guard checks nothing, unless a tool switches it on', () => {
  const kind = (...rules: Parameters<typeof guardRules>) =>
    judgeLexically(guardRules(...rules), 'linux', out).kind;
  const [off, on] = [{ check: 'off' } as const, { check: 'on' } as const];
  deepEqual([kind(off), kind(off, on), kind({}, off)], ['unchecked', 'denied', 'unchecked']);
});

test('skips or checks names as the configuration says, rules of the tool first', () => {
  const kind = (args: unknown, ...rules: Parameters<typeof guardRules>) =>
    judgeLexically(guardRules(...rules), 'linux', args).kind;
  const route = { Route: '/users', deep: { path: 'a' } };
  const [text, item] = [{ text: '/secret/key' }, { myItem: '~b' }];
  const checked = { checkNames: ['text'] };
  foundAsExpected({
    left: [kind(route, { leaveNames: ['route'] }), 'allowed'],
    'left with all in it': [
      kind({ apiPath: { path: '/x', more: ['/y'] } }, { leaveNames: ['api_path'] }),
      'allowed',
    ],
    'left in JSON': [kind({ value: '{"own":"/secret/key"}' }, { leaveNames: ['own'] }), 'allowed'],
    'checked by its tool': [
      kind(out, { leaveNames: ['path'] }, { checkNames: ['PATH'] }),
      'denied',
    ],
    checked: [kind(text, checked), 'denied'],
    'left by its tool': [kind(text, checked, { leaveNames: ['text'] }), 'allowed'],
    'checked in other letters': [kind(item, { checkNames: ['my-item'] }), 'denied'],
    neither: [kind(item), 'allowed'],
  });
});

test('finds paths in contents by patterns of the configuration', () => {
  const rules = guardRules({ pathPatterns: [/include "(.*?)"/] }, { pathPatterns: [/<\S+>/] });
  const kind = (text: string) => judgeLexically(rules, 'linux', { text }).kind;
  deepEqual(
    [kind('include "a"; include "/secret"'), kind('include "a"'), kind('</secret>'), kind('/x')],
    ['denied', 'allowed', 'allowed', 'allowed'],
  );
});

test('stops a pattern that takes too long on a text', () => {
  const rules = guardRules({ pathPatterns: [/\s*,\s*([^,]+)$/] });
  let verdict: PathsVerdict | undefined;
  const taken = cpuTimeOf(() => {
    verdict = judgeLexically(rules, 'linux', { content: ' '.repeat(300_000) });
  });
  equal(
    verdict?.kind === 'denied' && verdict.reason,
    'Checking the arguments would take too long.',
  );
  ok(taken < littleTime, `took ${taken} ms`);
  equal(judgeLexically(rules, 'linux', { content: 'a, b' }).kind, 'allowed');
});

test('denies a path without a slash and after an option, too', { skip: skipLinks }, t => {
  const { verdictOn } = folder(t);
  const rules = guardRules({ deny: globs('**/.env', 'src/a.ts') });
  const refused = [
    ...[{ anything: '.env' }, { anything: '@.env' }, { revision: 'HEAD:.env' }],
    ...[{ args: ['--file=.env'] }, { paths: ['src', '.env'] }, { command: 'cat .env' }],
    ...[{ anything: 'plain' }, { anything: 'src/a.ts' }],
  ];
  const allowed = [{ query: '.env' }, { anything: '.envrc' }, { command: 'ls *' }, { glob: '*' }];
  const isDenied = (args: object) => verdictOn(rules, args).kind === 'denied';
  deepEqual([...refused, ...allowed].filter(isDenied), refused);
});

test('globs narrow a root for the given path and for its target', {
  skip: skipLinks,
}, t => {
  const { verdictOn } = folder(t);
  const allow = (path: string) => verdictOn(guardRules({ allow: globs('src/**') }), { path }).kind;
  deepEqual(['src/a.ts', 'src/new/b.ts', 'src', '.', 'other/b', 'alias/a.ts'].map(allow), [
    ...['allowed', 'allowed', 'allowed', 'denied', 'denied', 'denied'],
  ]);
  const rules = guardRules({ deny: globs('**/.env') }, { deny: globs('other') });
  const denied = [
    ...[{ path: '.env' }, { path: 'src/.env/x' }, { path: 'plain' }, { anything: 'src/.env' }],
    ...[{ path: '.env ' }, { path: 'other/b' }],
  ];
  const allowed = [{ path: '.envrc' }, { message: 'never commit src/.env here' }];
  const isDenied = (args: object) => verdictOn(rules, args).kind === 'denied';
  deepEqual([...denied, ...allowed].filter(isDenied), denied);
});

test('globs ignore letter case where the file system does', () => {
  const rules = guardRules({ deny: globs('**/.env', 'KEYS/**') });
  const kind = (platform: PathPlatform, path: string) =>
    judgeLexically(rules, platform, { path }).kind;
  const paths = ['a/.ENV', 'a/.e\u200cnv', 'KEYS/a', 'keys/a'];
  const kinds = (['linux', 'darwin', 'win32'] as const).map(platform =>
    paths.map(path => kind(platform, path)).join(),
  );
  deepEqual(kinds, [
    'allowed,allowed,denied,allowed',
    'denied,denied,denied,denied',
    'denied,denied,denied,denied',
  ]);
});

test('a relative path must be inside from every folder where it may start', t => {
  const { scope, root, top } = folder(t);
  const kind = (args: unknown, ...bases: readonly string[]) =>
    judgePaths(
      { file: 'hub.json', server: 'files', tool: 'read', args },
      { rules: guardRules(), scope, bases, machine: thisMachine },
    ).kind;
  const sub = join(root, 'src');
  foundAsExpected({
    'from below the root': [kind({ path: '../x' }, sub), 'allowed'],
    'from the root, too': [kind({ path: '../x' }, root, sub), 'denied'],
    'from above, too': [kind({ path: 'a.ts' }, root, top), 'denied'],
    'no path': [kind({ anything: 'text/plain' }, root, top), 'allowed'],
    'from beside': [kind({ anything: '../root/a' }, root, join(top, 'a/b')), 'denied'],
  });
});

test('refuses every path without roots, and nothing else', () => {
  const scope = new PathScope<RootFolder>([], 'linux');
  const judging = { rules: guardRules(), scope, bases: [], machine: thisMachine };
  const kind = (args: unknown) =>
    judgePaths({ file: 'hub.json', server: 'files', tool: 'read', args }, judging).kind;
  deepEqual(
    [out, { path: 'a' }, { x: '../a' }, { x: 'and/or', url: 'https://x/y' }, {}].map(kind),
    ['denied', 'denied', 'denied', 'allowed', 'allowed'],
  );
});

// Texts that only Windows takes for a path, and texts that only Windows does not. No disk is read.

const harmful: readonly unknown[] = [
  { anything: 'C:secret\\key' },
  { args: ['C:secret\\key'] },
  { anything: '\\Program Files (x86)\\x' },
  { anything: "\\Users\\O'Brien\\x" },
  { args: ['\\Users\\Jürgen\\.ssh\\id'] },
  { command: 'type \\Users\\J-ü\\x' },
  { anything: '%HOMEDRIVE%%HOMEPATH%\\.ssh' },
  { anything: '$env:USERPROFILE\\.ssh' },
  { command: 'type $env:USERPROFILE\\.ssh\\id' },
  { database_url: 'sqlite:///C:\\secret\\k.db' },
  { args: ['--db=sqlite:///c:/secret/k.db', 'vscode://file/c:/secret/key'] },
  { anything: 'src/a.ts,file:///e:/secret/key' },
  { command: 'aws s3 cp fileb://C:\\secret\\key s3://b' },
];

const harmless: readonly unknown[] = [
  { command: 'findstr /s foo *.ts' },
  { command: 'dir /b src' },
  { args: ['/c', 'dir'] },
  { regex: '\\bfoo\\b', other: '\\d+\\w', price: '¥100' },
  { format: 'h:mm', map: 'a:b', time: '12:30' },
  { path: '.\\.\\src\\a.ts', command: 'cd' },
];

test('refuses paths outside in every form of Windows, and nothing else', () => {
  const isRefused = (args: unknown) => verdictOnWindows(args) === 'denied';
  deepEqual([...harmful, ...harmless].filter(isRefused), harmful);
});

function verdictOnWindows(args: unknown): string {
  const isFirstThere = (path: string) => /^D:\\(?:Users|Program Files[^\\]*)\\/.test(path);
  return judgeLexically(guardRules(), 'win32', args, { isFirstThere }).kind;
}

/** Judges in two roots that no disk has. */
function judgeLexically(
  rules: Rules,
  platform: PathPlatform,
  args: unknown,
  machine: Partial<GuardMachine> = {},
): PathsVerdict {
  const paths = platform === 'win32' ? ['D:\\ws\\app', 'D:\\ws\\lib'] : ['/ws/app', '/ws/lib'];
  const foldsCase = platform !== 'linux';
  const roots = paths.map(path => ({
    uri: path,
    announced: path,
    real: path,
    foldsCase,
    ...inPlace,
  }));
  const scope = new PathScope<RootFolder>(roots, platform);
  const locate = (_: unknown, path: string) => {
    const root = scope.find(path);
    return root
      ? ({ ok: true, value: { root, real: path, exists: true, there: path } } as const)
      : ({ ok: false, kind: 'outside', message: '' } as const);
  };
  const judging = { rules, scope, bases: paths.slice(0, 1) };
  const whole = { ...judging, machine: { ...lexicalDisk, locate, ...machine } };
  return judgePaths({ file: 'hub.json', server: 'files', tool: 'read', args }, whole);
}

function folder(t: TestContext) {
  const files = { 'root/src/a.ts': '', 'root/other/b': '', 'root/.env': '', 'secret/key': '' };
  const links = { 'root/alias': 'root/src', 'root/plain': 'root/.env' };
  const tree = guardedTree(t, files, links);
  return { ...tree, verdictOn: (rules: Rules, args: unknown) => tree.verdictOn(args, { rules }) };
}
