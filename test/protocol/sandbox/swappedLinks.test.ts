import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { StartRoot } from '../../../src/domain/servers/rootsChange.ts';
import { sandboxedStart } from '../../../src/mcp/sandbox/sandboxedStart.ts';
import type { SandboxTool } from '../../../src/mcp/sandbox/sandboxTool.ts';
import { isSoak } from '../../support/effort.ts';
import { startedNode } from '../../support/processes.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { mountedRoot, ranIn } from '../../support/sandbox/sandboxedServer.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';

const { tool, skip } = await sandboxHere();
const starts = isSoak ? 400 : 12;

describe('a sandboxed server whose folders are swapped for links as it starts', {
  skip,
}, () => {
  it('sees nothing of the targets, and makes nothing there', async t => {
    const top = tempFolder(t);
    writeTree(top, {
      'root/sub/key': 'good',
      'root/sub/deep/key': 'good',
      'root/sub/.git/config': 'good',
      'outside/key': 'top secret',
      'outside/.git/config': 'top secret',
      'outside/deep/key': 'top secret',
    });
    const outside = join(top, 'outside');
    const root = mountedRoot(join(top, 'root'));
    const swapped = mountedRoot(join(top, 'root/sub'));
    const inner = mountedRoot(join(top, 'root/sub/deep'), { isReadOnly: true });
    // Files in a folder that others may change, and the folder itself.
    const worlds = [[root, inner], [swapped]];
    await startSwapping(t, swapped.path, outside);
    const ends = new Map<string, number>();
    // Until it came at the right moment and at the wrong one.
    for (let start = 0; start < starts || ends.size < 2; start += worlds.length) {
      for (const end of await Promise.all(worlds.map(roots => ended(roots, tool, outside)))) {
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }
    }
    t.diagnostic([...ends].map(([end, count]) => `${count} ${end}`).join(', '));
    assert.deepEqual([...ends.keys()].sort(), ['refused', 'saw its own']);
    const files = readdirSync(outside, { recursive: true }).sort();
    assert.deepEqual(files, ['.git', '.git/config', 'deep', 'deep/key', 'key']);
    assert.equal(readFileSync(join(outside, 'key'), 'utf8'), 'top secret');
    assert.ok(!readFileSync('/proc/self/mountinfo', 'utf8').includes(top));
  });
});

/** How one start went. */
async function ended(
  roots: readonly StartRoot[],
  tool: SandboxTool,
  outside: string,
): Promise<string> {
  const first = roots[0]?.path ?? '';
  const program = {
    command: '/bin/sh',
    args: ['-c', server, 'sh', outside, ...roots.flatMap(({ path }) => [path, `${path}/sub`])],
    cwd: first,
    env: { PATH: '/usr/bin:/bin' },
  };
  const terms = { read: [], write: [], network: false };
  const start = await sandboxedStart(program, { terms, roots }, tool).catch(() => undefined);
  if (!start) {
    return ended(roots, tool, outside); // The folder was away at that moment.
  }
  const { out } = await ranIn(start);
  return /secret/.test(out) ? 'saw a secret' : /started/.test(out) ? 'saw its own' : 'refused';
}

/** Reads and writes by each of its folders for a while, and outside. */
const server = `echo started
for round in 1 2 3 4 5 6 7 8 9 10; do
  for folder; do cat "$folder"/key "$folder"/*/key "$folder"/.git/config; echo changed >"$folder/key.new"; mkdir -p "$folder/made"; done
done 2>/dev/null`;

/** Has a second process swap a folder for links of several kinds, without pause, until the test ends. */
async function startSwapping(t: TestContext, folder: string, target: string): Promise<void> {
  // Bubblewrap has the machine's files at /oldroot while it mounts.
  const links = [target, `/oldroot${target}`, '../outside'];
  await startedNode(t, '-e', script, folder, ...links);
}

const script = `
  const { renameSync, rmSync, symlinkSync } = require('node:fs');
  const [, folder, ...links] = process.argv;
  const never = new Int32Array(new SharedArrayBuffer(4));
  process.stdout.write('ready');
  // A server of the folder above may make a folder in its place at any moment.
  const put = inPlace => {
    for (let isThere = false; !isThere; ) {
      try {
        rmSync(folder, { recursive: true, force: true });
        inPlace();
        isThere = true;
      } catch {}
    }
  };
  for (let round = 0; ; round++) {
    renameSync(folder, folder + '-kept');
    put(() => symlinkSync(links[round % links.length], folder));
    Atomics.wait(never, 0, 0, round % 4);
    put(() => renameSync(folder + '-kept', folder));
    // Long enough for some starts, and too short for others.
    Atomics.wait(never, 0, 0, (round % 10) * 8);
  }
`;
