import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startedNode } from './processes.ts';
import { onlyOn } from './systems.ts';
import { tempFolder, writeTree } from './temp.ts';

/** The folder to swap for a link: one in the root, the root itself, or the root's parent. */
type Swapped = 'folder' | 'root' | 'parent';

export type Attack = Awaited<ReturnType<typeof startSwapping>>;

/** The `skip` of an attack. */
export const skipSwapping = onlyOn('posix', 'Windows leaves a gap, which is documented');

export const good = 'good';
export const secret = 'top secret';

/** The paths of each kind, from a folder that holds all of it. */
const places = {
  folder: { root: 'root', swapped: 'root/sub', link: 'secret', outside: 'secret' },
  root: { root: 'root/sub', swapped: 'root/sub', link: 'secret', outside: 'secret' },
  parent: { root: 'root/sub', swapped: 'root', link: 'secret', outside: 'secret/sub' },
} as const;

/** A root under attack: a second process swaps a folder in it until the test ends. `more` is written beside the root before. */
export async function startSwapping(
  t: Pick<TestContext, 'after'>,
  more: Readonly<Record<string, string>> = {},
) {
  const { start, ...attack } = prepareSwapping(t, 'folder', more);
  await start();
  return attack;
}

/** The same, with the start left to the test, which may have the root taken before. */
export function prepareSwapping(
  t: Pick<TestContext, 'after'>,
  what: Swapped,
  more: Readonly<Record<string, string>> = {},
) {
  const top = tempFolder(t);
  const { root, swapped, link, outside } = places[what];
  writeTree(top, { 'root/sub/key': good, [`${outside}/key`]: secret, ...more });
  const start = async () => {
    await startedNode(t, '-e', script, join(top, swapped), join(top, link));
  };
  return {
    root: join(top, root),
    /** The path that is a file in the root at one moment, and the secret at the next. */
    path: join(top, 'root/sub/key'),
    /** The folder that the secret is in. */
    outside: join(top, outside),
    start,
  };
}

const script = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const [, swapped, link] = process.argv;
  process.stdout.write('ready');
  for (;;) {
    renameSync(swapped, swapped + '-kept');
    symlinkSync(link, swapped);
    unlinkSync(swapped);
    renameSync(swapped + '-kept', swapped);
  }
`;
