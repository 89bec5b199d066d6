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
import { inEnglish } from '../../../src/domain/sentence.ts';
import { type PlainFile, readPlainFile } from '../../../src/mcp/plainFile.ts';
import { onlyOn, skipLinks, skipPipes } from '../../support/systems.ts';
import { linkTree, tempFolder, writeTree } from '../../support/temp.ts';

const mebibyte = 1024 * 1024;
const notPlain = 'It is not a regular file. Put one in its place.';
const tooLarge = 'It is larger than 1 MiB. Make it smaller.';
/** The kernel gives out that file in pieces of eight bytes, and refuses to give the last one alone. */
const endless = /^It (?:is larger than 1 MiB|can not be read \(EINVAL\))\. /;
const leadsOut = 'It leads out of the workspace by a link. Put a file in its place.';

/** The text that was read, or why none was. */
function outcome({ text, problem }: PlainFile): string | undefined {
  return problem ? inEnglish(problem) : text;
}

describe('a file that a repository may bring', () => {
  /** What comes of reading a file of the only workspace folder. */
  const read = async (folder: string, name: string) =>
    outcome(await readPlainFile(join(folder, name), [folder]));

  it('is read whole up to 1 MiB, and not when it is a byte longer', async t => {
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'fits'), 'x'.repeat(mebibyte));
    writeFileSync(join(folder, 'longer'), 'x'.repeat(mebibyte + 1));
    equal((await read(folder, 'fits'))?.length, mebibyte);
    equal(await read(folder, 'longer'), tooLarge);
  });

  it('may be empty, or not there', async t => {
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'file'), '');
    deepEqual(
      await Promise.all(['file', 'none', 'none/none', 'file/none'].map(name => read(folder, name))),
      ['', undefined, undefined, undefined],
    );
  });

  it('is read with its byte order mark, and not in another encoding', async t => {
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'marked'), '\ufeffA=1');
    writeFileSync(join(folder, 'latin'), Buffer.from('A=ü', 'latin1'));
    equal(await read(folder, 'marked'), '\ufeffA=1');
    equal(await read(folder, 'latin'), 'It is not UTF-8 text. Save it as UTF-8.');
  });

  it('costs no more memory than the limit, whatever size it has', async t => {
    const folder = tempFolder(t);
    closeSync(openSync(join(folder, 'sparse'), 'w'));
    truncateSync(join(folder, 'sparse'), 3 * 1024 * mebibyte);
    const before = process.memoryUsage.rss();
    equal(await read(folder, 'sparse'), tooLarge);
    ok(process.memoryUsage.rss() - before < 64 * mebibyte);
  });

  it('ends to be read when it grows as fast as it is read', async t => {
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

  it('is no folder, pipe or socket, and nothing waits for one', { skip: skipPipes }, async t => {
    const folder = tempFolder(t);
    mkdirSync(join(folder, 'folder'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await listening(t, join(folder, 'socket'));
    for (const name of ['folder', 'pipe', 'socket']) {
      equal(await read(folder, name), notPlain, name);
    }
  });

  it('is no device, and nothing that the system makes up without end', {
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

  it('may be behind links within the workspace', { skip: skipLinks }, async t => {
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

  it('is not behind a link out, also when nothing is there', { skip: skipLinks }, async t => {
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

  it('is not behind links that lead in a ring', { skip: skipLinks }, async t => {
    const folder = tempFolder(t);
    linkTree(folder, { one: 'two', two: 'one' });
    equal(
      await read(folder, 'one'),
      'It can not be read (ELOOP). Check what it is and who may read it.',
    );
  });

  it('has the place where it would be made', { skip: skipLinks }, async t => {
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

describe("a file of the user's own, outside of the workspace", () => {
  it('may be a link to anywhere, and larger where the caller says so', {
    skip: skipLinks,
  }, async t => {
    const [home, elsewhere, folder] = [tempFolder(t), tempFolder(t), tempFolder(t)];
    writeFileSync(join(elsewhere, 'large'), 'x'.repeat(2 * mebibyte));
    symlinkSync(join(elsewhere, 'large'), join(home, '.env'));
    equal(outcome(await readPlainFile(join(home, '.env'), [folder])), tooLarge);
    equal(outcome(await readPlainFile(join(home, '.env'), [folder], 2))?.length, 2 * mebibyte);
  });

  it('is no device, pipe or endless file, either', { skip: onlyOn('linux', '/proc') }, async t => {
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
