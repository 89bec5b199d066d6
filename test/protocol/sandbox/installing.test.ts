import assert from 'node:assert/strict';
import { once } from 'node:events';
import { globSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { wordsInEnglish } from '../../../src/domain/sentence.ts';
import type { SandboxTool } from '../../../src/mcp/sandbox/sandboxTool.ts';
import { ServerStorage } from '../../../src/mcp/sandbox/serverStorage.ts';
import {
  privateRegistry,
  registeredServer,
  skipWithoutOpenssl,
} from '../../support/privateRegistry.ts';
import { atEnd, until } from '../../support/processes.ts';
import { landlockHere, sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { mountedRoot, sandboxedServer, takeHome } from '../../support/sandbox/sandboxedServer.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';
import { said } from '../../support/texts.ts';

const here = await sandboxHere();
const { tool } = here;
const skip = here.skip || skipWithoutOpenssl();

for (const [how, by] of [
  ['', here],
  [' by Landlock', landlockHere()],
] as const) {
  const title = `npx installs a server without a root, runs it without a network, and keeps it when an update fails${how}`;
  test(title, { skip: by.skip || skip }, t => installsByNpx(t, by.tool));
}

async function installsByNpx(t: TestContext, tool: SandboxTool): Promise<void> {
  const { base, storage, root } = places(t);
  // npm sets the times of its lock, and fails if they stay the same.
  const look = `ls -a '${root.path}' "$HOME" > "$npm_config_cache/seen" 2>&1; touch -d @1 "$npm_config_cache/seen"`;
  const registry = await privateRegistry(t, look);
  const before = stateOf(join(base, 'home'));
  // Of a process that was killed midway: no system has a process of that number.
  const left = 'server-x/1-4194304999-x';
  writeTree(storage, { [`${left}/files/large`]: '' });
  const server = sandboxedServer(t, {
    ...{ tool, storage, command: 'npx', args: ['-y', registeredServer], roots: [root] },
    env: registry.env,
    terms: { read: [registry.authority] },
  });
  assert.equal((await server.start('by-itself')).kind, 'running');
  assert.deepEqual(readdirSync(join(storage, 'server-x')), []);
  const [seen = ''] = globSync(join(storage, 'server-*/*/files/npm/seen'));
  assert.match(readFileSync(seen, 'utf8'), /root': (?:No such file|Permission denied)/);
  assert.doesNotMatch(readFileSync(seen, 'utf8'), /npmrc|\.cache/);
  assert.equal(statSync(seen).mtimeMs, 1000);
  const asked = [...registry.asked];
  assert.ok(asked.includes('/server.tgz'));

  assert.equal((await server.restart('by-hand')).kind, 'running');
  assert.deepEqual(registry.asked, asked);
  assert.ok(server.state.kind === 'running' && server.state.pid !== undefined);
  const inside = commandsBelow(server.state.pid).filter(command => !/^\S*bwrap /.test(command));
  assert.match(inside.join('\n'), /^\S*node \S+\/node_modules\/\.bin\/private-server$/);

  const installed = copiesIn(storage);
  registry.setPublished(false);
  await new ServerStorage(storage).outdate('a');
  const failed = await server.restart('by-hand');
  assert.ok(failed.kind === 'failed' && failed.failure.kind === 'not-started');
  assert.match(
    said(wordsInEnglish(failed.failure.message)),
    /^installing\.notUpdated\(installing\.failed\(serverFailure\..*npm error/s,
  );
  assert.equal((await server.start('by-hand')).kind, 'running');
  assert.deepEqual(copiesIn(storage), installed);

  registry.setPublished(true);
  const askedBefore = registry.asked.length;
  await new ServerStorage(storage).outdate('a');
  assert.equal((await server.restart('by-hand')).kind, 'running');
  assert.ok(registry.asked.length > askedBefore);
  assert.equal(copiesIn(storage).length, 2);
  assert.deepEqual(stateOf(join(base, 'home')), before);
}

test('a program of the project runs, and nothing is fetched', { skip }, async t => {
  const { root, storage } = places(t);
  writeTree(root.path, {
    'node_modules/.bin/serve': '#!/bin/sh\necho "of the project" >&2\nexit 1\n',
  });
  const server = sandboxedServer(t, {
    ...{ tool, storage, command: 'npx', args: ['serve'], roots: [root] },
  });
  await server.start('by-itself');
  assert.deepEqual(copiesIn(storage), []);
});

test('a failed installation gives its reason and leaves nothing', { skip }, async t => {
  const { root, storage } = places(t);
  const registry = await privateRegistry(t);
  const server = sandboxedServer(t, {
    ...{ tool, storage, command: 'npx', args: ['-y', 'missing'], roots: [root] },
    env: registry.env,
    terms: { read: [registry.authority] },
  });
  const state = await server.start('by-itself');
  assert.ok(state.kind === 'failed' && state.failure.kind === 'not-installed');
  assert.match(
    said(wordsInEnglish(state.failure.message)),
    /^installing\.failed\(serverFailure\..*npm error/s,
  );
  assert.deepEqual(copiesIn(storage), []);
});

test('a stop cancels an installation', { skip }, async t => {
  const { root, storage } = places(t);
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  atEnd(t, () => silent.close());
  const { port } = silent.address() as { port: number };
  const server = sandboxedServer(t, {
    ...{ tool, storage, command: 'npx', args: ['-y', 'anything'], roots: [root] },
    env: { npm_config_registry: `http://127.0.0.1:${port}/` },
  });
  const started = server.start('by-itself');
  const [connection] = await once(silent, 'connection');
  connection.on('error', () => {});
  await server.stop();
  assert.equal((await started).kind, 'stopped');
  await until('nothing of it is left', () => copiesIn(storage).length === 0);
});

/** A home with settings that lead nowhere, a root, and a place for what is fetched. */
function places(t: TestContext) {
  const base = tempFolder(t);
  writeTree(base, {
    'home/.npmrc': 'registry=http://127.0.0.1:1/\n',
    'home/.npm/_cacache/index': 'x',
    'home/.cache/uv/x': 'x',
    'root/a.txt': 'a',
    'storage/': '',
  });
  takeHome(t, join(base, 'home'));
  return { base, storage: join(base, 'storage'), root: mountedRoot(join(base, 'root')) };
}

/** The finished and the running installations. */
function copiesIn(storage: string): string[] {
  return globSync(join(storage, 'server-*/*/files'));
}

/** All that is in a folder, with the times of its last changes. */
function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => `${name} ${lstatSync(join(folder, name)).mtimeMs}`);
}

/** The command lines of a process and of all that it started. */
function commandsBelow(pid: number): string[] {
  const own = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const below = children === '' ? [] : children.split(' ').map(Number);
  return [own, ...below.flatMap(commandsBelow)];
}
