import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serverMain } from '../../support/bundledServer.ts';
import { atEnd } from '../../support/processes.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import {
  mountedRoot,
  type Sandboxed,
  sandboxedServer,
  textOf,
} from '../../support/sandbox/sandboxedServer.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';

const here = await sandboxHere();
const { tool } = here as { tool: Extract<typeof here, { skip: false }>['tool'] };
const { skip } = here;
const skipPython = skip || (!existsSync('/usr/bin/python3') && 'There is no /usr/bin/python3.');
const modules = join(import.meta.dirname, '../../../node_modules');
const plain = join(import.meta.dirname, '../../support/sandbox');

type Call = readonly [name: string, args: object];

test('a server of an nvm-like Node works inside as outside', { skip }, async t => {
  const { home, root } = places(t);
  const prefix = join(home, '.nvm/versions/node/v24');
  const program = '@modelcontextprotocol/server-filesystem/dist/index.js';
  mkdirSync(join(prefix, 'bin'), { recursive: true });
  mkdirSync(join(prefix, 'lib'));
  copyFileSync(process.execPath, join(prefix, 'bin/node'));
  const path = join(root.path, 'a.txt');
  await worksAlike(
    t,
    {
      ...{ command: 'node', args: [join(modules, program), root.path], roots: [root] },
      env: { PATH: `${join(prefix, 'bin')}:/usr/bin:/bin` },
    },
    ['read_text_file', { path }],
    ['write_file', { path: join(root.path, 'b.txt'), content: 'b' }],
    ['list_directory', { path: root.path }],
    ['read_text_file', { path: join(home, 'secret') }],
  );
});

test('a server of a pyenv-like Python works inside as outside', { skip: skipPython }, async t => {
  const { home, root } = places(t);
  const pyenv = join(home, '.pyenv');
  writeTree(pyenv, {
    'versions/3/bin/': '',
    'libexec/pyenv':
      '#!/bin/sh\nshift\nname=$1\nshift\nexec "$PYENV_ROOT/versions/$(cat "$PYENV_ROOT/version")/bin/$name" "$@"\n',
    'shims/python': `#!/usr/bin/env bash\nexport PYENV_ROOT='${pyenv}'\nexec '${pyenv}/libexec/pyenv' exec "\${0##*/}" "$@"\n`,
    version: '3',
  });
  for (const name of ['libexec/pyenv', 'shims/python']) {
    chmodSync(join(pyenv, name), 0o755);
  }
  symlinkSync('/usr/bin/python3', join(pyenv, 'versions/3/bin/python'));
  cpSync(join(plain, 'plainServer.py'), join(home, 'server.py'));
  await worksAlike(
    t,
    {
      ...{ command: 'python', args: [join(home, 'server.py')], roots: [root] },
      env: { PATH: `${join(pyenv, 'shims')}:/usr/bin:/bin` },
    },
    ...plainCalls(root.path),
  );
});

for (const [command, file, missing] of [
  ['/usr/bin/python3', 'plainServer.py', skipPython],
  ['/bin/sh', 'plainServer.sh', skip],
] as const) {
  test(`a server of ${command} works inside as outside, and not beyond`, {
    skip: missing,
  }, async t => {
    const { home, root } = places(t);
    cpSync(join(plain, file), join(home, file));
    const how = { command, args: [join(home, file)], roots: [root] };
    const server = await worksAlike(t, how, ...plainCalls(root.path));
    const path = join(home, 'secret');
    const read = textOf(await server.link.callTool({ name: 'read', arguments: { path } }));
    assert.match(read, /^(?:failed|No such file or directory)$/);
  });
}

test('server-everything works inside as outside', { skip }, async t => {
  const { root } = places(t);
  await worksAlike(
    t,
    { command: join(modules, '.bin/mcp-server-everything'), args: [], roots: [root] },
    ['echo', { message: 'hello' }],
    ['get-sum', { a: 2, b: 3 }],
    ['get-structured-content', { location: 'Chicago' }],
    ['get-tiny-image', {}],
  );
});

test('the bundled server works inside as outside', { skip }, async t => {
  const { home, root } = places(t);
  await worksAlike(
    t,
    { command: process.execPath, args: [serverMain], roots: [root] },
    ['get-roots', {}],
    ['read-file', { path: join(root.path, 'a.txt') }],
    ['list-directory', { path: root.path }],
    ['search-text', { query: 'a' }],
    ['read-file', { path: join(home, 'secret') }],
  );
});

/** Has a server answer these calls in no sandbox and in one, and the same. Returns the latter. */
async function worksAlike(t: TestContext, how: Omit<Sandboxed, 'tool'>, ...calls: readonly Call[]) {
  const answers: unknown[] = [];
  const servers = [undefined, tool].map(one => sandboxedServer(t, { ...how, tool: one }));
  for (const server of servers) {
    const state = await server.start('by-itself');
    assert.equal(state.kind, 'running', JSON.stringify(state));
    const told = [];
    for (const [name, args] of calls) {
      told.push(await server.link.callTool({ name, arguments: { ...args } }));
    }
    answers.push(told);
  }
  assert.deepEqual(answers[1], answers[0]);
  return servers[1] as (typeof servers)[number];
}

function plainCalls(root: string): Call[] {
  const file = (name: string) => ({ path: join(root, name) });
  return [
    ['read', file('a.txt')],
    ['write', file('b.txt')],
    ['read', file('b.txt')],
    ['read', file('none')],
  ];
}

/** A home with a secret, and a root. */
function places(t: TestContext) {
  const base = tempFolder(t);
  writeTree(base, { 'home/secret': 'secret', 'root/a.txt': 'a' });
  const { HOME } = process.env;
  process.env['HOME'] = join(base, 'home');
  atEnd(t, () => {
    process.env['HOME'] = HOME;
  });
  return { home: join(base, 'home'), root: mountedRoot(join(base, 'root')) };
}
