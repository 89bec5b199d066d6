import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { isAlive } from '../support/processes.ts';
import { type RawServerOptions, rawServer } from '../support/recordingServer.ts';
import { addFolder, listFolders, removeFolder } from '../vscode/workspaceFile.ts';
import { callTool } from './support/callTool.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { parentOf, processesOf } from './support/processesOf.ts';
import { activityOf, rowsOf } from './support/rowsOf.ts';

const server = 'MCP Roots Server';

describe('the installed extension', () => {
  it('asks, exposes, follows the folders of the window, and revokes', async t => {
    const { workbench, workspace } = await openWorkbench(t, { scale: 2 });
    const { dialog, quickInput, notifications } = workbench;
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    await eventually(async () =>
      assert.deepEqual(await rowsOf(servers), [
        `${server}: stopped`,
        '  [ ] api: not asked yet',
        '  [ ] web: not asked yet',
      ]),
    );

    await servers.clickAction('Start Server', server);
    const question = await dialog.read();
    assert.equal(question.message, `Allow "${server}" to see "api", "web"?`);
    assert.match(question.detail, /It will be told of:\n• api — .*\/api\n• web — .*\/web$/);
    assert.match(question.detail, /^It is started with: [\s\S]*dist\/server\.js/);
    assert.deepEqual(question.buttons.toSorted(), [
      'Allow',
      'Choose Folders…',
      "Don't Allow",
      'Not Now',
    ]);
    await workbench.screenshot('consent');
    await dialog.click('Allow');
    await quickInput.waitFor('How long does this answer hold?');
    await quickInput.pick('In This Workspace');
    await eventually(async () =>
      assert.deepEqual(await rowsOf(servers), [
        `${server}: running · 2026-07-28 · asks in calls, has not yet`,
        '  [x] api: allowed · not asked for yet',
        '  [x] web: allowed · not asked for yet',
        '  Tools: ',
      ]),
    );

    assert.deepEqual((await callTool(workbench, 'get-roots')).roots, ['api', 'web']);
    await eventually(async () =>
      assert.deepEqual(await rowsOf(servers), [
        `${server}: running · 2026-07-28 · asked in calls 1×, last TIME`,
        '  [x] api: exposed · asked TIME',
        '  [x] web: exposed · asked TIME',
        '  Tools: ',
      ]),
    );
    await eventually(async () =>
      assert.deepEqual(await activityOf(workbench), [
        `TIME api, web: ${server} · call of get-roots`,
      ]),
    );

    addFolder(workspace, 'docs');
    await notifications.waitFor('see the added "docs"');
    await eventually(async () => {
      assert.equal((await rowsOf(servers)).at(-2), '  [ ] docs: waiting for your answer');
      assert.equal(await workbench.badge('MCP Roots'), 1);
    });
    assert.deepEqual((await callTool(workbench, 'get-roots')).roots, ['api', 'web']);
    await workbench.screenshot('added-folder');
    await notifications.click('see the added "docs"', 'Allow');
    await quickInput.pick('In This Workspace');
    assert.deepEqual(
      await eventually(async () => {
        const { roots } = await callTool(workbench, 'get-roots');
        assert.equal(roots.length, 3);
        return roots;
      }),
      ['api', 'web', 'docs'],
    );

    removeFolder(workspace, 'docs');
    await eventually(async () =>
      assert.deepEqual((await rowsOf(servers)).slice(2), [
        '  [x] web: exposed · asked TIME',
        '  docs: removed, but was told at TIME',
        '  Tools: ',
      ]),
    );
    await servers.toggle('web');
    await eventually(async () =>
      assert.equal((await rowsOf(servers))[2], '  [ ] web: not allowed · was told at TIME'),
    );
    assert.deepEqual((await callTool(workbench, 'get-roots')).roots, ['api']);

    await servers.toggle('api');
    await eventually(async () =>
      assert.equal(
        (await rowsOf(servers))[0],
        `${server}: stopped: no folder is left that it may see`,
      ),
    );
  });

  it('starts by itself what was consented, remembers what happened, and leaves no process', async t => {
    const { workbench, folder } = await openWorkbench(t);
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    await servers.clickAction('Start Server', server);
    await workbench.dialog.click('Choose Folders…');
    await workbench.quickInput.setChecked('web', true);
    await workbench.quickInput.accept();
    await workbench.quickInput.pick('Always');
    await eventually(async () => assert.match((await rowsOf(servers))[0] ?? '', /running/));
    assert.deepEqual((await callTool(workbench, 'get-roots')).roots, ['web']);
    const before = processesOf(folder);
    assert.equal(before.length, 1);

    await workbench.reload();
    await workbench.openContainer('MCP Roots');
    await eventually(async () =>
      assert.deepEqual(await rowsOf(servers), [
        `${server}: running · 2026-07-28 · asks in calls, has not yet`,
        '  [ ] api: not allowed',
        '  [x] web: allowed · not asked for yet',
        '  Tools: ',
      ]),
    );
    assert.equal(await workbench.dialog.isOpen(), false);
    await eventually(async () =>
      assert.deepEqual(await activityOf(workbench), [`TIME web: ${server} · call of get-roots`]),
    );
    const after = await eventually(() => {
      const pids = processesOf(folder);
      assert.equal(pids.length, 1);
      return pids;
    });
    assert.notDeepEqual(after, before);

    await workbench.close();
    await eventually(() => assert.deepEqual(processesOf(folder), []));
  });
});

describe('two windows', () => {
  it('both lose what is revoked in one of them', async t => {
    const { workbench, server: editor, workspace } = await openWorkbench(t);
    await workbench.openContainer('MCP Roots');
    await workbench.view('Servers').clickAction('Start Server', server);
    await workbench.dialog.click('Choose Folders…');
    await workbench.quickInput.setChecked('api', true);
    await workbench.quickInput.accept();
    await workbench.quickInput.pick('Always');

    const otherWorkspace = join(dirname(workspace), 'other.code-workspace');
    listFolders(otherWorkspace, [{ path: 'api' }]);
    const other = await workbench.openBeside(editor, otherWorkspace);
    await other.openContainer('MCP Roots');
    await eventually(async () =>
      assert.match((await rowsOf(other.view('Servers')))[0] ?? '', /running/),
    );

    await workbench.page.bringToFront();
    await workbench.runCommand('MCP Roots: Revoke All Access…');
    await workbench.dialog.click('Revoke');
    await other.page.bringToFront();
    for (const { view } of [workbench, other].map(window => ({ view: window.view('Servers') }))) {
      await eventually(async () =>
        assert.equal(
          (await rowsOf(view))[0],
          `${server}: stopped: no folder is left that it may see`,
        ),
      );
    }
  });
});

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
      await servers.clickAction('Start Server', label);
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
      assert.deepEqual(await activityOf(workbench), ['TIME web: everything · roots/list']),
    );
    await servers.clickAction('Call Tool…', server);
    await workbench.quickInput.pick('get-roots');
    addFolder(workspace, 'docs');
    await eventually(async () =>
      assert.deepEqual(await rowsOf(servers), [
        `${server}: running · 2026-07-28 · asked in calls 1×, last TIME`,
        '  [x] api: exposed · asked TIME',
        '  [x] web: exposed · asked TIME',
        '  [ ] docs: waiting for your answer',
        '  Tools: ',
        'everything: running · 2025-11-25 · asked 1×, last TIME',
        '  [ ] api: not allowed',
        '  [x] web: exposed · asked TIME',
        '  [ ] docs: waiting for your answer',
        '  Tools: ',
      ]),
    );
    await eventually(async () =>
      assert.deepEqual(await activityOf(workbench), [
        `TIME api, web: ${server} · call of get-roots`,
        'TIME web: everything · roots/list',
      ]),
    );
    await workbench.notifications.waitFor('to see the added "docs"');
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
      const row = rows.find(text => text.startsWith('stubborn'));
      assert.match(row ?? '', /running · 2025-11-25 · lines that are no MCP: \d+/);
    });
    const pids = [...stubborn.pids(), ...stubborn.grandchildren()];
    assert.equal(pids.filter(isAlive).length, 2);
    await workbench.close();
    await eventually(() => assert.deepEqual(pids.filter(isAlive), []));
  });

  it('ends with an extension host that is killed, too', {
    skip: process.platform !== 'linux' && 'only there it leaves sessions',
  }, async t => {
    const { stubborn } = await openWithRunning(t, { ...isStubborn, leavesSessions: true });
    const pids = await eventually(() => {
      const all = [...stubborn.pids(), ...stubborn.grandchildren()];
      assert.equal(all.filter(isAlive).length, 5);
      return all;
    });
    process.kill(parentOf(pids[0]), 'SIGKILL');
    await eventually(() => assert.deepEqual(pids.filter(isAlive), []));
  });

  /** A window in which it runs, and nothing else. */
  async function openWithRunning(t: TestContext, options: RawServerOptions) {
    const stubborn = rawServer(t, options);
    const { command, args } = stubborn.start;
    const { workbench } = await openWorkbench(t, {
      settings: { 'mcpRoots.servers': { stubborn: { command, args } } },
    });
    await workbench.openContainer('MCP Roots');
    await workbench.view('Servers').clickAction('Start Server', 'stubborn');
    await workbench.dialog.click('Allow');
    await workbench.quickInput.pick('For This Session');
    await eventually(() => assert.equal(stubborn.count('notifications/initialized'), 1));
    return { workbench, stubborn };
  }
});

describe('a window in Restricted Mode', () => {
  it('says why nothing is exposed, and starts nothing', async t => {
    const { workbench, folder } = await openWorkbench(t, { asksForTrust: true });
    await workbench.openContainer('MCP Roots');
    await eventually(async () =>
      assert.match(
        await workbench.view('Servers').welcome(),
        /Restricted Mode: no server starts, and no folder is exposed/,
      ),
    );
    await workbench.runCommand('MCP Roots: Start Server');
    await workbench.notifications.waitFor('In Restricted Mode no server starts');
    assert.deepEqual(processesOf(folder), []);
  });
});

describe('an empty window', () => {
  it('says that there is nothing to expose', async t => {
    const { workbench } = await openWorkbench(t, { folders: [] });
    await workbench.openContainer('MCP Roots');
    await eventually(async () =>
      assert.match(await workbench.view('Servers').welcome(), /No folder is open/),
    );
    await workbench.runCommand('MCP Roots: Start Server');
    await workbench.notifications.waitFor('No folder is open, so there is nothing to expose.');
  });
});
