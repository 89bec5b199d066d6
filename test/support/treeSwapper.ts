import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { atEnd, startedNode } from './processes.ts';
import { tempFolder, writeTree } from './temp.ts';

/**
 * A root where a second process swaps the folder `sub` with a link to `outside`, without pause,
 * until the test ends. It removes files that others make in place of the folder.
 */
export async function startSwappingTree(
  t: Pick<TestContext, 'after'>,
  files: Readonly<Record<string, string>>,
) {
  const folder = fastFolder(t);
  // Outside there is the same as in `sub` at the start.
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
  writeTree(join(root, 'sub'), files);
  writeTree(outside, files);
  const swapper = await startedNode(t, '-e', script, folder);
  return { root, outside, isRunning: () => swapper.exitCode === null };
}

// In memory if possible, so that both sides need not wait for a disk.
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
