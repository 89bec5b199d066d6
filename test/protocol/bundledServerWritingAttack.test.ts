import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { connect, rootOf, type TestClient, type ToolResult } from '../support/bundledServer.ts';
import { effort } from '../support/effort.ts';
import { onlyOn } from '../support/systems.ts';
import { startSwappingTree } from '../support/treeSwapper.ts';
import { treeOf } from '../support/writing.ts';

const atOnce = 25;

type Step = (client: TestClient, index: number) => Promise<ToolResult>;

/** The calls on files in the folder. Each has its own files, the same inside and outside. */
const steps: readonly Step[] = [
  (client, n) => client.call('write-file', { path: `sub/in/a/${n}/b`, content: 'x' }),
  (client, n) => client.call('write-file', { path: `sub/in/replace-${n}`, content: 'x' }),
  (client, n) => {
    const edits = [{ oldText: 'same', newText: 'other' }];
    return client.call('edit-file', { path: `sub/in/edit-${n}`, edits });
  },
  (client, n) => client.call('create-directory', { path: `sub/in/folder-${n}/deep/er` }),
  (client, n) => client.call('delete-path', { path: `sub/in/delete-${n}` }),
  (client, n) => client.call('delete-path', { path: `sub/in/tree-${n}`, recursive: true }),
  (client, n) => client.call('move-path', { from: `sub/in/out-${n}`, to: `out-${n}` }),
  (client, n) => client.call('move-path', { from: `out-${n}`, to: `sub/in/back-${n}` }),
  (client, n) => client.call('move-path', { from: `sub/in/move-${n}`, to: `sub/in/moved-${n}` }),
];

const count = 50 * effort;

test(`while a folder is swapped with a link to the outside, ${count} calls of each kind change nothing there`, {
  skip: onlyOn('linux', 'there, the promise is a smaller one'),
}, async t => {
  const { root, outside, isRunning } = await startSwappingTree(t, filesFor(count));
  const options = { roots: [rootOf(root)], args: ['--allow-write'] };
  const client = await connect(t, 'SDK 1 (legacy)', options);
  const before = treeOf(outside);
  const totals = { done: 0, refused: 0 };
  const repeat = async (step: Step, from: number) => {
    const calls = Array.from({ length: atOnce }, (_, offset) => step(client, from + offset));
    const results = await Promise.all(calls);
    const done = results.filter(({ isError }) => isError !== true).length;
    totals.done += done;
    totals.refused += atOnce - done;
  };
  for (const step of steps) {
    for (let from = 0; from < count; from += atOnce) {
      await repeat(step, from);
    }
  }
  // Until some calls succeed and some fail, which proves that the attack took place. On a busy
  // machine the attacker may start late.
  for (let from = count; from < 100_000 && !(totals.done && totals.refused); from += atOnce) {
    await repeat(steps[0]!, from);
  }
  deepEqual(treeOf(outside), before);
  deepEqual([totals.done > 0, totals.refused > 0, isRunning()], [true, true, true]);
});

function filesFor(count: number): Readonly<Record<string, string>> {
  const names = Array.from({ length: count }, (_, n) => [
    ...['replace', 'edit', 'delete', 'out'].map(name => `in/${name}-${n}`),
    ...['tree', 'move'].map(name => `in/${name}-${n}/deep/er`),
  ]);
  return Object.fromEntries(names.flat().map(name => [name, 'the same inside and outside']));
}
