import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openWorkbench, type TestWindow } from './openWorkbench.ts';
import { showsRow } from './rowsOf.ts';
import { ToolTab } from './toolTab.ts';
import type { Workbench } from './workbench.ts';

const servers = join(import.meta.dirname, '..', '..', 'support', 'toolServers');

/** A window with one running server of tools. */
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
  const { quickInput } = workbench;
  await workbench.openContainer('MCP Roots');
  const tree = workbench.view('Servers');
  await workbench.start(name, 'Until the Window Closes');
  await showsRow(tree, new RegExp(`^${name}: running`));
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
