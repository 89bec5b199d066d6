import assert from 'node:assert/strict';
import { chmodSync, globSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { SandboxTerms } from '../../../src/domain/sandbox/sandboxTerms.ts';
import type { ManagedServer } from '../../../src/mcp/life/managedServer.ts';
import { ServerStorage } from '../../../src/mcp/sandbox/serverStorage.ts';
import { readTable } from '../../support/manual.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import {
  mountedRoot,
  sandboxedServer,
  takeHome,
  textOf,
} from '../../support/sandbox/sandboxedServer.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';

const { tool, skip } = await sandboxHere();
const plain = join(import.meta.dirname, '../../support/sandbox/plainServer.sh');

/** Installs itself as a package, and is then a server that adds an `x` to a file in each place. */
const npx = `#!/bin/sh
at=$npm_config_cache/_npx/$(echo "$*" | tr -cd 0-9)/node_modules/s
case $0 in */npx)
  case $* in *--call*) mkdir -p "$at/dist"; cp "$0" "$at/dist/server"; exit;; esac
  exec sh "$at/dist/server" "$@";;
esac
[ "$STORE" = no ] || for place in "$HOME" "\${0%/*}/data/deep" /tmp; do
  mkdir -p "$place"; printf x >>"$place/stored"
done
${readFileSync(plain, 'utf8')}`;

/** Each column of the table: what happens before the server starts again. */
const occasions: Readonly<Record<string, (scene: Scene, key: string) => unknown>> = {
  Restart: () => {},
  'Update Server': ({ storage }, key) => storage.outdate(key),
  'A new version in its definition': scene => {
    scene.version = 's@2';
  },
  'Rename…': async (scene, key) => {
    await scene.storage.move(key, 'renamed');
    scene.key = 'renamed';
  },
  'Remove…': ({ storage }, key) => storage.remove(key),
  '30 days without a start': async scene => {
    const longAgo = Date.now() / 1000 - 31 * 24 * 60 * 60;
    for (const copy of await copiesIn(scene)) {
      utimesSync(copy, longAgo, longAgo);
    }
    // The installation of any server clears up.
    await (await started(scene, 'other')).stop();
  },
};

for (const [occasion, happens] of Object.entries(occasions)) {
  test(`stored files of a server are kept or deleted as the help says: ${occasion}`, {
    skip,
  }, async t => {
    const [storing, plain] = [opened(t, 'yes'), opened(t, 'no')];
    for (const scene of [storing, plain]) {
      await (await started(scene)).stop();
    }
    const copies = await copiesIn(plain);
    await happens(storing, 'a');
    await happens(plain, 'a');
    const isGone = (await copiesIn(plain)).length < copies.length;
    const [again] = [await started(storing), await started(plain)];
    const isAnew = (await copiesIn(plain)).length > copies.length;
    const word = (text: string | undefined) => (text === 'xx' ? 'kept' : 'deleted');
    const home = word((await readAll(storing, 'home/stored'))[0]);
    const beside = await readAll(
      storing,
      '*/files/npm/_npx/*/node_modules/s/dist/data/deep/stored',
    );
    const rows = {
      'Files in its home': home,
      'Files beside its program':
        beside.length > 1 && beside.includes('xx') ? 'copied' : word(beside[0]),
      'Its program, if no files lie beside it': isGone
        ? 'deleted'
        : isAnew
          ? 'fetched anew'
          : 'kept',
      'Files in `/tmp`, and in `user.home` of Java': word(await answer(again, '/tmp/stored')),
    };
    const table = readTable('yourServers', 'Restart');
    assert.deepEqual(
      rows,
      Object.fromEntries(Object.keys(rows).map(row => [row, table.get(row)?.get(occasion)])),
    );
  });
}

test('files stored beside a program are named, and survive an update', {
  skip,
}, async t => {
  const scene = opened(t, 'yes');
  const server = await started(scene);
  assert.deepEqual(await scene.storage.stored('a'), {
    home: ['stored'],
    beside: ['s/dist/data/deep/stored'],
  });
  for (let update = 0; update < 2; update++) {
    await scene.storage.outdate('a');
    await server.restart('by-hand');
  }
  const beside = await readAll(scene, '*/files/npm/_npx/*/node_modules/s/dist/data/deep/stored');
  assert.deepEqual(beside.sort(), ['x', 'xx', 'xxx']);
});

test('files that a server deleted do not come back with an update', { skip }, async t => {
  const scene = opened(t, 'yes');
  const server = await started(scene);
  for (let update = 0; update < 2; update++) {
    await scene.storage.outdate('a');
    await server.restart('by-hand');
    if (update === 0) {
      // A program that fetches another at run time has two folders there.
      const [newest = ''] = (await copiesIn(scene)).sort().reverse();
      writeTree(newest, { 'files/npm/_npx/0/data.json': 'x' });
      for (const file of globSync(
        join(newest, 'files/npm/_npx/*/node_modules/s/dist/data/deep/stored'),
      )) {
        rmSync(file);
      }
    }
  }
  const beside = await readAll(scene, '*/files/npm/_npx/*/node_modules/s/dist/data/deep/stored');
  const other = await readAll(scene, '*/files/npm/_npx/1/data.json');
  assert.deepEqual([beside.sort(), other], [['x', 'x'], ['x']]);
});

test('refuses the name of a server with stored files, and both servers keep theirs', {
  skip,
}, async t => {
  const scene = opened(t, 'yes');
  await started(scene);
  await started(scene, 'b');
  await assert.rejects(scene.storage.move('a', 'b'), /left its files in/);
  for (const key of ['a', 'b']) {
    assert.deepEqual(await readAll({ ...scene, key }, 'home/stored'), ['x']);
  }
});

test('links places of the user’s home that a definition names into the server’s home', {
  skip,
}, async t => {
  const scene = opened(t, 'no');
  takeHome(t, join(scene.base, 'home'));
  writeTree(scene.base, { 'home/.config/tool': 'named', 'home/.config/other': 'not named' });
  const server = await started(scene, 'a', { read: [join(scene.base, 'home/.config/tool')] });
  const config = join(await scene.storage.open('a'), 'home/.config');
  assert.deepEqual(
    [await answer(server, join(config, 'tool')), await answer(server, join(config, 'other'))],
    ['named', 'failed'],
  );
});

function opened(t: TestContext, stores: 'yes' | 'no') {
  const base = tempFolder(t);
  writeTree(base, { 'bin/npx': npx, 'root/a.txt': 'a' });
  chmodSync(join(base, 'bin/npx'), 0o755);
  const storage = new ServerStorage(join(base, 'storage'));
  return { t, base, storage, stores, key: 'a', version: 's@1' };
}

type Scene = ReturnType<typeof opened>;

async function started(
  scene: Scene,
  key = scene.key,
  terms: Partial<SandboxTerms> = {},
): Promise<ManagedServer> {
  const { t, base, storage, stores, version } = scene;
  const server = sandboxedServer(t, {
    ...{ tool, storage: storage.path, key, command: join(base, 'bin/npx'), args: ['-y', version] },
    roots: [mountedRoot(join(base, 'root'))],
    ...{ terms, env: { STORE: stores } },
  });
  const state = await server.start('by-hand');
  assert.equal(state.kind, 'running', JSON.stringify(state));
  assert.equal(Object(server.target).mayDownload, false);
  return server;
}

async function answer({ link }: ManagedServer, path: string): Promise<string> {
  return textOf(await link.callTool({ name: 'read', arguments: { path } }));
}

async function copiesIn(scene: Scene): Promise<string[]> {
  return (await own(scene, '*/files')).map(dirname);
}

async function readAll(scene: Scene, path: string): Promise<string[]> {
  return (await own(scene, path)).map(file => readFileSync(file, 'utf8'));
}

/** Paths in the folder of a server. */
async function own({ storage, key }: Scene, path: string): Promise<string[]> {
  return globSync(join(await storage.open(key), path));
}
