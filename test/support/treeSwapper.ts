import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { atEnd, startedNode } from './processes.ts';
import { tempFolder, writeTree } from './temp.ts';

/** A root in which the folder `sub` is, without pause, swapped with a link to `outside`. */
export interface SwappedTree {
  readonly root: string;
  /** A folder beside the root, in which there is the same as in `sub` at the start. */
  readonly outside: string;
  /** Whether the process is still at it. */
  isRunning(): boolean;
}

/**
 * Starts a second process that swaps until the test ends. What others make in the place of the
 * folder, while it is away, is swept away.
 */
export async function startSwappingTree(
  t: Pick<TestContext, 'after'>,
  files: Readonly<Record<string, string>>,
): Promise<SwappedTree> {
  const folder = fastFolder(t);
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
  writeTree(join(root, 'sub'), files);
  writeTree(outside, files);
  const swapper = await startedNode(t, '-e', script, folder);
  return { root, outside, isRunning: () => swapper.exitCode === null };
}

// In memory where that is possible: there, neither side has to wait for a disk.
function fastFolder(t: Pick<TestContext, 'after'>): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) {
    return tempFolder(t);
  }
  const folder = mkdtempSync(join(memory, 'mcp-roots-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// Each state lasts for another time, so that no rhythm of the other side fits to it.
const script = `
  const { renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs');
  const folder = process.argv[1];
  const sub = folder + '/root/sub';
  const linger = () => {
    for (const end = performance.now() + Math.random() * 0.1; performance.now() < end; ) {}
  };
  const hasDone = step => {
    try {
      step();
      return true;
    } catch {
      return false;
    }
  };
  const insist = step => {
    while (!hasDone(step)) {
      hasDone(() => rmSync(sub, { recursive: true, force: true }));
    }
  };
  const parent = process.ppid;
  process.stdout.write('ready');
  while (process.ppid === parent) {
    linger();
    renameSync(sub, sub + '-kept');
    insist(() => symlinkSync(folder + '/outside', sub));
    linger();
    unlinkSync(sub);
    insist(() => renameSync(sub + '-kept', sub));
  }
`;
