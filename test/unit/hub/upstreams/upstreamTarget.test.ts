import { deepEqual, equal, notEqual, throws } from 'node:assert/strict';
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext, test } from 'node:test';
import { EmptyFolder, startRoot } from '../../../../src/hub/upstreams/upstreamTarget.ts';
import { inPlace } from '../../../support/rootFolder.ts';
import { skipLinks } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

test('a root without a name gets that of its folder', () => {
  const folder = (path: string, name?: string) => {
    const found = { announced: path, real: path, foldsCase: false, ...inPlace };
    return { uri: `file://${path}`, ...found, ...(name !== undefined && { name }) };
  };
  deepEqual([folder('/proj/web'), folder('/proj/api', 'API')].map(startRoot), [
    { uri: 'file:///proj/web', name: 'web', path: '/proj/web', place: '1:1' },
    { uri: 'file:///proj/api', name: 'API', path: '/proj/api', place: '1:1' },
  ]);
});

describe('the folder for servers without roots', { concurrency: false }, () => {
  it('is created once when first needed, and removed with its contents', async t => {
    const temporary = temporaryFolder(t);
    const folder = new EmptyFolder();
    deepEqual(readdirSync(temporary), []);
    const path = folder.path();
    deepEqual([folder.path(), readdirSync(temporary).length, readdirSync(path)], [path, 1, []]);
    writeTree(path, { 'cache/a.txt': 'a' });
    await folder.remove();
    deepEqual(readdirSync(temporary), []);
  });

  it('is created again after its removal', async t => {
    const temporary = temporaryFolder(t);
    const folder = new EmptyFolder();
    rmdirSync(folder.path());
    equal(existsSync(folder.path()), true);
    await folder.remove();
    deepEqual(readdirSync(temporary), []);
  });

  it('lies in a place of this user only, if the system has one', async t => {
    const temporary = temporaryFolder(t);
    writeTree(temporary, { 'own/': '' });
    process.env['XDG_RUNTIME_DIR'] = join(temporary, 'own');
    const folder = new EmptyFolder();
    equal(dirname(folder.path()), join(temporary, 'own'));
    await folder.remove();
    process.env['XDG_RUNTIME_DIR'] = join(temporary, 'missing');
    const other = new EmptyFolder();
    equal(dirname(other.path()), temporary);
    await other.remove();
  });

  it('is never an entry that another user put there, which stays', {
    skip: skipLinks,
  }, async t => {
    const other = tempFolder(t);
    const temporary = temporaryFolder(t);
    writeTree(other, { 'a.txt': 'a' });
    const folder = new EmptyFolder();
    const path = folder.path();
    rmdirSync(path);
    symlinkSync(other, path, 'junction');
    const next = folder.path();
    notEqual(next, path);
    rmdirSync(next);
    writeFileSync(next, 'mine');
    await folder.remove();
    deepEqual([readdirSync(temporary).length, readdirSync(other)], [2, ['a.txt']]);
    equal(readFileSync(next, 'utf8'), 'mine');
  });

  it('reports that it has no place', t => {
    const temporary = temporaryFolder(t);
    rmdirSync(temporary);
    throws(
      () => new EmptyFolder().path(),
      ({ name, message }: Error) => name === 'HumanError' && message.includes(temporary),
    );
  });
});

/** A new folder as the system's temporary folder until the test ends. */
function temporaryFolder(t: TestContext): string {
  const folder = tempFolder(t);
  const names = ['TMPDIR', 'TEMP', 'TMP', 'XDG_RUNTIME_DIR'] as const;
  const before = names.map(name => [name, process.env[name]] as const);
  t.after(() => {
    for (const [name, value] of before) {
      if (value === undefined) {
        delete process.env[name];
      } else {
        process.env[name] = value;
      }
    }
  });
  for (const name of names) {
    process.env[name] = folder;
  }
  return folder;
}
