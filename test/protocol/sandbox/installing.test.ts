import assert from 'node:assert/strict';
import { once } from 'node:events';
import { globSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { wordsInEnglish } from '../../../src/domain/sentence.ts';
import { forgetInstalled } from '../../../src/mcp/sandbox/installing.ts';
import { isSoak } from '../../support/effort.ts';
import {
  privateRegistry,
  registeredServer,
  skipWithoutOpenssl,
} from '../../support/privateRegistry.ts';
import { atEnd, until } from '../../support/processes.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { mountedRoot, sandboxedServer, textOf } from '../../support/sandbox/sandboxedServer.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';

const here = await sandboxHere();
const { tool } = here as { tool: Extract<typeof here, { skip: false }>['tool'] };
const skip = here.skip || skipWithoutOpenssl();
const modules = join(import.meta.dirname, '../../../node_modules');

test('what npx runs is installed without a root, runs without a network, and outlives an update that fails', {
  skip,
}, async t => {
  const { base, storage, root } = places(t);
  const look = `ls -a '${root.path}' "$HOME" > "$npm_config_cache/seen" 2>&1 || true`;
  const registry = await privateRegistry(t, look);
  const before = stateOf(join(base, 'home'));
  // Of a process that was killed in the middle: no system has one of that number.
  const left = '0123456789abcdef-4194304999-x';
  writeTree(storage, { [`${left}/files/large`]: '' });
  const server = sandboxedServer(t, {
    ...{ tool, storage, command: 'npx', args: ['-y', registeredServer], roots: [root] },
    env: { NODE_EXTRA_CA_CERTS: registry.authority, npm_config_registry: registry.url },
    terms: { read: [registry.authority] },
  });
  assert.equal((await server.start('by-itself')).kind, 'running');
  assert.ok(!readdirSync(storage).includes(left));
  const [seen = ''] = globSync(join(storage, '*/files/npm/seen'));
  assert.match(readFileSync(seen, 'utf8'), /root': No such file/);
  assert.doesNotMatch(readFileSync(seen, 'utf8'), /npmrc|\.cache/);
  const asked = [...registry.asked];
  assert.ok(asked.includes('/server.tgz'));

  assert.equal((await server.restart('by-hand')).kind, 'running');
  assert.deepEqual(registry.asked, asked);

  const installed = readdirSync(storage);
  registry.setPublished(false);
  await forgetInstalled(storage, 'a');
  const failed = await server.restart('by-hand');
  assert.ok(failed.kind === 'failed' && failed.failure.kind === 'not-started');
  assert.match(
    wordsInEnglish(failed.failure.message),
    /It was not updated, and its next start uses what was installed before\. Its installation ended with exit code 1: npm error/,
  );
  assert.equal((await server.start('by-hand')).kind, 'running');
  assert.deepEqual(readdirSync(storage), installed);

  registry.setPublished(true);
  const askedBefore = registry.asked.length;
  await forgetInstalled(storage, 'a');
  assert.equal((await server.restart('by-hand')).kind, 'running');
  assert.ok(registry.asked.length > askedBefore);
  assert.deepEqual(globSync(join(storage, '*/installed')).length, 1);
  assert.deepEqual(stateOf(join(base, 'home')), before);
});

const onlyInSoak = skip || (!isSoak && 'It takes the real registry.');
test('a published server starts by npx from nothing, and works', { skip: onlyInSoak }, async t => {
  const { root, storage } = places(t);
  const name = '@modelcontextprotocol/server-filesystem';
  const { version } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
  const server = sandboxedServer(t, {
    ...{ tool, storage, command: 'npx', roots: [root] },
    args: ['-y', `${name}@${version}`, root.path],
  });
  assert.equal((await server.start('by-itself')).kind, 'running');
  const path = join(root.path, 'a.txt');
  assert.equal(
    textOf(await server.link.callTool({ name: 'read_text_file', arguments: { path } })),
    'a',
  );
});

test('a program of the project is run, and nothing is fetched', { skip }, async t => {
  const { root, storage } = places(t);
  writeTree(root.path, {
    'node_modules/.bin/serve': '#!/bin/sh\necho "of the project" >&2\nexit 1\n',
  });
  const server = sandboxedServer(t, {
    ...{ tool, storage, command: 'npx', args: ['serve'], roots: [root] },
  });
  await server.start('by-itself');
  assert.deepEqual(readdirSync(storage), []);
});

test('where installing fails, the reason is said and nothing of it is left', { skip }, async t => {
  const { root, storage } = places(t);
  const registry = await privateRegistry(t);
  const server = sandboxedServer(t, {
    ...{ tool, storage, command: 'npx', args: ['-y', 'missing'], roots: [root] },
    env: { NODE_EXTRA_CA_CERTS: registry.authority, npm_config_registry: registry.url },
    terms: { read: [registry.authority] },
  });
  const state = await server.start('by-itself');
  assert.ok(state.kind === 'failed' && state.failure.kind === 'not-installed');
  assert.match(
    wordsInEnglish(state.failure.message),
    /Its installation ended with exit code 1: npm error/,
  );
  assert.deepEqual(readdirSync(storage), []);
});

test('a stop calls an installation off', { skip }, async t => {
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
  await until('nothing of it is left', () => readdirSync(storage).length === 0);
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
  const { HOME } = process.env;
  process.env['HOME'] = join(base, 'home');
  atEnd(t, () => {
    process.env['HOME'] = HOME;
  });
  return { base, storage: join(base, 'storage'), root: mountedRoot(join(base, 'root')) };
}

/** All that is in a folder, with the times of its last changes. */
function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => `${name} ${lstatSync(join(folder, name)).mtimeMs}`);
}
