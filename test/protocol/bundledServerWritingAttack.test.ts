import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { connect, rootOf, type TestClient, type ToolResult } from '../support/bundledServer.ts';
import { effort } from '../support/effort.ts';
import { onlyOn } from '../support/systems.ts';
import { startSwappingTree } from '../support/treeSwapper.ts';
import { treeOf } from '../support/writing.ts';

const atOnce = 25;

type Step = (client: TestClient, index: number) => Promise<ToolResult>;

/** What is tried behind the folder. Each has files of its own, the same inside and outside. */
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

describe('while a folder is swapped with a link to the outside', {
  skip: onlyOn('linux', 'there, the promise is a smaller one'),
}, () => {
  const writes = 500 * effort;
  test(`none of ${writes} writes lands outside`, async t => {
    const { root, outside, isRunning } = await startSwappingTree(t, { 'in/key': 'kept' });
    const client = await connectTo(t, root);
    const totals = { done: 0, refused: 0 };
    const step: Step = (_, n) => {
      // Half of them create a file, and half replace one.
      const path = n % 2 === 0 ? `sub/in/new-${n}` : 'sub/in/key';
      return client.call('write-file', { path, content: 'written', createDirectories: false });
    };
    await repeat(client, totals, step, { from: 0, to: writes });
    await repeatUntilAttacked(client, totals, step, writes);
    deepEqual(treeOf(outside), { 'in/': '', 'in/key': 'kept' });
    deepEqual([totals.done > 0, totals.refused > 0, isRunning()], [true, true, true]);
  });

  const count = 50 * effort;
  test(`nothing outside is changed by ${count} calls of each of ${steps.length} kinds`, async t => {
    const { root, outside, isRunning } = await startSwappingTree(t, filesFor(count));
    const client = await connectTo(t, root);
    const before = treeOf(outside);
    const totals = { done: 0, refused: 0 };
    for (const step of steps) {
      await repeat(client, totals, step, { from: 0, to: count });
    }
    await repeatUntilAttacked(client, totals, steps[0]!, count);
    deepEqual(treeOf(outside), before);
    deepEqual([totals.done > 0, totals.refused > 0, isRunning()], [true, true, true]);
  });
});

function filesFor(count: number): Readonly<Record<string, string>> {
  const names = Array.from({ length: count }, (_, n) => [
    ...['replace', 'edit', 'delete', 'out'].map(name => `in/${name}-${n}`),
    ...['tree', 'move'].map(name => `in/${name}-${n}/deep/er`),
  ]);
  return Object.fromEntries(names.flat().map(name => [name, 'the same inside and outside']));
}

function connectTo(t: Parameters<typeof connect>[0], root: string): Promise<TestClient> {
  return connect(t, 'SDK 1 (legacy)', { roots: [rootOf(root)], args: ['--allow-write'] });
}

interface Totals {
  done: number;
  refused: number;
}

async function repeat(
  client: TestClient,
  totals: Totals,
  step: Step,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  for (let index = from; index < to; index += atOnce) {
    const calls = Array.from({ length: atOnce }, (_, offset) => step(client, index + offset));
    const results = await Promise.all(calls);
    const done = results.filter(({ isError }) => isError !== true).length;
    totals.done += done;
    totals.refused += atOnce - done;
  }
}

/**
 * Goes on until some went well and some did not, which shows that the attack took place. On a busy
 * machine the attacker may not get its turn at once: it is waited for, not assumed.
 */
async function repeatUntilAttacked(
  client: TestClient,
  totals: Totals,
  step: Step,
  start: number,
): Promise<void> {
  for (let from = start; from < 100_000 && !(totals.done && totals.refused); from += atOnce) {
    await repeat(client, totals, step, { from, to: from + atOnce });
  }
}
