import { ToolTab } from './toolTab.ts';
import type { Workbench } from './workbench.ts';

/**
 * Calls a tool that needs no arguments through the palette, as a person would, and reads the names
 * of the roots from the tab that opens, and closes.
 */
export async function callTool(
  workbench: Workbench,
  tool: string,
): Promise<{ readonly roots: string[] }> {
  await workbench.runCommand('MCP Roots: Call Tool…');
  await workbench.quickInput.pick(tool);
  const tab = await ToolTab.of(workbench, titles[tool] ?? tool);
  await tab.button('Call').click();
  const outcome = await tab.outcome();
  const text = (await outcome.locator('.text').allTextContents()).join('\n');
  await tab.close();
  return { roots: text.split('\n').flatMap(line => /^(.+): \//.exec(line)?.[1] ?? []) };
}

const titles: Readonly<Record<string, string>> = { 'get-roots': 'Get Roots' };
