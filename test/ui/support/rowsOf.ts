import type { TreeView } from './treeView.ts';
import type { Workbench } from './workbench.ts';

/** The rows of a tree as lines of text: indented, with their checkbox, times written as `TIME`. */
export async function rowsOf(tree: TreeView): Promise<string[]> {
  const rows = await tree.rows();
  return rows.map(({ label, description, level, checked }) => {
    const box = checked === undefined ? '' : checked ? '[x] ' : '[ ] ';
    return withoutTimes(`${'  '.repeat(level - 1)}${box}${label}: ${description}`);
  });
}

/** The rows of the activity view. */
export function activityOf(workbench: Workbench): Promise<string[]> {
  return rowsOf(workbench.view('Activity'));
}

function withoutTimes(text: string): string {
  return text.replace(/\d{1,2}:\d\d(?:\s[AP]M)?/, 'TIME');
}
