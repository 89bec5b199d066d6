import assert from 'node:assert/strict';
import { eventually } from './eventually.ts';
import type { TreeView } from './treeView.ts';
import type { Workbench } from './workbench.ts';

/** The rows of a tree as lines of text: indented, with their checkbox. */
export async function rowsOf(tree: TreeView): Promise<string[]> {
  const rows = await tree.rows();
  return rows.map(({ label, description, level, checked }) => {
    const box = checked === undefined ? '' : checked ? '[x] ' : '[ ] ';
    return `${'  '.repeat(level - 1)}${box}${label}: ${description}`;
  });
}

/** Settles when a row equals or matches this. */
export async function showsRow(tree: TreeView, wanted: string | RegExp): Promise<void> {
  await eventually(async () => {
    const rows = await rowsOf(tree);
    const isWanted = (row: string) =>
      typeof wanted === 'string' ? row === wanted : wanted.test(row);
    assert.ok(rows.some(isWanted), `${wanted} is not in\n${rows.join('\n')}`);
  });
}

/** The rows of the activity view, without the hours that they stand below. */
export async function activityOf(workbench: Workbench): Promise<string[]> {
  const rows = await rowsOf(workbench.view('Activity'));
  return rows.filter(row => row.startsWith('  ')).map(row => row.trim());
}
