import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { passagesFor, withAddress, withPassage } from '../../src/build/address.ts';
import { checksums, missingFor, notesOf } from '../../src/build/release.ts';
import { registryEntry, serverManifest } from '../../src/build/serverPackage.ts';

const top = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(top, path), 'utf8');
// As it is before there is an address: all of this holds afterwards, too.
const {
  repository: _,
  bugs: __,
  homepage: ___,
  qna: ____,
  ...manifest
} = JSON.parse(read('package.json'));
const url = 'https://github.com/Ada-L/mcp-roots';

describe('the package for npm', () => {
  test('names two programs for Node 20 and no dependencies', () => {
    const packed = serverManifest(manifest);
    equal(packed.version, manifest.version);
    deepEqual(packed.bin, { 'mcp-roots': 'server.js', 'mcp-roots-connect': 'connect.js' });
    deepEqual(packed.engines, { node: '>=20' });
    const left = ['dependencies', 'scripts', 'private', 'mcpName'].filter(key => key in packed);
    deepEqual(left, []);
  });

  test('has the same name in package.json and server.json once the address is known', () => {
    equal(registryEntry(manifest), undefined);
    const addressed = { ...manifest, ...withAddress(manifest, url, 'ada') };
    const entry = registryEntry(addressed) as Readonly<Record<string, unknown>>;
    equal(serverManifest(addressed).mcpName, 'io.github.Ada-L/mcp-roots');
    equal(entry['name'], 'io.github.Ada-L/mcp-roots');
    // The registry's limits.
    ok(String(entry['description']).length <= 100);
  });
});

describe('the address', () => {
  const written = (text: string, path: string, ...to: Parameters<typeof passagesFor>) =>
    passagesFor(...to)
      .filter(passage => passage.path === path)
      .reduce(withPassage, text);
  const addressed = (path: string) => written(read(path), path, url, 'ada');

  test('links the installation on the first screen of README', () => {
    const screen = (text: string) => text.split('\n').slice(0, 20).join('\n');
    const link = '](https://vscode.dev/redirect?url=vscode:extension/ada.mcp-roots)';
    ok(screen(addressed('README.md')).includes(`[Install it in VS Code${link}`));
    match(screen(read('README.md')), /^\[Install it\b/m);
  });

  test('links the private report of a vulnerability where issues begin', () => {
    const config = addressed('.github/ISSUE_TEMPLATE/config.yml');
    match(config, /^blank_issues_enabled: false\ncontact_links:\n {2}- name: /);
    ok(config.includes(`\n    url: ${url}/security/advisories/new\n`));
  });

  test('can be written over another address', () => {
    const paths = new Set(passagesFor(url, 'ada').map(({ path }) => path));
    for (const path of paths) {
      const other = written(read(path), path, 'https://github.com/b/c', 'bob');
      equal(written(other, path, url, 'ada'), addressed(path));
    }
  });
});

describe('a release', () => {
  test('has the notes of its version from the changelog', () => {
    const changelog = '# Changelog\n\n## 0.2.0\n\n- New.\n\n## 0.1.0\n\n**First**\n\n- Old.\n';
    equal(notesOf(changelog, '0.2.0'), '- New.');
    equal(notesOf(changelog, '0.1.0'), '**First**\n\n- Old.');
    equal(notesOf(changelog, '0.1'), undefined);
    ok(notesOf(read('CHANGELOG.md'), manifest.version));
  });

  test('fails without an address, a tag of its version or an entry in the changelog', () => {
    const ready = { version: '0.2.0', repository: { url } };
    deepEqual(missingFor('v0.2.0', ready, '## 0.2.0\n\n- New.\n'), []);
    equal(missingFor('0.2.0', { version: '0.2.1' }, '## 0.2.0\n\n- New.\n').length, 3);
  });

  test('has checksums that sha256sum reads', () => {
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    equal(checksums({ 'a.tgz': Buffer.from('') }), `${empty}  a.tgz\n`);
  });
});

describe('the workflows', () => {
  const workflows = globSync('.github/workflows/*.yml', { cwd: top });
  const lines = workflows.flatMap(path => read(path).split('\n'));

  test('name actions by the hash of a commit with the version beside it', () => {
    const used = lines.filter(line => /^\s*(?:- )?uses: /.test(line));
    ok(used.length > 10);
    const pinned = /uses: (?:\.\/|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/;
    const loose = used.filter(line => !pinned.test(line));
    deepEqual(loose, []);
  });

  test('give a job only the rights that it names', () => {
    for (const path of workflows) {
      match(read(path), /^permissions: \{\}$/m, path);
      const [, jobs = ''] = read(path).split(/^jobs:$/m);
      const names = [...jobs.matchAll(/^ {2}[\w-]+:$/gm)].length;
      equal([...jobs.matchAll(/^ {4}permissions:$/gm)].length, names, path);
    }
  });

  test('run only commands that CONTRIBUTING names', () => {
    const guide = read('CONTRIBUTING.md');
    const commands = lines.flatMap(line => /^\s*- run: (.*)$/.exec(line)?.[1] ?? []);
    ok(commands.length > 10);
    const named = commands.map(command => command.replace(' "$GITHUB_REF_NAME"', ''));
    const untold = named.filter(command => !guide.includes(`\`${command}`));
    deepEqual(untold, []);
  });

  test('hold no secret', () => {
    deepEqual(
      lines.filter(line => line.includes('secrets.')),
      [],
    );
  });
});

test('each promise names a test in SECURITY.md, and each named test exists', () => {
  const [, kept = '', tried = ''] = read('SECURITY.md').split(/^## What (?:keeps|was tried).*$/m);
  const named = [...(kept + tried).matchAll(/`([A-Za-z]+)`(?=[,| ])/g)].map(
    ([, name = '']) => name,
  );
  const files = globSync('test/**/*.test.ts', { cwd: top }).map(path => basename(path, '.test.ts'));
  ok(named.length > 100, `${named.length} tests`);
  const known = [...files, 'taskkill', 'proc', 'HEAD'];
  const gone = named.filter(name => !known.includes(name));
  deepEqual(gone, []);
  const promises = [...read('media/help/security.md').matchAll(/^(\d+)\. /gm)].map(([, at]) => at);
  ok(promises.length > 40, `${promises.length} promises`);
  const tested = [...kept.matchAll(/^\| (\d+) \| `/gm)].map(([, at]) => at);
  deepEqual(tested, promises);
  const last = Number(promises.at(-1));
  const [, inReadme = ''] = read('README.md').split('## Security');
  const numbers = [...inReadme.matchAll(/\((\d+)(?:(?:, | to )(\d+))?\)/g)].flatMap(
    ([, one, other = one]) => [Number(one), Number(other)],
  );
  ok(numbers.length > 10 && numbers.every(number => number <= last), numbers.join());
});
