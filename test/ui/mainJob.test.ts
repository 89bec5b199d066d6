import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addFolder, removeFolder } from '../vscode/workspaceFile.ts';
import { callTool } from './support/callTool.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { processesOf } from './support/processesOf.ts';
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
        `${server} · told of api, web: TIME · call of get-roots`,
        `${server} · started by hand: TIME · 2026-07-28`,
        `${server} · allowed: api, web: TIME · in this workspace`,
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
      assert.deepEqual((await activityOf(workbench)).slice(0, 4), [
        `${server} · started by itself: TIME · 2026-07-28`,
        `${server} · stopped: TIME`,
        `${server} · told of web: TIME · call of get-roots`,
        `${server} · started by hand: TIME · 2026-07-28`,
      ]),
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
