import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { parsePath } from '../../../../src/domain/paths/pathInput.ts';
import type { PathPlatform } from '../../../../src/domain/paths/pathNames.ts';
import { PathScope, type ScopeRoot } from '../../../../src/domain/paths/pathScope.ts';
import { sentence } from '../../../../src/domain/sentence.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { saidBy } from '../../../support/texts.ts';

// The cases of `adversarial-paths.json` are in pathScopeCases.test.ts; these are what they leave out.

test('refuses an invalid path with the reason', () => {
  const cases: readonly (readonly [platform: PathPlatform, input: unknown, outcome: string])[] = [
    ['linux', '', 'textProblem()'],
    ['linux', 7, 'parsePath()'],
    ['linux', '/a\ud800', 'textProblem()'],
    ['linux', 'x'.repeat(4096), 'textProblem()'],
    ['linux', 'file:///ws/a ', 'uriProblem()'],
    ['linux', 'file:///ws?', 'uriProblem()'],
    ['linux', 'file:ws', 'uriProblem()'],
    ['linux', 'file:///ws/%ff', 'pathOfFileUri.reason()'],
    ['linux', 'a:b', 'otherScheme()'],
    ['win32', 'x/'.repeat(2048), 'textProblem()'],
    ['win32', '\\\\server', 'win32Problem()'],
    ['win32', 'C:', 'win32Problem()'],
    ['win32', '//?/C:/ws', 'win32Problem()'],
    ['win32', '\\??\\C:\\ws', 'win32Problem()'],
    ['win32', 'a<b', 'win32NameProblem()'],
    ['win32', 'file:///c:', 'C:\\'],
  ];
  deepEqual(
    cases.map(([platform, input]) => {
      const parsed = parsePath(input, platform, platform === 'win32' ? 'C:\\ws' : '/ws');
      return [platform, input, parsed.ok ? parsed.path : reasonOf(parsed)];
    }),
    cases,
  );
  // Also a path that its starting folder makes too long.
  const base = `/${'b'.repeat(250)}/${'c'.repeat(250)}`;
  const long = parsePath(`${'d'.repeat(200)}/`.repeat(19), 'linux', base);
  equal(long.ok || reasonOf(long), 'textProblem()');
});

function reasonOf({ reason }: { readonly reason: string }): string {
  return saidBy(sentence(reason)).replace(/^\w+\./, '');
}

test('refuses devices of Windows with any suffix, and not names that only look alike', () => {
  const isPath = (name: string) => parsePath(`C:\\ws\\${name}`, 'win32').ok;
  const devices = [
    ...['con', 'PRN.txt', 'Aux .log', 'nul', 'COM9'],
    ...['lpt1.a.b', 'COM²', 'CONIN$', 'CLOCK$'],
  ];
  const files = ['cons', 'console.log', 'com', 'com0x', 'lpt', 'null', 'aux-1', 'my.con'];
  deepEqual([devices.filter(isPath), files.filter(isPath)], [[], files]);
});

test('normalizes a path once, with one spelling of drive and share', () => {
  const spellings: readonly (readonly [PathPlatform, input: string, path: string])[] = [
    ['linux', '/ws//a/./b/../c/', '/ws/a/c'],
    ['win32', 'c:/ws\\a\\..\\b\\', 'C:\\ws\\b'],
    ['win32', '\\\\SERVER\\Share\\A', '\\\\server\\share\\A'],
    ['win32', 'file://SERVER/Share/A%20b', '\\\\server\\share\\A b'],
    ['win32', 'file:///c%3A/ws', 'C:\\ws'],
    ['win32', 'file:////SERVER/Share/a', '\\\\server\\share\\a'],
    ['win32', 'file://///server/share', '\\\\server\\share\\'],
  ];
  for (const [platform, input, path] of spellings) {
    deepEqual(parsePath(input, platform), { ok: true, path });
  }
  const devices = ['?/C:/x', './pipe/x', '%2e/pipe/x', '%3F/C:/x', 'a/../%3F/C:/x', 'server'];
  deepEqual(
    devices.filter(path => parsePath(`file:////${path}`, 'win32').ok),
    [],
  );
});

test('the root "/" contains every path except those of /proc and /dev', () => {
  const scope = scopeOf('linux', '/', '/dev/shm/ws');
  const inside = ['/etc/passwd', '/', '/dev/shm/ws/a', '/device/a'];
  const doors = ['/proc/self/root/etc', '/dev/fd/0'];
  deepEqual(
    [...inside, ...doors].filter(path => scope.find(path) && scope.findReal(path)),
    inside,
  );
});

test('compares real paths literally on every system', () => {
  for (const platform of ['darwin', 'win32'] as const) {
    const separator = platform === 'win32' ? '\\' : '/';
    const top = platform === 'win32' ? 'C:\\ws' : '/ws';
    const scope = scopeOf(platform, `${top}${separator}app`);
    const other = `${top}${separator}APP${separator}a`;
    deepEqual([scope.find(other), scope.findReal(other)], [scope.roots[0], undefined]);
  }
});

function scopeOf(platform: PathPlatform, ...paths: readonly string[]): PathScope {
  const foldsCase = platform !== 'linux';
  const roots = paths.map(path => ({ announced: path, real: path, foldsCase }));
  return new PathScope(roots, platform);
}

test('a root with a name that begins like /dev does not open /dev', () => {
  const root = { announced: '/devel', real: '/', foldsCase: false };
  const scope = new PathScope([root], 'linux');
  const found = ['/dev/mem', '/dev/fd/0', '/proc/self/environ', '/etc/hosts'].filter(
    path => scope.find(path) ?? scope.findReal(path),
  );
  deepEqual(found, ['/etc/hosts']);
});

test('a root’s name and a colon begin a path in that root', () => {
  const scope = namedScope('linux', { web: '/ws/web', 'my api (v2)': '/api' });
  deepEqual(
    parsed(scope, 'web:src/a.ts', 'my api (v2):b', 'web:', 'web:.', 'web:./c:d', 'src/web:a'),
    ['/ws/web/src/a.ts', '/api/b', '/ws/web', '/ws/web', '/ws/web/c:d', '/ws/web/src/web:a'],
  );
});

test('applies the rules for relative paths after the name of a root', () => {
  const scope = namedScope('linux', { web: '/ws/web', file: '/ws/file' });
  foundAsExpected({
    schemes: [parsed(scope, 'web://host/x', 'web:/etc'), Array(2).fill('otherScheme()')],
    relative: [parsed(scope, 'web:~', 'web:../../etc'), ['/ws/web/~', '/etc']],
    odd: [parsed(scope, 'web:a\0', 'file:a'), ['textProblem()', 'uriProblem()']],
    'another name': [parsed(scope, 'wob:a'), ['noSuchName("wob", "web", "file")']],
    'no name': [parsed(namedScope('linux', {}), 'wob:a'), ['otherScheme()']],
    outside: [scope.find('/etc'), undefined],
  });
});

test('takes the longest matching name, and refuses the name of several roots', () => {
  const scope = new PathScope(
    [...rootsNamed({ a: '/1', 'a:b': '/2', twin: '/3' }), ...rootsNamed({ twin: '/4' })],
    'linux',
  );
  deepEqual(parsed(scope, 'a:b:c', 'a:c', 'twin:x', './twin:x'), [
    ...['/2/c', '/1/c', 'PathScope.reason()', '/1/twin:x'],
  ]);
});

test('on Windows a name of one letter is a drive, and a name cannot hide a drive', () => {
  const scope = namedScope('win32', { c: 'D:\\ws', web: 'D:\\web' });
  deepEqual(parsed(scope, 'c:x', 'c:\\x', 'web:a\\b', 'web:C:\\x'), [
    ...['win32Problem()', 'C:\\x', 'D:\\web\\a\\b', 'win32NameProblem()'],
  ]);
});

function namedScope(platform: PathPlatform, roots: Readonly<Record<string, string>>): PathScope {
  return new PathScope(rootsNamed(roots), platform);
}

function rootsNamed(roots: Readonly<Record<string, string>>): ScopeRoot[] {
  return Object.entries(roots).map(([name, path]) => {
    return { name, announced: path, real: path, foldsCase: false };
  });
}

function parsed(scope: PathScope, ...inputs: readonly string[]): string[] {
  return inputs.map(input => {
    const outcome = scope.parse(input);
    return outcome.ok ? outcome.path : reasonOf(outcome);
  });
}
