import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openWorkbench } from './support/openWorkbench.ts';
import { webview } from './support/webview.ts';

/** The manuals by their links in the first one, with their titles. */
const manuals = {
  'Your own servers': 'Your own servers',
  'The bundled server alone': 'The bundled server alone',
  'Your servers in every agent': 'Your servers in every agent',
  'The hub': 'The hub: your roots in front of other servers',
  Security: 'Security: what is promised, and what is not',
};

describe('the help', () => {
  it('opens in the editor and leads to each manual, and what a report needs is copied', async t => {
    const { workbench } = await openWorkbench(t);
    const page = webview(workbench.page);
    await workbench.openContainer('MCP Roots');
    for (const [link, title] of Object.entries(manuals)) {
      await workbench.runCommand('MCP Roots: Help');
      await page.getByRole('heading', { level: 1, name: 'Help for MCP Roots' }).waitFor();
      await page.getByRole('link', { name: link, exact: true }).first().click();
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await workbench.runCommand('View: Close All Editors');
    }

    const { page: window, notifications } = workbench;
    const run = (title: string) => workbench.runCommand(`MCP Roots: ${title}`);
    const clipboard = async () => String(await window.evaluate('navigator.clipboard.readText()'));

    await run('Copy Diagnostics');
    await notifications.waitFor('The diagnostics are on the clipboard.');
    assert.match(await clipboard(), /- folders: 2, trusted/);
    assert.doesNotMatch(await clipboard(), /\bapi\b/);
    await run('Report an Issue…');
    await notifications.waitFor('The editor has no form for this here.');
  });
});
