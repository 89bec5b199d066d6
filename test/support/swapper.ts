import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { atEnd, killed } from './processes.ts';
import { tempFolder, writeTree } from './temp.ts';

/** A root under attack: `sub` in it is, without pause, swapped with a link to `secret` beside it. */
export interface Attack {
  readonly root: string;
  /** The path that is a file in the root at one moment, and the secret at the next. */
  readonly path: string;
}

export const good = 'good';
export const secret = 'top secret';

/** Starts a second process that swaps until the test ends. `more` is written beside the root before. */
export async function startSwapping(
  t: Pick<TestContext, 'after'>,
  more: Readonly<Record<string, string>> = {},
): Promise<Attack> {
  const folder = tempFolder(t);
  writeTree(folder, { 'root/sub/key': good, 'secret/key': secret, ...more });
  const swapper = spawn(process.execPath, ['-e', script, folder], { stdio: 'pipe' });
  atEnd(t, () => killed(swapper));
  await once(swapper.stdout, 'data');
  const root = join(folder, 'root');
  return { root, path: join(root, 'sub', 'key') };
}

const script = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const folder = process.argv[1];
  const sub = folder + '/root/sub';
  process.stdout.write('ready');
  for (;;) {
    renameSync(sub, sub + '-kept');
    symlinkSync(folder + '/secret', sub);
    unlinkSync(sub);
    renameSync(sub + '-kept', sub);
  }
`;
