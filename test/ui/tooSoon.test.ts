import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rawServer } from '../support/recordingServer.ts';
import { listedFolders, writeWorkspace } from '../vscode/workspaceFile.ts';
import { definitionOf } from './support/definitionOf.ts';
import { eventually } from './support/eventually.ts';
import { lookAt } from './support/lookAt.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { processesOf } from './support/processesOf.ts';
import { showsRow } from './support/rowsOf.ts';

describe('an action before the user can have seen a question', () => {
  it('does not answer: the second click of a double click, or a click on a new message or dialog', async t => {
    const { workbench, connect } = await openWorkbench(t, {
      settings: { 'mcpRoots.servers': { files: definitionOf(rawServer(t)) } },
    });
    const { page, dialog, quickInput, notifications } = workbench;
    await workbench.openContainer('MCP Roots');
    await workbench.view('Servers').clickActionUntil(dialog.box, 'Start Server', 'files');
    const question = (await dialog.read()).message;
    await dialog.box.getByRole('button', { name: 'Allow', exact: true }).click();
    await eventually(async () => assert.equal((await dialog.read()).message, question));
    await dialog.click('Allow');
    await quickInput.waitFor('How long does this answer count?');
    await quickInput.pick('In This Workspace');

    const call = async (name: string) => {
      const client = await connect(name, 'files');
      const answered = client.callTool({ name: 'ask' }).then(JSON.stringify, String);
      return { answered };
    };
    const toast = (name: string) =>
      page.locator('.notification-toast').filter({ hasText: `Allow "${name}" to use "files"` });
    const click = async (place: { readonly x: number; readonly y: number }) =>
      page.mouse.click(place.x, place.y);
    for (const pause of [60, 300, 800]) {
      const [good, evil] = [`good-${pause}`, `evil-${pause}`];
      const first = await call(good);
      await toast(good).waitFor();
      const second = await call(evil);
      await lookAt(toast(good));
      const place = await middleOf(toast(good).getByRole('button', { name: 'In This Workspace' }));
      await click(place);
      await page.waitForTimeout(pause);
      await click(place);
      assert.match(await first.answered, /api/);
      await toast(evil).waitFor();
      await click(await middleOf(toast(evil).getByRole('button', { name: 'In This Workspace' })));
      await toast(evil).waitFor();
      await notifications.click(`Allow "${evil}" to use`, "Don't Allow");
      assert.match(await second.answered, new RegExp(`does not allow \\\\*"${evil}`));
    }
  });

  it('does not answer: typing into a file while workspace settings let a server write', async t => {
    const { workbench, workspace, folder } = await openWorkbench(t);
    const { page, dialog, notifications } = workbench;
    await workbench.openContainer('MCP Roots');
    await workbench.start('MCP Roots Server', 'In This Workspace');
    await showsRow(workbench.view('Servers'), /^MCP Roots Server: running/);

    await workbench.runCommand('File: New Untitled Text File');
    await page.locator('.editor-instance .view-lines').waitFor();
    const settings = { 'mcpRoots.bundledServer.allowWrite': true };
    writeWorkspace(workspace, { folders: listedFolders(workspace), settings });
    const lines = Array.from({ length: 30 }, () => 'y ');
    for (const key of lines.join('\n')) {
      await page.keyboard.press(key === '\n' ? 'Enter' : key === ' ' ? 'Space' : key);
      await page.waitForTimeout(90);
    }
    assert.equal(await dialog.isOpen(), false);
    const written = page.locator('.editor-instance .view-line').filter({ hasText: /^y\s*$/ });
    assert.equal(await written.count(), lines.length, 'All went where it was typed.');
    await notifications.waitFor('wait for your answer: "MCP Roots Server"');
    assert.deepEqual(processesOf(folder), []);
  });
});

type Box = { x: number; y: number; width: number; height: number } | null;

async function middleOf(part: { boundingBox(): Promise<Box> }): Promise<{ x: number; y: number }> {
  const box = await part.boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
