import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Glob, readGlobs } from '../../../../src/domain/glob/glob.ts';
import type { RuleSet, Rules } from '../../../../src/domain/guard/guardRules.ts';
import type { PathPlatform } from '../../../../src/domain/paths/pathNames.ts';
import { PathScope } from '../../../../src/domain/paths/pathScope.ts';
import { judge, type Verdict } from '../../../../src/hub/guard/judge.ts';
import type { GuardDisk } from '../../../../src/hub/guard/pathJudge.ts';
import type { RootFolder } from '../../../../src/server/roots/rootFolders.ts';
import { cpuTimeOf, littleTime } from '../../../support/cpuTime.ts';
import { guardedTree } from '../../../support/guardedTree.ts';
import { guardRules, lexicalDisk } from '../../../support/guardRules.ts';
import { inPlace } from '../../../support/rootFolder.ts';
import { skipLinks } from '../../../support/systems.ts';

const out = { path: '/secret/key' };

test('a refusal says which path, which roots and, where that helps, why', () => {
  const message = (args: unknown, rules = guardRules()) => {
    const verdict = judgeLexically(rules, 'linux', args);
    return verdict.kind === 'denied' ? verdict.message : verdict.kind;
  };
  const start = (path: string) => `Access denied: Path '${path}' is outside the allowed roots`;
  const end =
    'It is the argument "path" of the tool "read". If that is never a local path, ' +
    'add "leaveNames": ["path"] to the server "files" in hub.json.';
  const roots = 'boundaries. Current roots: [/ws/app, /ws/lib].';
  deepEqual(
    [
      message(out),
      message({ path: 'a\n\u202e/../../../x' }),
      message({ path: '/ws/app/%2e%2e/..' }),
      message({ path: '~/x' }),
      message({ path: `/${'x'.repeat(300)}` }),
      message({ path: '/ws/app/.env' }, guardRules({ deny: globs('.env') })),
    ],
    [
      `${start('/secret/key')} ${roots} ${end}`,
      `${start('a\\u000a\\u202e/../../../x')} ${roots} ${end}`,
      `${start('/ws/app/%2e%2e/..')} ${roots} ` +
        `It could be expanded or decoded to something outside: write the plain path. ${end}`,
      `${start('~/x')} ${roots} ` +
        `It starts with "~", which is not expanded: write the whole path. ${end}`,
      `${start(`/${'x'.repeat(199)}`)} ${roots} It holds a name longer than a file name can be. ${end}`,
      "Access denied: Path '/ws/app/.env' is inside the roots, but refused by a rule. " +
        'Current roots: [/ws/app, /ws/lib]. ' +
        'The "deny" globs in the configuration of the hub leave it out. ' +
        'It is the argument "path" of the tool "read".',
    ],
  );
});

test('outside, what exists and what does not is refused in the same words', t => {
  const { verdictOn, top } = folder(t);
  const messages = ['secret/key', 'secret/none'].map(name => {
    const verdict = verdictOn(guardRules(), { path: join(top, name) });
    return verdict.kind === 'denied' ? verdict.message.replace(join(name), '') : verdict.kind;
  });
  match(messages[0] ?? '', /^Access denied/);
  equal(messages[0], messages[1]);
});

test('what was judged is named as it really is, at most twenty of it', { skip: skipLinks }, t => {
  const { verdictOn, root } = folder(t);
  const paths = ['src/a.ts', './src/../src/a.ts', join(root, 'alias/a.ts')];
  deepEqual(verdictOn(guardRules(), { paths, content: '/x' }), {
    kind: 'allowed',
    paths: [join(root, 'src/a.ts')],
  });
  const many = verdictOn(guardRules(), { paths: Array.from({ length: 30 }, (_, n) => `f${n}`) });
  equal(many.kind === 'allowed' && many.paths.length, 20);
});

test('a switched-off guard checks nothing, and a tool says otherwise for itself', () => {
  const kinds = [
    guardRules({ guard: 'off' }),
    guardRules({ guard: 'off' }, { guard: 'on' }),
    guardRules({}, { guard: 'off' }),
  ].map(rules => judgeLexically(rules, 'linux', out).kind);
  deepEqual(kinds, ['unchecked', 'denied', 'unchecked']);
});

test('names are left or checked as the configuration says, those of the tool before the others', () => {
  const kinds = (server: Partial<RuleSet>, tool: Partial<RuleSet>, args: unknown) =>
    judgeLexically(guardRules(server, tool), 'linux', args).kind;
  deepEqual(
    [
      kinds({ leaveNames: ['route'] }, {}, { Route: '/users', deep: { path: 'a' } }),
      kinds({ leaveNames: ['api_path'] }, {}, { apiPath: { path: '/x', more: ['/y'] } }),
      kinds({ leaveNames: ['path'] }, { checkNames: ['PATH'] }, out),
      kinds({ checkNames: ['text'] }, {}, { text: '/secret/key' }),
      kinds({ checkNames: ['text'] }, { leaveNames: ['text'] }, { text: '/secret/key' }),
      kinds({ checkNames: ['my-item'] }, {}, { myItem: '~b' }),
      kinds({}, {}, { myItem: '~b' }),
    ],
    ['allowed', 'allowed', 'denied', 'denied', 'allowed', 'denied', 'allowed'],
  );
});

test('patterns of the configuration find paths in contents too', () => {
  const rules = guardRules({ pathPatterns: [/include "(.*?)"/] }, { pathPatterns: [/<\S+>/] });
  const kind = (text: string) => judgeLexically(rules, 'linux', { text }).kind;
  deepEqual(
    [kind('include "a"; include "/secret"'), kind('include "a"'), kind('</secret>'), kind('/x')],
    ['denied', 'allowed', 'allowed', 'allowed'],
  );
});

test('patterns that would take too long on a text are not waited for', () => {
  const rules = guardRules({ pathPatterns: [/\s*,\s*([^,]+)$/] });
  let verdict: Verdict | undefined;
  const taken = cpuTimeOf(() => {
    verdict = judgeLexically(rules, 'linux', { content: ' '.repeat(300_000) });
  });
  equal(verdict?.kind === 'denied' && verdict.reason, 'That would take too long.');
  ok(taken < littleTime, `took ${taken} ms`);
  equal(judgeLexically(rules, 'linux', { content: 'a, b' }).kind, 'allowed');
});

test('what is denied is so without a slash, and behind an option', { skip: skipLinks }, t => {
  const { verdictOn } = folder(t);
  const rules = guardRules({ deny: globs('**/.env', 'src/a.ts') });
  const refused = [
    { anything: '.env' },
    { anything: '@.env' },
    { revision: 'HEAD:.env' },
    { args: ['--file=.env'] },
    { paths: ['src', '.env'] },
    { command: 'cat .env' },
    { anything: 'plain' },
    { anything: 'src/a.ts' },
  ].map(args => verdictOn(rules, args).kind);
  deepEqual(new Set(refused), new Set(['denied']));
  const allowed = [{ query: '.env' }, { anything: '.envrc' }, { command: 'ls *' }, { glob: '*' }];
  deepEqual(
    allowed.map(args => verdictOn(rules, args).kind),
    ['allowed', 'allowed', 'allowed', 'allowed'],
  );
});

test('globs narrow a root, for the path as given and for where it leads', {
  skip: skipLinks,
}, t => {
  const { verdictOn } = folder(t);
  const allow = (path: string) => verdictOn(guardRules({ allow: globs('src/**') }), { path }).kind;
  deepEqual(['src/a.ts', 'src/new/b.ts', 'src', '.', 'other/b', 'alias/a.ts'].map(allow), [
    'allowed',
    'allowed',
    'allowed',
    'denied',
    'denied',
    'denied',
  ]);
  const rules = guardRules({ deny: globs('**/.env') }, { deny: globs('other') });
  const deny = (args: unknown) => verdictOn(rules, args).kind;
  deepEqual(
    [
      { path: '.env' },
      { path: 'src/.env/x' },
      { path: 'plain' },
      { anything: 'src/.env' },
      { path: '.env ' },
      { path: 'other/b' },
      { path: '.envrc' },
      { message: 'never commit src/.env here' },
    ].map(deny),
    ['denied', 'denied', 'denied', 'denied', 'denied', 'denied', 'allowed', 'allowed'],
  );
});

test('where the file system folds letter case, globs do so too', () => {
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

test('a relative path has to be inside from every folder it may start in', t => {
  const { scope, root, top } = folder(t);
  const kind = (args: unknown, ...bases: readonly string[]) =>
    judge(
      { file: 'hub.json', server: 'files', tool: 'read', args },
      { rules: guardRules(), scope, bases },
    ).kind;
  const sub = join(root, 'src');
  deepEqual(
    [
      kind({ path: '../x' }, sub),
      kind({ path: '../x' }, root, sub),
      kind({ path: 'a.ts' }, root, top),
      kind({ anything: 'text/plain' }, root, top),
      kind({ anything: '../root/a' }, root, join(top, 'a/b')),
    ],
    ['allowed', 'denied', 'denied', 'allowed', 'denied'],
  );
});

test('without roots every path is refused, and nothing else', () => {
  const scope = new PathScope<RootFolder>([], 'linux');
  const judging = { rules: guardRules(), scope, bases: [] };
  const kind = (args: unknown) =>
    judge({ file: 'hub.json', server: 'files', tool: 'read', args }, judging).kind;
  deepEqual(
    [out, { path: 'a' }, { x: '../a' }, { x: 'and/or', url: 'https://x/y' }, {}].map(kind),
    ['denied', 'denied', 'denied', 'allowed', 'allowed'],
  );
});

// What only Windows takes for a path, and what only there is none. No disk is looked at.

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

test('what leads outside on Windows is refused in every form', () => {
  deepEqual(
    harmful.filter(args => verdictOnWindows(args) !== 'denied'),
    [],
  );
});

test('what is no path on Windows is not refused', () => {
  deepEqual(
    harmless.filter(args => verdictOnWindows(args) !== 'allowed'),
    [],
  );
});

function verdictOnWindows(args: unknown): string {
  const isFirstThere = (path: string) => /^D:\\(?:Users|Program Files[^\\]*)\\/.test(path);
  return judgeLexically(guardRules(), 'win32', args, { isFirstThere }).kind;
}

function globs(...texts: readonly string[]): Glob | undefined {
  const read = readGlobs(texts, 'entry-and-below');
  return read.ok ? read.glob : undefined;
}

/** Judges in two roots that no disk has. */
function judgeLexically(
  rules: Rules,
  platform: PathPlatform,
  args: unknown,
  disk: Partial<GuardDisk> = {},
): Verdict {
  const paths = platform === 'win32' ? ['D:\\ws\\app', 'D:\\ws\\lib'] : ['/ws/app', '/ws/lib'];
  const roots = paths.map(path => ({
    uri: path,
    announced: path,
    real: path,
    foldsCase: platform !== 'linux',
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
  const whole = { ...judging, disk: { ...lexicalDisk, locate, ...disk } };
  return judge({ file: 'hub.json', server: 'files', tool: 'read', args }, whole);
}

function folder(t: TestContext) {
  const files = { 'root/src/a.ts': '', 'root/other/b': '', 'root/.env': '', 'secret/key': '' };
  const links = { 'root/alias': 'root/src', 'root/plain': 'root/.env' };
  const tree = guardedTree(t, files, links);
  return { ...tree, verdictOn: (rules: Rules, args: unknown) => tree.verdictOn(args, { rules }) };
}
