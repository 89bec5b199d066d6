import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { isAlive } from '../support/processes.ts';
import { rawServer } from '../support/recordingServer.ts';
import { addFolder } from '../vscode/workspaceFile.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { parentOf } from './support/processesOf.ts';
import { activityOf, rowsOf } from './support/rowsOf.ts';
import { ToolTab } from './support/toolTab.ts';

const server = 'MCP Roots Server';

describe('two servers', () => {
  it('each have folders of their own, side by side', async t => {
    const everything = createRequire(import.meta.url).resolve(
      '@modelcontextprotocol/server-everything/dist/index.js',
    );
    const { workbench, workspace } = await openWorkbench(t, {
      scale: 2,
      settings: {
        'mcpRoots.servers': { everything: { command: process.execPath, args: [everything] } },
        'workbench.colorTheme': 'Default Dark Modern',
      },
    });
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    for (const [label, folders] of [
      [server, ['api', 'web']],
      ['everything', ['web']],
    ] as const) {
      await servers.clickActionUntil(workbench.dialog.box, 'Start Server', label);
      await workbench.dialog.click('Choose Folders…');
      for (const folder of folders) {
        await workbench.quickInput.setChecked(folder, true);
      }
      await workbench.quickInput.accept();
      await workbench.quickInput.pick('In This Workspace');
      await eventually(async () => {
        const row = (await rowsOf(servers)).find(text => text.startsWith(label));
        assert.match(row ?? '', /running/);
      });
    }
    await eventually(async () =>
      assert.deepEqual((await activityOf(workbench)).slice(0, 4), [
        'TIME · everything: told of web',
        'TIME · everything: started by hand',
        'TIME · everything: not allowed: api',
        'TIME · everything: allowed: web',
      ]),
    );
    const tools = workbench.quickInput.titled(`Tools, Resources and Prompts of "${server}"`);
    await servers.clickActionUntil(tools, 'Call Tool…', server);
    await workbench.quickInput.pick('get-roots');
    const tab = await ToolTab.of(workbench, 'Get Roots');
    await tab.button('Call').click();
    await tab.outcome();
    addFolder(workspace, 'docs');
    await eventually(async () =>
      assert.deepEqual(await rowsOf(servers), [
        `${server}: waiting`,
        '  [ ] docs: waiting',
        '  [x] api: exposed',
        '  [x] web: exposed',
        '  Tools: ',
        'everything: waiting',
        '  [ ] docs: waiting',
        '  [ ] api: not allowed',
        '  [x] web: exposed',
        '  Tools: ',
      ]),
    );
    await eventually(async () =>
      assert.deepEqual((await activityOf(workbench)).slice(0, 2), [
        `TIME · ${server}: told of api, web`,
        'TIME · everything: told of web',
      ]),
    );
    const asked = await workbench.notifications.waitFor('Who may see the added "docs"');
    assert.match(asked, new RegExp(`: "${server}", "everything"\\.$`));
    await workbench.screenshot('two-servers');
    await workbench.screenshot('sidebar', workbench.page.locator('.part.sidebar'));
  });
});

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
    process.kill(parentOf(alive()[0]), 'SIGKILL');
    await areGone();
    // A window that is left while its next extension host starts keeps what that is connected by.
    await shows('stopped');

    await start();
    await workbench.close();
    await areGone();
  });
});
