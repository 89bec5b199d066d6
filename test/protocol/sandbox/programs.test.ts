import assert from 'node:assert/strict';
import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serverMain } from '../../support/bundledServer.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import {
  mountedRoot,
  type Sandboxed,
  sandboxedServer,
  takeHome,
  textOf,
} from '../../support/sandbox/sandboxedServer.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';

const { tool, skip } = await sandboxHere();
const skipPython = skip || (!existsSync('/usr/bin/python3') && 'There is no /usr/bin/python3.');
const modules = join(import.meta.dirname, '../../../node_modules');
const plain = join(import.meta.dirname, '../../support/sandbox');

type Call = readonly [name: string, args: object];

test('a server of an nvm-like Node works inside a sandbox as outside', { skip }, async t => {
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
    // It starts where the server finds itself, not where its sandbox was started.
    ['read_text_file', { path: 'a.txt' }],
    ['write_file', { path: join(root.path, 'b.txt'), content: 'b' }],
    ['list_directory', { path: root.path }],
    ['read_text_file', { path: join(home, 'secret') }],
  );
});

for (const [command, file, missing] of [
  ['/usr/bin/python3', 'plainServer.py', skipPython],
  ['/bin/sh', 'plainServer.sh', skip],
] as const) {
  test(`a server of ${command} works inside a sandbox as outside, and not beyond it`, {
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

test('the bundled server works inside a sandbox as outside', { skip }, async t => {
  await worksAlike(
    t,
    { command: process.execPath, args: [serverMain], roots: [places(t).root] },
    ['get-roots', {}],
    ['read-file', { path: 'a.txt' }],
    ['list-directory', { path: '.' }],
    ['search-text', { query: 'a' }],
    ['read-file', { path: '../home/secret' }],
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
  takeHome(t, join(base, 'home'));
  return { home: join(base, 'home'), root: mountedRoot(join(base, 'root')) };
}
