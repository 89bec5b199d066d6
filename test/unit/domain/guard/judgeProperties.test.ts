import { deepEqual, equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { anyText, junk } from '../../../support/anyArguments.ts';
import { cpuTimeOf, littleTime } from '../../../support/cpuTime.ts';
import { effort } from '../../../support/effort.ts';
import { guardedTree } from '../../../support/guardRules.ts';
import { skipLinks, thisPlatform } from '../../../support/systems.ts';

// Paths outside, in every nesting and notation that there are rules for, and arguments of no sense.

const { top, root, verdictOn } = guardedTree(
  { after: clean => after(clean as () => void) },
  { 'root/src/a.ts': '', 'root/a b/c': '', 'secret/key': '' },
  { 'root/link': 'secret' },
);

/** Paths that show their target in their text. */
const wholes = fc.constantFrom(
  join(top, 'secret/key'),
  join(top, 'secret', 'none'),
  `${top}/root/../secret/key`,
  `${top}/root_evil/a`,
  `${root}/src/../../secret`,
  '~/.ssh/id_rsa',
  '~root/.ssh',
  '$HOME/.ssh',
  '${HOME}/.ssh',
  'C:/secret/key',
  'file:///etc/passwd',
  'FILE:///etc/passwd',
  pathToFileURL(join(top, 'secret/key')).href,
  `${pathToFileURL(root).href}/%2e%2e/secret`,
  ...(skipLinks ? [] : [`${root}/link/key`]),
  // They lead nowhere on Windows.
  ...(thisPlatform === 'win32'
    ? []
    : ['/etc/passwd', '//etc//passwd', '/proc/self/environ', '/dev/stdin']),
);
/** Climbs out of the root. */
const climbing = fc.constantFrom(
  '..',
  '../secret/key',
  'src/../../x',
  '../../../../../../etc/passwd',
);
/** Texts that must be recognized as paths. */
const names = skipLinks
  ? climbing
  : fc.constantFrom('link', 'link/key', './link/new/file', 'src/../link/key');
const outsides = fc.oneof(wholes, climbing);
/** Under a name that says nothing, a separator or a key. */
const signs = fc.constantFrom('/', '~');

/** Wrappings that programs remove, decode or expand again. */
const disguises = fc.constantFrom<(path: string) => string>(
  path => path,
  path => ` ${path}`,
  path => `${path}\n`,
  path => `"${path}"`,
  path => `'${path}'`,
  path => `\t"${path}" `,
  path => path.replaceAll('/', '%2f').replaceAll('.', '%2E'),
  path => encodeURIComponent(encodeURIComponent(path)),
  path => JSON.stringify(path),
  path => JSON.stringify([{ a: path }]),
);
const decorations = fc.constantFrom<(path: string) => string>(
  path => path,
  path => `--output=${path}`,
  path => `if=${path}`,
  path => `-I${path}`,
  path => `@${path}`,
  path => `name=@${path}`,
  path => `src/a.ts:${path}`,
  path => `src/a.ts,${path}`,
  path => `src/a.ts;${path}`,
  path => `src/a.ts\n${path}`,
);
const commands = fc.constantFrom<(path: string) => string>(
  path => `cat ${path}`,
  path => `cat<${path}`,
  path => `cat "${path}" | wc`,
  path => `sh -c 'cat ${path}'`,
  path => `true;cat ${path}&`,
  path => `echo $(cat ${path})`,
  path => `echo x >>${path}`,
);
const wrappings = fc.array(
  fc.constantFrom<(value: unknown) => unknown>(
    value => [value],
    value => ['a', value, 'b'],
    value => ({ anything: value }),
    value => ({ a: 1, Options: value }),
    value => JSON.parse(`{"__proto__":${JSON.stringify(value)}}`),
    value => ({ paths: value }),
    value => JSON.stringify({ deep: value }),
  ),
  { maxLength: 5 },
);
const silent = fc.constantFrom('anything', 'x', 'args', 'option', '', 'target');
const pathNames = fc.constantFrom(
  'path',
  'filePaths',
  'OUTPUT_DIR',
  'srcFile',
  'working-directory',
);

test('lets no path outside pass, in any wrapping', () => {
  const texts = fc.oneof(
    fc.tuple(outsides, disguises, silent).map(([path, by, name]) => [by(path), name]),
    fc.tuple(outsides, decorations, silent).map(([path, by, name]) => [by(path), name]),
    fc.tuple(outsides, commands).map(([path, by]) => [by(path), 'command']),
    fc.tuple(fc.oneof(outsides, names, signs), disguises, pathNames).map(([path, by, name]) => {
      return [by(path), name];
    }),
    fc.tuple(names, commands).map(([path, by]) => [by(path), 'cmd']),
  );
  const property = fc.property(texts, wrappings, ([text = '', name = ''], wraps) => {
    const args = wraps.reduce<unknown>((value, wrap) => wrap(value), { [name]: text });
    equal(verdictOn(args).kind, 'denied', JSON.stringify(args));
  });
  fc.assert(property, { numRuns: 500 * effort });
});

test('finds a path outside in the name of a property, too', () => {
  const property = fc.property(outsides, wrappings, (path, wraps) => {
    const args = wraps.reduce<unknown>((value, wrap) => wrap(value), { [path]: true });
    equal(verdictOn(args).kind, 'denied', JSON.stringify(args));
  });
  fc.assert(property, { numRuns: 50 * effort });
});

test('lets paths inside pass under any name, and names the real paths', () => {
  const paths = fc.constantFrom('src/a.ts', './src/a.ts', `${root}/src/a.ts`, 'src/../src//a.ts');
  const property = fc.property(paths, fc.oneof(silent, pathNames), (path, name) => {
    deepEqual(verdictOn({ [name]: [path], content: '/x' }).kind, 'allowed', `${name} ${path}`);
  });
  fc.assert(property, { numRuns: 30 * effort });
  deepEqual(verdictOn({ path: 'src/../src//a.ts' }), {
    kind: 'allowed',
    paths: [join(root, 'src/a.ts')],
  });
});

test('gives nonsense arguments a verdict', () => {
  const property = fc.property(junk(anyText(['path', 'src/a.ts', root])), value => {
    const { kind } = verdictOn({ path: value, command: value, anything: value });
    ok(kind === 'allowed' || kind === 'denied');
  });
  fc.assert(property, { numRuns: 150 * effort });
});

// Nothing else is answered meanwhile.
const hostile: Readonly<Record<string, () => unknown>> = {
  'a depth of 100,000': () => nested(100_000),
  'a million texts': () => ({ a: list(1_000_000, () => 'a') }),
  'a million paths': () => ({ paths: list(1_000_000, n => `a/${n}`) }),
  '9,000 of few letters': () => ({ paths: list(9000, n => `a/${n}`) }),
  'a thousand paths of 25 levels': () => ({ paths: list(1000, n => `${'src/d/'.repeat(12)}${n}`) }),
  'deep paths': () => ({ paths: list(4900, n => `${'a/'.repeat(1900)}${n}`) }),
  'climbing paths': () => ({ paths: list(4900, n => `{a,b,c,d}/${'src/../'.repeat(35)}x${n}`) }),
  'paths through a folder and back': () => ({
    paths: list(4900, n => `${'src/../'.repeat(39)}f${n}`),
  }),
  'texts that may be such paths': () => ({ a: list(4900, n => `${'src/../'.repeat(39)}a\\f${n}`) }),
  'texts below a folder': () => ({ a: list(4900, n => `src/${'a/'.repeat(700)}${n}`) }),
  'commands of many paths': () => ({ args: list(80, n => `${'a/ '.repeat(33_000)}${n}`) }),
  'lists of many paths': () => ({ a: '/a:'.repeat(1_300_000) }),
  'a million numbers': () => ({ a: list(1_000_000, n => n) }),
  'JSON that is deep': () => ({ a: `${'['.repeat(90_000)}${']'.repeat(90_000)}` }),
  'JSON that is long': () => ({ a: JSON.stringify(list(300_000, () => 'a')) }),
  'JSON in JSON': () => list(12, () => '').reduce(text => JSON.stringify(text), '/'),
  ...Object.fromEntries(
    [
      ...[...'/\\%~$"\'` \n=,:;@-aA{}([', '\u0000', '\ud800', '\uff0e'],
      ...['..', '../', '%2', '%25', '%2e', '${', '{,', '{a,b}', '@/', '=/', '--', ':/', '\\"'],
      ...['file:', 'a=', '$(', '["', 'C:\\', '\\\\a'],
    ].map(unit => [`many of ${JSON.stringify(unit)}`, () => manyOf(unit)]),
  ),
};

test('judges hostile arguments quickly, and refuses too large ones', () => {
  for (const [name, make] of Object.entries(hostile)) {
    const args = make();
    let kind: string | undefined;
    const taken = cpuTimeOf(() => {
      kind = verdictOn(args).kind;
    });
    // Work that grows with the square of the length takes half a minute.
    ok(taken < littleTime, `${name}: ${Math.round(taken)} ms`);
    if (/depth|texts|paths|JSON/.test(name)) {
      equal(kind, 'denied', name);
    }
  }
});

function list<T>(length: number, item: (at: number) => T): T[] {
  return Array.from({ length }, (_, at) => item(at));
}

function nested(depth: number): unknown {
  let value: unknown = 'a';
  for (let level = 0; level < depth; level++) {
    value = { a: value };
  }
  return value;
}

function manyOf(unit: string): unknown {
  const text = unit.repeat(300_000 / unit.length);
  const named = { command: text, path: `/a${text}x` };
  return { anything: text, text, [text]: text, nested: named, target: [`a${text}`] };
}
