import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rawServer } from '../support/recordingServer.ts';
import { definitionOf } from './support/definitionOf.ts';
import { eventually } from './support/eventually.ts';
import { lookAt } from './support/lookAt.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { ToolTab } from './support/toolTab.ts';
import type { Workbench } from './support/workbench.ts';

describe('the servers view without a mouse', () => {
  it('reaches every action by keys, and has a sentence for each row', async t => {
    const { workbench } = await openWorkbench(t, {
      settings: {
        'mcpRoots.servers': {
          files: definitionOf(rawServer(t)),
          broken: { command: 'no-such-program' },
        },
      },
    });
    const { page } = workbench;
    await workbench.openContainer('MCP Roots');
    await (await workbench.view('Servers').row('files')).waitFor();
    await workbench.runCommand('MCP Roots: Focus on Servers View');
    await goTo(workbench, 'Server files: stopped.');
    await chooseFromMenu(workbench, 'Start Server');
    await allow(workbench);
    // Where one was, one still is.
    await eventually(async () => assert.equal(await focused(workbench), 'Server files: running.'));

    await goTo(workbench, 'Folder web for files: exposed.');
    await chooseFromMenu(workbench, "Don't Allow");
    await eventually(async () =>
      assert.match((await focused(workbench)) ?? '', /^Folder web for files: not allowed/),
    );
    await goTo(workbench, 'Tools of files.');
    await page.keyboard.press('ArrowRight');

    await goTo(workbench, 'Server broken: stopped.');
    await chooseFromMenu(workbench, 'Start Server');
    await allow(workbench);
    await eventually(async () => assert.equal(await focused(workbench), 'Server broken: failed.'));
    await goTo(workbench, /^Problem of broken: "no-such-program" /);
    await page.keyboard.press('Enter');
    await workbench.quickInput.titled('Edit Server "broken"').waitFor();
    await workbench.quickInput.dismiss();

    await goTo(workbench, 'Tool answers of files.');
    await page.keyboard.press('Enter');
    await ToolTab.of(workbench, 'answers');

    const said = (await workbench.view('Servers').rows()).map(({ ariaLabel }) => ariaLabel);
    assert.deepEqual(
      said.filter(text => !/^[A-Z][^·]+[^ .:]\.$/.test(text)),
      [],
    );
  });
});

/** Answers the question before a start as proposed. */
async function allow({ page, dialog, quickInput }: Workbench): Promise<void> {
  await lookAt(dialog.box);
  await page.keyboard.press('Enter');
  await dialog.box.waitFor({ state: 'hidden' });
  await quickInput.waitFor('How long does this answer count?');
  await lookAt(quickInput.titled('Let "'));
  await page.keyboard.press('Enter');
}

/** The screen reader's text for the row with the focus. */
async function focused({ page }: Workbench): Promise<string | null> {
  const row = page.locator('.part.sidebar .monaco-list:focus .monaco-list-row.focused');
  return row.getAttribute('aria-label', { timeout: 1_000 });
}

/** Moves down to the row with this spoken text, once it exists. */
async function goTo(workbench: Workbench, label: string | RegExp): Promise<void> {
  const isMeant = (said: string | null) =>
    typeof label === 'string' ? said === label : label.test(said ?? '');
  await eventually(async () => {
    const said = (await workbench.view('Servers').rows()).map(({ ariaLabel }) => ariaLabel);
    assert.ok(said.some(isMeant), said.join('\n'));
  });
  await workbench.page.keyboard.press('Home');
  await eventually(async () => {
    const said = await focused(workbench);
    if (!isMeant(said)) {
      await workbench.page.keyboard.press('ArrowDown');
      throw new Error(`The focus was on: ${said}`);
    }
  });
}

/** Opens the menu of the row that has the focus, and goes down to the item. */
async function chooseFromMenu({ page }: Workbench, label: string): Promise<void> {
  const item = page.locator('.monaco-menu .action-item.focused .action-label');
  await page.keyboard.press('Shift+F10');
  await page.locator('.monaco-menu').waitFor();
  await eventually(async () => {
    await page.keyboard.press('ArrowDown');
    assert.equal(await item.textContent({ timeout: 1_000 }), label);
  });
  await page.keyboard.press('Enter');
}
