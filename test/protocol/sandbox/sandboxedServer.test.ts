import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { holder } from '../../support/sandbox/holder.ts';
import { mountedRoot, sandboxedServer, textOf } from '../../support/sandbox/sandboxedServer.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';

const { tool, skip } = await sandboxHere();

test('a server sees only its folders and what its definition names', { skip }, async t => {
  const base = tempFolder(t);
  writeTree(base, {
    'server/holder.cjs': holder,
    'api/a.txt': 'a',
    'api/.env': 'hidden',
    'other/secret': 'secret',
    'named/read': 'named',
  });
  const at = (name: string) => join(base, name);
  const server = sandboxedServer(t, {
    tool,
    command: process.execPath,
    args: [at('server/holder.cjs')],
    roots: [mountedRoot(at('api'), { hidden: [at('api/.env')] })],
    terms: { read: [at('named/read')] },
  });
  assert.equal((await server.start('by-itself')).kind, 'running');
  const read = async (name: string) =>
    textOf(await server.link.callTool({ name: 'read', arguments: { path: at(name) } }));
  const write = async (name: string) =>
    textOf(await server.link.callTool({ name: 'write', arguments: { path: at(name) } }));
  assert.deepEqual(
    [await read('api/a.txt'), await read('named/read'), await read('other/secret')],
    ['a', 'named', 'ENOENT'],
  );
  assert.deepEqual([await read('api/.env'), await write('named/read')], ['EACCES', 'EROFS']);
  assert.deepEqual(server.record.lastExposure?.trigger, { kind: 'launch', as: ['mount'] });
});

test('reports a path that a server missed, if it exists on this machine', {
  skip,
}, async t => {
  const base = tempFolder(t);
  writeTree(base, {
    'server/fails.sh': 'cat "$@"\n',
    'api/a.txt': 'a',
    'other/secret': 'secret',
  });
  const [known, unknown] = [join(base, 'other/secret'), join(base, 'other/none')];
  const missedBy = async (path: string) => {
    const server = sandboxedServer(t, {
      tool,
      command: '/bin/sh',
      args: [join(base, 'server/fails.sh'), path],
      roots: [mountedRoot(join(base, 'api'))],
    });
    const { kind } = await server.start('by-itself');
    return [kind, server.record.missed.last?.path];
  };
  assert.deepEqual(await missedBy(known), ['failed', known]);
  assert.deepEqual(await missedBy(unknown), ['failed', undefined]);
});

test('a revoked folder is out of reach within a second, with its open files', {
  skip,
}, async t => {
  const base = tempFolder(t);
  writeTree(base, { 'server/holder.cjs': holder, 'api/a.txt': 'a', 'web/w.txt': 'w' });
  const at = (name: string) => join(base, name);
  const [api, web] = [mountedRoot(at('api')), mountedRoot(at('web'))];
  const server = sandboxedServer(t, {
    tool,
    command: process.execPath,
    args: [at('server/holder.cjs')],
    roots: [api, web],
  });
  const state = await server.start('by-itself');
  assert.ok(state.kind === 'running' && state.pid !== undefined);
  const call = (name: string, path: string) =>
    server.link.callTool({ name, arguments: { path: at(path) } }).then(textOf);
  assert.equal(await call('open', 'web/w.txt'), 'w');
  const { pid } = state;
  const start = performance.now();
  server.setRoots([api]);
  await server.start('by-itself');
  assert.equal(server.state.kind === 'running' && server.state.pid !== pid, true);
  assert.throws(() => process.kill(pid, 0));
  t.diagnostic(`out of reach after ${Math.round(performance.now() - start)} ms`);
  assert.deepEqual(
    [await call('read', 'api/a.txt'), await call('read', 'web/w.txt')],
    ['a', 'ENOENT'],
  );
  const { state: narrow } = server;
  const isAnother = () => server.state.kind === 'running' && server.state !== narrow;
  const restarted = new Promise<void>(resolve => {
    server.onDidChange(() => isAnother() && resolve());
  });
  server.setRoots([api, web]);
  await restarted;
  assert.equal(await call('read', 'web/w.txt'), 'w');
});
