import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { type JudgedCall, judgePaths } from '../../../../src/domain/gate/pathsInRoots.ts';
import { thisMachine } from '../../../../src/hub/guard/thisMachine.ts';
import { cpuTimeOf } from '../../../support/cpuTime.ts';
import { guardedTree, guardRules } from '../../../support/guardRules.ts';
import { onlyOn } from '../../../support/systems.ts';

// Texts of people, models and common servers that are not paths, and paths outside in many forms.

const skip = onlyOn('posix', 'the rules of Windows are held by the test of judge');

test('lets everyday calls through with no configuration', { skip }, t => {
  const calls = callsIn('guardHarmless');
  const kindOf = kindIn(t);
  const refused = calls.filter(call => kindOf(call) !== 'allowed').map(({ args }) => args);
  ok(calls.length >= 340, `${calls.length} calls`);
  deepEqual(refused, [
    // Both are folders of this machine, under names that say nothing.
    { operationId: 'getUser', path_params: { id: 'a/b' }, method: 'get', path: '/dev/docs' },
    { key: 'cache:/home', value: 'x' },
  ]);
});

test('refuses a path outside in every form', { skip }, t => {
  const calls = callsIn('guardHostile');
  const kindOf = kindIn(t);
  const passed = calls.filter(call => kindOf(call) !== 'denied').map(({ args }) => args);
  ok(calls.length >= 240, `${calls.length} calls`);
  deepEqual(passed, []);
});

/** The calls in a list; `$ROOT` stands for the only root and `$OUT` for a folder beside it. */
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

/** A root, with links to files beside it. */
function tree(t: TestContext) {
  const names = ['src/a.ts', 'sub/deep/a', 'in.txt', 'README.md', 'package.json', 'docs/a.md'];
  const files = Object.fromEntries(names.map(name => [`root/${name}`, 'text']));
  const links = { 'root/link': 'secret', 'root/linkfile': 'secret/key' };
  return guardedTree(t, { ...files, 'secret/key': 'text' }, links);
}

/** Judges such calls as on Linux for a user who may write anywhere. */
function kindIn(t: TestContext): (call: JudgedCall) => string {
  const { top, root, scope } = tree(t);
  const machine = {
    ...thisMachine,
    isFirstThere: (path: string) => path.startsWith(top) || ofLinux.test(path),
    canBeMade: () => true,
  };
  const placed = (args: unknown) =>
    JSON.parse(JSON.stringify(args).replaceAll('$ROOT', root).replaceAll('$OUT', `${top}/secret`));
  return call => {
    const placedCall = { ...call, args: placed(call.args) };
    return judgePaths(placedCall, { rules: guardRules(), scope, bases: [root], machine }).kind;
  };
}

const ofLinux =
  /^\/(?:bin|boot|dev|etc|home|lib|lib64|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var)(?:\/|$)/;

// The best of some runs, since garbage collection and compilation add to each.
test('judges unfinished texts in JSON as quickly as others', t => {
  const { refused } = tree(t);
  for (const start of ['["', '{"', '["a", "']) {
    const value = start + '\\"'.repeat(19_000);
    const times = Array.from({ length: 5 }, () => cpuTimeOf(() => void refused([{ value }])));
    ok(Math.min(...times) < 100, `${start}: ${times}`);
  }
});

/** Behind a scheme that only its program knows, and without a host. */
const outside = [
  ...['../secret/key', '%2e%2e/secret/key', '..\\secret\\key', '..', '/etc/hosts'],
  ...['%2Fetc%2Fhosts', '~/.ssh', '/etc/x.db?mode=ro'],
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

test('a path after a scheme without a host must be inside', { skip }, t => {
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

test('leaves URLs with hosts alone, whatever their paths', { skip }, t => {
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

test('checks each line of a list, and not prose', { skip }, t => {
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
