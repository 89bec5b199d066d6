import { deepEqual, equal } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  readWindows,
  realFolder,
  whyUnseen,
  windowsFolder,
} from '../../../src/connect/windowFiles.ts';
import { atEnd } from '../../support/processes.ts';
import { onlyOn, skipOwners } from '../../support/systems.ts';
import { tempFolder } from '../../support/temp.ts';

/** A private folder for the files of windows, and a socket in it that is answered. */
async function aFolder(t: TestContext) {
  const folder = windowsFolder(tempFolder(t));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const socket = join(folder, 's.sock');
  const server = createServer(connection => connection.destroy());
  await new Promise<void>(done => server.listen(socket, done));
  atEnd(t, () => server.close());
  return { folder, socket, server };
}

function described(socket: string, others: object = {}) {
  const own = { socket, nonce: 'n', folders: ['/w'], focusedAt: 5, name: 'w' };
  return { ...own, ...others };
}

function put(folder: string, name: string, content: unknown, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode });
  return path;
}

const ids = async (folder: string) => (await readWindows(folder)).map(({ id }) => id);

describe('reading the files of windows', {
  skip: onlyOn('posix', 'files, links and modes of others'),
}, () => {
  test('finds a window that listens', async t => {
    const { folder, socket } = await aFolder(t);
    put(folder, 'a.json', described(socket, { id: 'other', more: 1 }));
    put(folder, 'b.json', described(socket, { grants: ['codex'] }));
    deepEqual(await readWindows(folder), [
      { ...described(socket, { more: 1 }), id: 'a' },
      { id: 'b', ...described(socket, { grants: ['codex'] }) },
    ]);
  });

  test('skips a dead window and leaves its file', async t => {
    const { folder, socket, server } = await aFolder(t);
    put(folder, 'a.json', described(socket));
    put(folder, 'b.json', described(join(folder, 'none.sock')));
    // A killed process leaves this: a name without a listener.
    linkSync(socket, join(folder, 'left.sock'));
    put(folder, 'c.json', described(join(folder, 'left.sock')));
    deepEqual(await ids(folder), ['a', 'c']);
    server.close();
    deepEqual(await ids(folder), []);
    deepEqual(
      readdirSync(folder).filter(name => name.endsWith('.json')),
      ['a.json', 'b.json', 'c.json'],
    );
  });

  test('skips files that describe no window', async t => {
    const { folder, socket } = await aFolder(t);
    const good = described(socket);
    put(folder, 'good.json', good);
    const { nonce: _, ...noNonce } = good;
    const changes = [
      ...[{ folders: 'text' }, { folders: ['relative'] }, { folders: [1] }, { focusedAt: '5' }],
      ...[{ grants: 'all' }, { socket: 's.sock' }, { socket: 5 }],
    ].map(change => ({ ...good, ...change }));
    const wrongs = ['', '{', 'null', '[]', '"text"', noNonce, ...changes];
    for (const [at, wrong] of wrongs.entries()) {
      put(folder, `wrong${at}.json`, wrong);
    }
    put(folder, 'open.json', good, 0o644);
    put(folder, 'draft.json.1', good);
    symlinkSync(join(folder, 'good.json'), join(folder, 'link.json'));
    mkdirSync(join(folder, 'folder.json'));
    execFileSync('mkfifo', ['-m', '600', join(folder, 'pipe.json')]);
    deepEqual(await ids(folder), ['good']);
  });

  test('reads nothing in a folder that is a link or open to others', async t => {
    const { folder, socket } = await aFolder(t);
    put(folder, 'a.json', described(socket));
    const link = join(folder, '..', 'link');
    symlinkSync(folder, link);
    deepEqual(await ids(link), []);
    chmodSync(folder, 0o755);
    deepEqual(await ids(folder), []);
    deepEqual(await ids(join(folder, 'none')), []);
  });

  test('connects to no socket where others can listen', async t => {
    const { folder, socket } = await aFolder(t);
    const other = tempFolder(t);
    linkSync(socket, join(other, 's.sock'));
    put(folder, 'a.json', described(join(other, 's.sock')));
    deepEqual(await ids(folder), ['a']);
    chmodSync(other, 0o777);
    deepEqual(await ids(folder), []);
  });

  test('tells a hidden folder from one without windows', async t => {
    const home = tempFolder(t);
    const work = join(home, 'work');
    const unseen = (isNamed = false) => whyUnseen(home, isNamed, [work]);
    const fresh = unseen();
    mkdirSync(work);
    const withItsWork = unseen();
    writeFileSync(join(home, '.profile'), '');
    const lived = [unseen(), unseen(true)];
    mkdirSync(join(home, '.mcp-roots', 'windows'), { recursive: true });
    const hidden = { kind: 'hidden' };
    deepEqual(
      [fresh, withItsWork, ...lived, unseen(true)],
      [undefined, hidden, undefined, hidden, undefined],
    );
  });

  test('takes no file of another user', { skip: skipOwners }, async t => {
    const nobody = 65534;
    const { folder, socket } = await aFolder(t);
    const foreign = tempFolder(t);
    linkSync(socket, join(foreign, 's.sock'));
    chownSync(foreign, nobody, nobody);
    chownSync(put(folder, 'file.json', described(socket)), nobody, nobody);
    put(folder, 'socket.json', described(join(foreign, 's.sock')));
    put(folder, 'own.json', described(socket));
    deepEqual(await ids(folder), ['own']);
    chownSync(folder, nobody, nobody);
    deepEqual(await ids(folder), []);
  });
});

test('resolves a folder given as a path or a URI', {
  skip: onlyOn('posix', 'files, links and modes of others'),
}, async t => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'a b'));
  symlinkSync(join(folder, 'a b'), join(folder, 'link'));
  const real = join(folder, 'a b');
  const ways = [real, join(folder, 'link'), `${folder}/./x/../link/`];
  for (const way of [...ways, pathToFileURL(join(folder, 'link')).href]) {
    equal(await realFolder(way), real, way);
  }
  equal(await realFolder(join(folder, 'none')), join(folder, 'none'));
  for (const wrong of ['file://host/share', 'file:///%zz']) {
    equal(await realFolder(wrong), undefined, wrong);
  }
  equal(await realFolder('.'), process.cwd());
});
