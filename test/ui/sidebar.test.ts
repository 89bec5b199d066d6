import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { processesOf } from './support/processesOf.ts';
import { activityOf, rowsOf, showsRow } from './support/rowsOf.ts';
import { ToolTab } from './support/toolTab.ts';

const server = 'MCP Roots Server';

describe('the sidebar', () => {
  it('answers for several folders, takes dropped folders, calls tools, and restarts after a reload', async t => {
    const { workbench, folder } = await openWorkbench(t, { subfolders: ['api/src'] });
    const { dialog, notifications, quickInput } = workbench;
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    await servers.click('api');
    await servers.addToSelection('web');
    await servers.chooseFromMenu('Allow', 'web');
    const { message, detail } = await dialog.read();
    assert.match(message, /^Allow 2 folders/);
    assert.match(detail, /^• MCP Roots Server: .*\/api\n• MCP Roots Server: .*\/web$/);
    await dialog.click('Allow');
    const allowed = [`${server}: stopped`, '  [x] api: allowed', '  [x] web: allowed'];
    await eventually(async () => assert.deepEqual(await rowsOf(servers), allowed));

    await workbench.dragFromExplorer('src', 'MCP Roots', () => servers.row(server));
    await notifications.click(`Allow "${server}" to see the added "src"`, "Don't Allow");
    await quickInput.pick('In This Workspace');
    const answered = ['  [x] api: allowed', '  [x] web: allowed', '  [ ] src: not allowed'];
    await eventually(async () =>
      assert.deepEqual(await rowsOf(servers), [`${server}: stopped`, ...answered]),
    );

    await servers.clickAction('Start Server', server);
    await showsRow(servers, '  Tools: ');
    await servers.click('Tools');
    await eventually(async () => {
      const tool = (await servers.rows()).find(({ label }) => label === 'get-roots');
      assert.equal(tool?.level, 3);
      assert.match(tool?.description ?? '', /^1 call · only reads · /);
    });
    await workbench.screenshot('tools', workbench.page.locator('.part.sidebar'));
    const opened = workbench.page.locator('.tab.active', { hasText: 'get-roots' });
    await servers.clickActionUntil(opened, 'Call Tool…', 'get-roots');
    const tab = await ToolTab.of(workbench, 'Get Roots');
    await tab.button('Call').click();
    await (await tab.outcome()).getByText('Answered in').waitFor();
    const before = processesOf(folder);
    assert.equal(before.length, 1);

    await workbench.reload();
    await workbench.openContainer('MCP Roots');
    await eventually(async () =>
      assert.deepEqual((await rowsOf(servers)).slice(0, 4), [`${server}: running`, ...answered]),
    );
    assert.equal(await dialog.isOpen(), false);
    await eventually(async () => {
      const activity = await activityOf(workbench);
      const began = [
        `${server}: started automatically`,
        `${server}: stopped when the window closed`,
      ];
      assert.deepEqual(activity.slice(0, 2), began);
      assert.ok(activity.includes(`${server}: started by hand`), activity.join('\n'));
    });
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
