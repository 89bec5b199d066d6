import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rawServer } from '../support/recordingServer.ts';
import { listedFolders, writeWorkspace } from '../vscode/workspaceFile.ts';
import { definitionOf } from './support/definitionOf.ts';
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
    const clicked = page.evaluate(
      clicks({ box: '.monaco-dialog-box', text: 'files', button: 'Allow' }),
    );
    await workbench.view('Servers').clickActionUntil(dialog.box, 'Start Server', 'files');
    await clicked;
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
    for (const pause of [60, 300, 800]) {
      const [good, evil] = [`good-${pause}`, `evil-${pause}`];
      const first = await call(good);
      await toast(good).waitFor();
      const second = await call(evil);
      await lookAt(toast(good));
      const inToast = { box: '.notification-toast', button: 'In This Workspace' };
      await page.evaluate(
        clicks(
          { ...inToast, text: `Allow "${good}"`, pause },
          { ...inToast, text: `Allow "${evil}"` },
        ),
      );
      assert.match(await first.answered, /api/);
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

interface Clicked {
  readonly box: string;
  readonly text: string;
  readonly button: string;
  /** Milliseconds until a second click on the same place; left out: there is one click. */
  readonly pause?: number;
}

/** Clicks each button as soon as it is there. Runs in the page, so that no click comes late. */
const clicks = (...all: readonly Clicked[]) => `(async () => {
  for (const { box, text, button, pause } of ${JSON.stringify(all)}) {
    const find = () => [...document.querySelectorAll(box)]
      .filter(one => one.textContent.includes(text))
      .flatMap(one => [...one.querySelectorAll('.monaco-button')])
      .find(one => one.textContent.trim() === button);
    while (!find()) {
      await new Promise(requestAnimationFrame);
    }
    const { x, y, width, height } = find().getBoundingClientRect();
    find().click();
    if (pause) {
      await new Promise(resolve => setTimeout(resolve, pause));
      document.elementFromPoint(x + width / 2, y + height / 2).click();
    }
  }
})()`;
