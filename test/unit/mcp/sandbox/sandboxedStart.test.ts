import { equal } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { it } from 'node:test';
import { neededPaths } from '../../../../src/mcp/sandbox/sandboxedStart.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

const skip = onlyOn('posix', 'there is no sandbox on Windows');

it('a pipe as the program is not waited for, nor read', { skip, timeout: 10_000 }, async t => {
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
  // More pipes than threads that a process reads with: one that is waited for takes a thread.
  equal(await needed('script'), true);
});
