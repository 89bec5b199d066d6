import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countHands } from './support/countHands.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { pictured } from './support/pictured.ts';
import { activityOf, rowsOf } from './support/rowsOf.ts';
import { webview } from './support/webview.ts';
import type { Workbench } from './support/workbench.ts';

describe('the walkthrough', () => {
  it('leads to the first exposure in three clicks, ticks its steps, and help is at hand', async t => {
    const { workbench } = await openWorkbench(t, { size: { width: 1500, height: 900 } });
    const { dialog, quickInput, notifications, page } = workbench;
    await page.keyboard.press('F1');
    await quickInput.type('>Welcome: Open Walkthrough...');
    await quickInput.pick('Welcome: Open Walkthrough...');
    await quickInput.pick('Decide Which Folders MCP Servers See');
    const click = (button: string) =>
      page.locator('.getting-started-step.expanded').getByRole('button', { name: button }).click();
    /** The first of the steps are ticked, and no others. */
    const haveTicks = (count: number) =>
      eventually(async () =>
        assert.deepEqual(
          await done(workbench),
          [1, 2, 3, 4].map(step => step <= count),
        ),
      );
    await haveTicks(0);

    const handled = await countHands(workbench);
    await click('Start Server');
    const { message, detail, buttons } = await dialog.read();
    const [question, ...rest] = pictured('folders');
    assert.equal(question, message);
    const said = detail.replaceAll(/— .*\/workspace/g, '— /proj').split('\n');
    assert.deepEqual(
      rest.slice(0, -1).filter(line => !said.includes(line)),
      [],
    );
    assert.deepEqual(rest.at(-1)?.split(': ').toSorted(), buttons.toSorted());
    await dialog.click('Allow');
    await quickInput.pick('In This Workspace');
    await haveTicks(1);
    assert.equal((await handled()).hands, 3);
    await workbench.screenshot('walkthrough');

    await step(workbench, 'exposed');
    await click('Show Activity');
    await eventually(async () => assert.deepEqual(await seen(workbench), pictured('exposed')));
    await haveTicks(2);

    await step(workbench, 'revoke');
    for (const folder of ['api', 'web']) {
      await workbench.view('Servers').toggle(folder);
    }
    await eventually(async () =>
      assert.deepEqual((await seen(workbench)).slice(0, 5), pictured('revoke')),
    );
    await haveTicks(3);

    await step(workbench, 'server');
    await click('Add Server');
    await quickInput.waitFor('Add Server');
    await quickInput.dismiss();
    await haveTicks(4);

    await workbench.runCommand('MCP Roots: Help');
    const help = webview(page);
    await help.getByRole('link', { name: 'The hub', exact: true }).first().click();
    await help.getByRole('heading', { level: 1, name: /^The hub: / }).waitFor();
    await workbench.runCommand('MCP Roots: Report an Issue…');
    await notifications.click(
      'This editor has no form for issues. Copy the diagnostics instead.',
      'Copy Diagnostics',
    );
    await notifications.waitFor('The diagnostics are on the clipboard.');
  });
});

/** Which steps are ticked, from the first to the last. */
async function done({ page }: Workbench): Promise<boolean[]> {
  const ticks = await page
    .locator('[data-done-step-id]')
    .evaluateAll(elements => elements.map(element => element.getAttribute('aria-checked')));
  return ticks.map(tick => tick === 'true');
}

/** Opens a step. */
async function step({ page }: Workbench, id: string): Promise<void> {
  await page.locator(`[data-step-id$="#${id}"]`).click();
  await page.locator(`.expanded[data-step-id$="#${id}"]`).waitFor();
}

/** The views, as their pictures show them. */
async function seen(workbench: Workbench): Promise<string[]> {
  const servers = await rowsOf(workbench.view('Servers'));
  const rows = servers.map(row => row.replace(/^ +(?:\[.\] )?/, '').replace(/: $/, ''));
  return ['Servers', ...rows, 'Activity', ...(await activityOf(workbench))];
}
