import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countHands } from './support/countHands.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { pictured } from './support/pictured.ts';
import { activityOf, rowsOf } from './support/rowsOf.ts';
import { webview } from './support/webview.ts';
import type { Workbench } from './support/workbench.ts';

/** The manuals by their links in the first one, with their titles. */
const manuals = {
  'Your own servers': 'Your own servers',
  'The bundled server alone': 'The bundled server alone',
  'Your servers in every agent': 'Your servers in every agent',
  'The hub': 'The hub: your roots in front of other servers',
  Security: 'Security: what is promised, and what is not',
};

describe('the walkthrough', () => {
  it('leads to the first exposure in three clicks, shows what is then seen, and ticks its steps by itself', async t => {
    const { workbench } = await openWorkbench(t, { size: { width: 1500, height: 900 } });
    const { dialog, quickInput, notifications, page } = workbench;
    await page.keyboard.press('F1');
    await quickInput.type('>Welcome: Open Walkthrough...');
    await quickInput.pick('Welcome: Open Walkthrough...');
    await quickInput.pick('Decide Which Folders MCP Servers See');
    const click = (button: string) =>
      page.locator('.getting-started-step.expanded').getByRole('button', { name: button }).click();
    await eventually(async () =>
      assert.deepEqual(await done(workbench), [false, false, false, false]),
    );

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
    await eventually(async () =>
      assert.deepEqual(await done(workbench), [true, false, false, false]),
    );
    assert.equal((await handled()).hands, 3);
    await workbench.screenshot('walkthrough');

    await step(workbench, 'exposed');
    await click('Show Activity');
    await eventually(async () => assert.deepEqual(await seen(workbench), pictured('exposed')));
    await eventually(async () =>
      assert.deepEqual(await done(workbench), [true, true, false, false]),
    );

    await step(workbench, 'revoke');
    for (const folder of ['api', 'web']) {
      await workbench.view('Servers').toggle(folder);
    }
    await eventually(async () =>
      assert.deepEqual((await seen(workbench)).slice(0, 5), pictured('revoke')),
    );
    await eventually(async () =>
      assert.deepEqual(await done(workbench), [true, true, true, false]),
    );

    await step(workbench, 'server');
    await click('Add Server');
    await quickInput.waitFor('Add Server');
    await quickInput.dismiss();
    await eventually(async () => assert.deepEqual(await done(workbench), [true, true, true, true]));

    await t.test(
      'while the help leads to each manual, and what a report needs is copied',
      async () => {
        const help = webview(page);
        await workbench.runCommand('View: Close All Editors');
        for (const [link, title] of Object.entries(manuals)) {
          await workbench.runCommand('MCP Roots: Help');
          await help.getByRole('heading', { level: 1, name: 'Help for MCP Roots' }).waitFor();
          await help.getByRole('link', { name: link, exact: true }).first().click();
          await help.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
          await workbench.runCommand('View: Close All Editors');
        }

        const run = (title: string) => workbench.runCommand(`MCP Roots: ${title}`);
        const clipboard = async () => String(await page.evaluate('navigator.clipboard.readText()'));

        await run('Report an Issue…');
        await notifications.click('The editor has no form for issues here.', 'Copy Diagnostics');
        await notifications.waitFor('The diagnostics are on the clipboard.');
        assert.match(await clipboard(), /- folders: 2, trusted/);
        assert.doesNotMatch(await clipboard(), /\bapi\b/);
      },
    );
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
