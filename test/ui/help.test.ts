import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { activityOf } from './support/rowsOf.ts';
import { webview } from './support/webview.ts';

const server = 'MCP Roots Server';

/** The manuals by their links in the first one, with their titles. */
const manuals = {
  'Your own servers': 'Your own servers',
  'The bundled server alone': 'The bundled server alone',
  'Your servers in every agent': 'Your servers in every agent',
  'The hub': 'The hub: your roots in front of other servers',
  Security: 'Security: what is promised, and what is not',
};

describe('the help', () => {
  it('opens in the editor and leads to each manual, and commands do what it says of them', async t => {
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

    const { page: window, dialog, notifications, quickInput } = workbench;
    const run = (title: string) => workbench.runCommand(`MCP Roots: ${title}`);
    const clipboard = async () => String(await window.evaluate('navigator.clipboard.readText()'));
    const servers = workbench.view('Servers');

    await run('Copy Diagnostics');
    await notifications.waitFor('The diagnostics are on the clipboard.');
    assert.match(await clipboard(), /- folders: 2, trusted/);
    assert.doesNotMatch(await clipboard(), /\bapi\b/);
    await run('Report an Issue…');
    await notifications.waitFor('The editor has no form for this here.');

    await run('Check Roots Support…');
    await dialog.click('Check');
    await window.locator('.tab', { hasText: 'roots-support' }).waitFor();
    await eventually(async () =>
      assert.match(
        (await activityOf(workbench)).join('\n'),
        /MCP Roots Server: roots support checked/,
      ),
    );

    await run('Offer Folder…');
    const places = await quickInput.items();
    assert.ok(
      places.some(({ label }) => label.includes('Browse…')),
      JSON.stringify(places),
    );
    await quickInput.dismiss();

    await run('Open Hub Configuration');
    await window.locator('.tab', { hasText: 'servers.json' }).waitFor();
    await notifications.waitFor('These are the servers of the hub.');

    await run('Connect a Client…');
    assert.ok((await quickInput.items()).some(({ label }) => label === 'Claude Code'));
    await quickInput.dismiss();

    await servers.toggle('api', server);
    await servers.toggle('web', server);
    await run('Show Access');
    await page.getByLabel('Filter Servers and Folders').fill('api');
    await page.getByRole('checkbox', { name: `api for ${server}: allowed` }).waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    assert.match(await clipboard(), /^Server\tState\tapi \(/);

    await run('Revoke All Access…');
    await dialog.click('Revoke');
    await eventually(async () =>
      assert.deepEqual(
        (await servers.rows()).filter(({ checked }) => checked).map(({ label }) => label),
        [],
      ),
    );
  });
});
