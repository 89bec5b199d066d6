import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { parsePath } from '../../../../src/domain/paths/pathInput.ts';
import type { PathPlatform } from '../../../../src/domain/paths/pathNames.ts';
import { PathScope } from '../../../../src/domain/paths/pathScope.ts';

// The cases of `adversarial-paths.json` are in pathScopeCases.test.ts; these are what they leave out.

test('what is no path is refused with the reason', () => {
  const reasons = (platform: PathPlatform, ...inputs: readonly unknown[]) => {
    return inputs.map(input => {
      const parsed = parsePath(input, platform, platform === 'win32' ? 'C:\\ws' : '/ws');
      return parsed.ok ? parsed.path : parsed.reason;
    });
  };
  deepEqual(reasons('linux', '', 7, '/a\ud800', 'x'.repeat(4096)), [
    'It is empty.',
    'It is not text.',
    'It holds half of a character (a lone surrogate).',
    'It is longer than a path can be.',
  ]);
  deepEqual(reasons('linux', 'file:///ws/a ', 'file:///ws?', 'file:ws', 'file:///ws/%ff', 'a:b'), [
    'It is a file: URI that ends in a blank: write it as %20.',
    'It is a file: URI with a fragment or a query: write # as %23 and ? as %3F in names.',
    'It is a file: URI without an absolute path: write file:///folder/name.',
    'It is a malformed file: URI.',
    'It looks like a URI that is not file: (for a name with a colon, write "./" before it).',
  ]);
  deepEqual(
    reasons(
      'win32',
      'x/'.repeat(2048),
      '\\\\server',
      'C:',
      '//?/C:/ws',
      '\\??\\C:\\ws',
      'a<b',
      'file:///c:',
    ),
    [
      'It is longer than a path can be.',
      'It names a server without a share.',
      'It names a drive without a folder: write the separator after the colon.',
      'It is a verbatim or device path (\\\\?\\ or \\\\.\\), which switches checks off.',
      'It is a verbatim or device path (\\\\?\\ or \\\\.\\), which switches checks off.',
      'It holds a character that Windows does not allow in names.',
      'C:\\',
    ],
  );
});

test('a path made too long by the folder it starts in is refused', () => {
  const base = `/${'b'.repeat(250)}/${'c'.repeat(250)}`;
  const input = `${'d'.repeat(200)}/`.repeat(19);
  deepEqual(parsePath(input, 'linux', base), {
    ok: false,
    reason: 'It is longer than a path can be.',
  });
});

test('devices of Windows are refused with any suffix, names that only look alike are not', () => {
  const isPath = (name: string) => parsePath(`C:\\ws\\${name}`, 'win32').ok;
  const devices = [
    'con',
    'PRN.txt',
    'Aux .log',
    'nul',
    'COM9',
    'lpt1.a.b',
    'COM²',
    'CONIN$',
    'CLOCK$',
  ];
  const files = ['cons', 'console.log', 'com', 'com0x', 'lpt', 'null', 'aux-1', 'my.con'];
  deepEqual([devices.filter(isPath), files.filter(isPath)], [[], files]);
});

test('a path is normalised once, and its drive and share come in one spelling', () => {
  const paths = [
    parsePath('/ws//a/./b/../c/', 'linux'),
    parsePath('c:/ws\\a\\..\\b\\', 'win32'),
    parsePath('\\\\SERVER\\Share\\A', 'win32'),
    parsePath('file://SERVER/Share/A%20b', 'win32'),
    parsePath('file:///c%3A/ws', 'win32'),
  ];
  deepEqual(
    paths.map(parsed => parsed.ok && parsed.path),
    ['/ws/a/c', 'C:\\ws\\b', '\\\\server\\share\\A', '\\\\server\\share\\A b', 'C:\\ws'],
  );
});

test('of nested roots, the deepest one is named', () => {
  const scope = scopeOf('linux', '/ws', '/ws/app', '/ws/app');
  const found = ['/ws', '/ws/app', '/ws/app/a/b', '/ws/apple', '/'].map(path => scope.find(path));
  deepEqual(found, [scope.roots[0], scope.roots[1], scope.roots[1], scope.roots[0], undefined]);
});

test('the root of the file system holds everything but the doors of the kernel', () => {
  const scope = scopeOf('linux', '/', '/dev/shm/ws');
  const paths = [
    '/etc/passwd',
    '/',
    '/proc/self/root/etc',
    '/dev/fd/0',
    '/dev/shm/ws/a',
    '/device/a',
  ];
  deepEqual(
    paths.filter(path => scope.find(path) && scope.findReal(path)),
    ['/etc/passwd', '/', '/dev/shm/ws/a', '/device/a'],
  );
});

test('what a path resolved to is compared letter by letter, on every system', () => {
  for (const platform of ['darwin', 'win32'] as const) {
    const separator = platform === 'win32' ? '\\' : '/';
    const top = platform === 'win32' ? 'C:\\ws' : '/ws';
    const scope = scopeOf(platform, `${top}${separator}app`);
    const other = `${top}${separator}APP${separator}a`;
    deepEqual([scope.find(other), scope.findReal(other)], [scope.roots[0], undefined]);
  }
});

test('among 1,000 roots the right one is found', () => {
  const many = scopeOf('linux', ...Array.from({ length: 1000 }, (_, index) => `/ws/root${index}`));
  const paths = ['/ws/root999/src/deep/file.ts', '/ws/root999x/src/deep/file.ts', '/etc/passwd'];
  const found = paths.map(path => many.find(path)?.announced);
  deepEqual(found, ['/ws/root999', undefined, undefined]);
});

function scopeOf(platform: PathPlatform, ...paths: readonly string[]): PathScope {
  const foldsCase = platform !== 'linux';
  const roots = paths.map(path => ({ announced: path, real: path, foldsCase }));
  return new PathScope(roots, platform);
}

test('a root whose name only begins like /dev does not open it', () => {
  const root = { announced: '/devel', real: '/', foldsCase: false };
  const scope = new PathScope([root], 'linux');
  deepEqual(
    [scope.findReal('/dev/mem'), scope.find('/dev/fd/0'), scope.findReal('/proc/self/environ')],
    [undefined, undefined, undefined],
  );
  equal(scope.findReal('/etc/hosts'), root);
});

test('a name of a root and a colon start a path in that root', () => {
  const scope = namedScope(
    'linux',
    { name: 'web', path: '/ws/web' },
    { name: 'my api (v2)', path: '/api' },
  );
  deepEqual(
    parsed(scope, 'web:src/a.ts', 'my api (v2):b', 'web:', 'web:.', 'web:./c:d', 'src/web:a'),
    ['/ws/web/src/a.ts', '/api/b', '/ws/web', '/ws/web', '/ws/web/c:d', '/ws/web/src/web:a'],
  );
});

test('behind the name of a root nothing leads out of the rules for relative paths', () => {
  const scope = namedScope(
    'linux',
    { name: 'web', path: '/ws/web' },
    { name: 'file', path: '/ws/file' },
  );
  const other =
    'It looks like a URI that is not file: (for a name with a colon, write "./" before it).';
  deepEqual(
    parsed(
      scope,
      'web://host/x',
      'web:/etc',
      'web:~',
      'web:../../etc',
      'web:a\0',
      'file:a',
      'wob:a',
    ),
    [
      other,
      other,
      '/ws/web/~',
      '/etc',
      'It holds a NUL character.',
      'It is a file: URI without an absolute path: write file:///folder/name.',
      'No shared folder has the name "wob". The names are: "web", "file" ' +
        '(see get-roots; for a file with a colon in its name, write "./" before it).',
    ],
  );
  deepEqual(parsed(namedScope('linux'), 'wob:a'), [other]);
  equal(scope.find('/etc'), undefined);
});

test('of names that fit the longest counts, and a name that several roots have is refused', () => {
  const scope = namedScope(
    'linux',
    { name: 'a', path: '/1' },
    { name: 'a:b', path: '/2' },
    { name: 'twin', path: '/3' },
    { name: 'twin', path: '/4' },
  );
  deepEqual(parsed(scope, 'a:b:c', 'a:c', 'twin:x', './twin:x'), [
    '/2/c',
    '/1/c',
    'Several shared folders have that name: write the whole path.',
    '/1/twin:x',
  ]);
});

test('on Windows a name of one letter is a drive, and no drive hides behind a name', () => {
  const scope = namedScope(
    'win32',
    { name: 'c', path: 'D:\\ws' },
    { name: 'web', path: 'D:\\web' },
  );
  deepEqual(parsed(scope, 'c:x', 'c:\\x', 'web:a\\b', 'web:C:\\x'), [
    'It names a drive without a folder: write the separator after the colon.',
    'C:\\x',
    'D:\\web\\a\\b',
    'It holds a colon inside a name (a stream of a file, or a drive in the wrong place).',
  ]);
});

interface Named {
  readonly name: string;
  readonly path: string;
}

function namedScope(platform: PathPlatform, ...roots: readonly Named[]): PathScope {
  const scopeRoots = roots.map(({ name, path }) => ({
    name,
    announced: path,
    real: path,
    foldsCase: false,
  }));
  return new PathScope(scopeRoots, platform);
}

function parsed(scope: PathScope, ...inputs: readonly string[]): string[] {
  return inputs.map(input => {
    const outcome = scope.parse(input);
    return outcome.ok ? outcome.path : outcome.reason;
  });
}
