import { deepEqual, equal } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { neededPaths, sandboxedStart } from '../../../../src/mcp/sandbox/sandboxedStart.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

const skip = onlyOn('posix', 'there is no sandbox on Windows');

it('neither reads nor waits for a pipe as program', { skip, timeout: 10_000 }, async t => {
  const folder = tempFolder(t);
  writeTree(folder, { script: '#!/bin/sh' });
  const names = ['a', 'b', 'c', 'd'];
  execFileSync(
    'mkfifo',
    names.map(name => join(folder, name)),
  );
  const needed = async (name: string) => {
    const start = { command: join(folder, name), args: [], cwd: folder, env: {}, secrets: [] };
    const paths = await neededPaths(start, []);
    return paths.includes(join(folder, name));
  };
  await Promise.all(names.map(needed));
  // More pipes than reading threads of a process: each wait for a pipe takes a thread.
  equal(await needed('script'), true);
});

it('a program that sees all of the user’s home has it as its home', {
  skip: onlyOn('linux', 'there is no sandbox elsewhere'),
}, async t => {
  const home = tempFolder(t);
  const env = { HOME: process.env['HOME'] ?? '' };
  const homeWith = async (read: readonly string[]) => {
    const start = { command: '/bin/sh', args: [], cwd: '/', env, secrets: [] };
    const terms = { read, write: [], network: false };
    let given: string | undefined;
    await sandboxedStart(
      start,
      { terms, roots: [], own: [home], home },
      {
        name: '',
        hasNamespaces: true,
        start: world => {
          given = world.env['HOME'];
          return { command: '', args: [], cwd: '/', env: {}, inputs: [] };
        },
      },
    );
    return given;
  };
  deepEqual([await homeWith([]), await homeWith([homedir()])], [home, env.HOME]);
});
