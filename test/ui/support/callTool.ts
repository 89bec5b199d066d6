import type { Workbench } from './workbench.ts';

/**
 * Calls a tool that needs no arguments through the palette, as a person would, and reads the names
 * of the roots from the document that opens, and closes.
 */
export async function callTool(
  workbench: Workbench,
  tool: string,
): Promise<{ readonly roots: string[] }> {
  const { page, quickInput } = workbench;
  await workbench.runCommand('MCP Roots: Call Tool…');
  await quickInput.pick(tool);
  const tab = page.locator('.tab.active', { hasText: `${tool}-` });
  await tab.waitFor();
  const shown = page.locator('.editor-instance .view-line');
  // The tab is there before the text is, all of which is drawn at once.
  await shown.filter({ hasText: /\S/ }).first().waitFor();
  const lines = await shown.evaluateAll(elements =>
    elements
      .map(element => ({
        top: Number.parseFloat(
          /top: ?([\d.]+)/.exec(element.getAttribute('style') ?? '')?.[1] ?? '',
        ),
        // The editor draws its blanks as non-breaking ones.
        text: element.textContent?.replaceAll('\u00a0', ' ') ?? '',
      }))
      .sort((a, b) => a.top - b.top)
      .map(({ text }) => text),
  );
  await workbench.runCommand('View: Close All Editors');
  await tab.waitFor({ state: 'detached' });
  return { roots: lines.flatMap(line => /^(.+): \//.exec(line)?.[1] ?? []) };
}
