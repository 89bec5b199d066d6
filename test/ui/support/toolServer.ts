import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { eventually } from './eventually.ts';
import { openWorkbench, type TestWindow } from './openWorkbench.ts';
import { rowsOf } from './rowsOf.ts';
import { ToolTab } from './toolTab.ts';
import type { Workbench } from './workbench.ts';

const servers = join(import.meta.dirname, '..', '..', 'support', 'toolServers');

/** A window in which one server of tools runs. */
export interface ToolWindow {
  readonly workbench: Workbench;
  /** Opens the tab of a tool by the row of the server; a tool has its name for a title, if no other. */
  readonly open: (tool: string, title?: string) => Promise<ToolTab>;
}

/**
 * Opens a window and starts the server in it.
 *
 * @param name of the server, and of its program.
 */
export async function openToolServer(
  t: TestContext,
  name: 'kindServer' | 'hostileServer',
  args: readonly string[] = [],
  { settings, ...window }: TestWindow = {},
): Promise<ToolWindow> {
  const program = join(servers, `${name}.ts`);
  const own = { [name]: { command: process.execPath, args: [program, ...args] } };
  const all = { ...settings, 'mcpRoots.servers': own };
  const { workbench } = await openWorkbench(t, { ...window, settings: all });
  const { dialog, quickInput } = workbench;
  await workbench.openContainer('MCP Roots');
  const tree = workbench.view('Servers');
  await tree.clickActionUntil(dialog.box, 'Start Server', name);
  await dialog.click('Allow');
  await quickInput.pick('Until the Window Closes');
  await eventually(async () => {
    const rows = await rowsOf(tree);
    assert.match(rows.find(row => row.startsWith(`${name}: `)) ?? '', /: running/);
  });
  const list = quickInput.titled(`Call a Tool of "${name}"`);
  return {
    workbench,
    open: async (tool, title = tool) => {
      await tree.clickActionUntil(list, 'Call Tool…', name);
      // Of a long list, only a part is drawn.
      await quickInput.type(tool);
      await quickInput.pick(tool);
      return ToolTab.of(workbench, title);
    },
  };
}
