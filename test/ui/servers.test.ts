import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAlive } from '../support/processes.ts';
import { rawServer } from '../support/recordingServer.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { parentOf } from './support/processesOf.ts';
import { rowsOf } from './support/rowsOf.ts';

describe('a server that prints rubbish and does not want to end', {
  skip: process.platform !== 'linux' && 'only there it leaves sessions',
}, () => {
  it('ends when it is stopped, with an extension host that is killed, and with the window, with all that it started', async t => {
    const stubborn = rawServer(t, {
      isStubborn: true,
      leavesGrandchild: true,
      leavesSessions: true,
      printsRubbish: true,
    });
    const { command, args } = stubborn.start;
    const { workbench } = await openWorkbench(t, {
      settings: { 'mcpRoots.servers': { stubborn: { command, args } } },
    });
    const { page, dialog, quickInput } = workbench;
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    const shows = (row: string) =>
      eventually(async () => assert.ok((await rowsOf(servers)).includes(`stubborn: ${row}`)));
    const alive = () => [...stubborn.pids(), ...stubborn.grandchildren()].filter(isAlive);
    const areGone = () => eventually(() => assert.deepEqual(alive(), []));
    const start = async () => {
      await servers.clickActionUntil(dialog.box, 'Start Server', 'stubborn');
      await dialog.click('Allow');
      await quickInput.pick('For This Session');
      await shows('running');
      await eventually(() => assert.equal(alive().length, 5));
    };

    await start();
    await servers.clickAction('Stop Server', 'stubborn');
    await shows('stopping…');
    await workbench.runCommand('File: New Untitled Text File');
    await page.keyboard.type('before');
    await shows('stopped');
    await areGone();
    // It takes the keyboard from nobody who writes meanwhile.
    await page.keyboard.type(' and after');
    const lines = page.locator('.editor-instance .view-line');
    await eventually(async () =>
      assert.match(await lines.first().innerText(), /^before\sand\safter$/),
    );

    await servers.clickAction('Start Server', 'stubborn');
    await eventually(() => assert.equal(alive().length, 5));
    // A window that is left while its next extension host starts keeps what that is connected by.
    await workbench.killHost(parentOf(alive()[0]));
    await areGone();
    await shows('stopped');

    await start();
    await workbench.close();
    await areGone();
  });
});
