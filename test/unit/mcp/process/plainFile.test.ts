import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { type PlainFile, readPlainFile } from '../../../../src/mcp/process/plainFile.ts';
import { onlyOn, skipLinks, skipPipes } from '../../../support/systems.ts';
import { linkTree, tempFolder, writeTree } from '../../../support/temp.ts';
import { said } from '../../../support/texts.ts';

const mebibyte = 1024 * 1024;
const notPlain = 'plainFile.firstBytesOf()';
const tooLarge = 'plainFile.readPlainFile(1)';
/** The kernel gives out that file in pieces of eight bytes, and refuses to give the last one alone. */
const endless = /^plainFile\.(?:readPlainFile\(1\)|problemOf\(EINVAL\))$/;
const leadsOut = 'plainFile.assertWithin()';

/** The text that was read, or why none was. */
function outcome({ text, problem }: PlainFile): string | undefined {
  return problem ? said(inEnglish(problem)) : text;
}

describe('a file from a repository', () => {
  /** The result of reading a file of the only workspace folder. */
  const read = async (folder: string, name: string) =>
    outcome(await readPlainFile(join(folder, name), [folder]));

  it('is read whole up to 1 MiB, and not a byte more', async t => {
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'fits'), 'x'.repeat(mebibyte));
    writeFileSync(join(folder, 'longer'), 'x'.repeat(mebibyte + 1));
    equal((await read(folder, 'fits'))?.length, mebibyte);
    equal(await read(folder, 'longer'), tooLarge);
  });

  it('can be empty or missing', async t => {
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'file'), '');
    deepEqual(
      await Promise.all(['file', 'none', 'none/none', 'file/none'].map(name => read(folder, name))),
      ['', undefined, undefined, undefined],
    );
  });

  it('is read with a byte order mark, and not in another encoding', async t => {
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'marked'), '\ufeffA=1');
    writeFileSync(join(folder, 'latin'), Buffer.from('A=ü', 'latin1'));
    equal(await read(folder, 'marked'), '\ufeffA=1');
    equal(await read(folder, 'latin'), 'plainFile.notUtf8()');
  });

  it('uses no more memory than the limit at any size', async t => {
    const folder = tempFolder(t);
    closeSync(openSync(join(folder, 'sparse'), 'w'));
    truncateSync(join(folder, 'sparse'), 3 * 1024 * mebibyte);
    const before = process.memoryUsage.rss();
    equal(await read(folder, 'sparse'), tooLarge);
    ok(process.memoryUsage.rss() - before < 64 * mebibyte);
  });

  it('is read up to the limit while it grows', async t => {
    const folder = tempFolder(t);
    const path = join(folder, 'growing');
    writeFileSync(path, 'x'.repeat(mebibyte - 1000));
    const reading = read(folder, 'growing').finally(() => {
      isRead = true;
    });
    let isRead = false;
    while (!isRead) {
      appendFileSync(path, 'x'.repeat(64 * 1024));
      await setImmediate();
    }
    equal(await reading, tooLarge);
  });

  it('must not be a folder, pipe or socket', { skip: skipPipes }, async t => {
    const folder = tempFolder(t);
    mkdirSync(join(folder, 'folder'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await listening(t, join(folder, 'socket'));
    for (const name of ['folder', 'pipe', 'socket']) {
      equal(await read(folder, name), notPlain, name);
    }
  });

  it('must not be a device or an endless file of the system', {
    skip: onlyOn('linux', 'It has /proc.'),
  }, async t => {
    const folder = tempFolder(t);
    deepEqual(await read('/dev', 'zero'), notPlain);
    const before = process.memoryUsage.rss();
    const all = await Promise.all(
      Array.from({ length: 16 }, () => readPlainFile('/proc/self/pagemap', [folder])),
    );
    for (const one of all) {
      match(outcome(one) ?? '', endless);
    }
    ok(process.memoryUsage.rss() - before < 128 * mebibyte);
  });

  it('can be behind links inside the workspace', { skip: skipLinks }, async t => {
    const [one, two] = [tempFolder(t), tempFolder(t)];
    writeTree(one, { 'config/real.env': 'A=1' });
    writeTree(two, { 'real.env': 'B=2' });
    linkTree(one, { '.env': 'config/real.env', folder: 'config' });
    symlinkSync(join(two, 'real.env'), join(one, 'other.env'));
    const texts = ['.env', 'folder/real.env', 'other.env'].map(async name =>
      outcome(await readPlainFile(join(one, name), [one, two])),
    );
    deepEqual(await Promise.all(texts), ['A=1', 'A=1', 'B=2']);
  });

  it('must not be behind a link out of the workspace', { skip: skipLinks }, async t => {
    const [folder, home, alias] = [tempFolder(t), tempFolder(t), join(tempFolder(t), 'alias')];
    writeTree(home, { '.bashrc': 'secret' });
    writeTree(folder, { 'below/': '' });
    symlinkSync(folder, alias);
    const links = {
      file: join(home, '.bashrc'),
      folder: home,
      dangling: join(home, 'none'),
      'below/relative': join('..', '..', '..', 'etc', 'passwd'),
      zero: '/dev/zero',
      pages: '/proc/self/pagemap',
    };
    for (const [name, target] of Object.entries(links)) {
      symlinkSync(target, join(folder, name));
    }
    const names = [...Object.keys(links), 'folder/.bashrc', 'folder/none/none'];
    for (const name of names) {
      equal(await read(folder, name), leadsOut, name);
      // Also where the window opened a link to the folder.
      equal(await read(alias, name), leadsOut, name);
    }
    equal(outcome(await readPlainFile(join(alias, 'file'), [folder])), leadsOut);
  });

  it('must not be behind a ring of links', { skip: skipLinks }, async t => {
    const folder = tempFolder(t);
    linkTree(folder, { one: 'two', two: 'one' });
    equal(await read(folder, 'one'), 'plainFile.problemOf(ELOOP)');
  });

  it('has the path where it would be created', { skip: skipLinks }, async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'config/': '' });
    linkTree(folder, { '.cursor': 'config', '.env': 'config/new.env' });
    const places = ['.cursor/mcp.json', '.cursor/a/b', '.env', 'new'].map(name =>
      readPlainFile(join(folder, name), [folder]),
    );
    deepEqual(
      await Promise.all(places),
      ['config/mcp.json', 'config/a/b', 'config/new.env', 'new'].map(name => ({
        text: undefined,
        place: join(folder, name),
      })),
    );
  });
});

describe('a file of the user, outside of the workspace', () => {
  it('can be a link to anywhere, and larger if the caller says so', {
    skip: skipLinks,
  }, async t => {
    const [home, elsewhere, folder] = [tempFolder(t), tempFolder(t), tempFolder(t)];
    writeFileSync(join(elsewhere, 'large'), 'x'.repeat(2 * mebibyte));
    symlinkSync(join(elsewhere, 'large'), join(home, '.env'));
    equal(outcome(await readPlainFile(join(home, '.env'), [folder])), tooLarge);
    equal(outcome(await readPlainFile(join(home, '.env'), [folder], 2))?.length, 2 * mebibyte);
  });

  it('must not be a device, pipe or endless file', { skip: onlyOn('linux', '/proc') }, async t => {
    const home = tempFolder(t);
    symlinkSync('/dev/zero', join(home, 'zero'));
    symlinkSync('/proc/self/pagemap', join(home, 'pages'));
    execFileSync('mkfifo', [join(home, 'pipe')]);
    const read = async (name: string) => outcome(await readPlainFile(join(home, name), []));
    deepEqual([await read('zero'), await read('pipe')], [notPlain, notPlain]);
    match((await read('pages')) ?? '', endless);
  });
});

async function listening(t: TestContext, path: string): Promise<void> {
  const server = createServer().listen(path);
  t.after(() => server.close());
  await new Promise(resolve => server.once('listening', resolve));
}
