import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it, type TestContext } from 'node:test';
import { isAlive } from '../support/processes.ts';
import { type RawServerOptions, rawServer } from '../support/recordingServer.ts';
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

describe('a server that prints rubbish and does not want to end', () => {
  const isStubborn = { isStubborn: true, leavesGrandchild: true };

  it('is shown as what it is, and ends with the window all the same, with what it started', async t => {
    const { workbench, stubborn } = await openWithRunning(t, {
      ...isStubborn,
      printsRubbish: true,
    });
    await eventually(async () => {
      const rows = await rowsOf(workbench.view('Servers'));
      assert.ok(rows.includes('stubborn: running'), rows.join('\n'));
    });
    const pids = [...stubborn.pids(), ...stubborn.grandchildren()];
    assert.equal(pids.filter(isAlive).length, 2);
    await workbench.close();
    await eventually(() => assert.deepEqual(pids.filter(isAlive), []));
  });

  it('ends with an extension host that is killed, too', {
    skip: process.platform !== 'linux' && 'only there it leaves sessions',
  }, async t => {
    const { workbench, stubborn } = await openWithRunning(t, {
      ...isStubborn,
      leavesSessions: true,
    });
    const pids = await eventually(() => {
      const all = [...stubborn.pids(), ...stubborn.grandchildren()];
      assert.equal(all.filter(isAlive).length, 5);
      return all;
    });
    process.kill(parentOf(pids[0]), 'SIGKILL');
    await eventually(() => assert.deepEqual(pids.filter(isAlive), []));
    // A window that is left while its next extension host starts keeps what that is connected by.
    await eventually(async () => {
      const rows = await rowsOf(workbench.view('Servers'));
      assert.ok(rows.includes('stubborn: stopped'));
    });
  });

  it('takes its time to be stopped, and the keyboard from nobody who writes meanwhile', async t => {
    const { workbench, stubborn } = await openWithRunning(t, { isStubborn: true });
    const { page } = workbench;
    const servers = workbench.view('Servers');
    await servers.clickAction('Stop Server', 'stubborn');
    await eventually(async () =>
      assert.ok((await rowsOf(servers)).includes('stubborn: stopping…')),
    );
    await workbench.runCommand('File: New Untitled Text File');
    await page.keyboard.type('before');
    await eventually(async () =>
      assert.ok((await rowsOf(servers)).includes('stubborn: stopped'), 'It goes on.'),
    );
    assert.deepEqual(stubborn.pids().filter(isAlive), []);
    await page.keyboard.type(' and after');
    const lines = page.locator('.editor-instance .view-line');
    await eventually(async () =>
      assert.match(await lines.first().innerText(), /^before\sand\safter$/),
    );
  });

  /** A window in which it runs, and nothing else. */
  async function openWithRunning(t: TestContext, options: RawServerOptions) {
    const stubborn = rawServer(t, options);
    const { command, args } = stubborn.start;
    const { workbench } = await openWorkbench(t, {
      settings: { 'mcpRoots.servers': { stubborn: { command, args } } },
    });
    await workbench.openContainer('MCP Roots');
    await workbench
      .view('Servers')
      .clickActionUntil(workbench.dialog.box, 'Start Server', 'stubborn');
    await workbench.dialog.click('Allow');
    await workbench.quickInput.pick('For This Session');
    await eventually(() => assert.equal(stubborn.count('notifications/initialized'), 1));
    return { workbench, stubborn };
  }
});
