import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { rowsOf } from './support/rowsOf.ts';
import { ToolTab } from './support/toolTab.ts';

const server = 'MCP Roots Server';

describe('the sidebar', () => {
  it('lists the tools of a server when they are opened, and calls one from its row', async t => {
    const { workbench } = await openWorkbench(t, { scale: 2 });
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    await servers.clickAction('Start Server', server);
    await workbench.dialog.click('Allow');
    await workbench.quickInput.pick('For This Session');
    await eventually(async () => assert.equal((await rowsOf(servers)).at(-1), '  Tools: '));
    await servers.click('Tools');
    await eventually(async () => {
      const tool = (await servers.rows()).find(({ label }) => label === 'get-roots');
      assert.equal(tool?.level, 3);
      assert.match(tool?.description ?? '', /^only reads · /);
    });
    await workbench.screenshot('tools', workbench.page.locator('.part.sidebar'));
    const opened = workbench.page.locator('.tab.active', { hasText: 'get-roots' });
    await servers.clickActionUntil(opened, 'Call Tool…', 'get-roots');
    const tab = await ToolTab.of(workbench, 'Get Roots');
    await tab.button('Call').click();
    await (await tab.outcome()).getByText('Answered in').waitFor();
  });

  it('answers for several folders at once', async t => {
    const { workbench } = await openWorkbench(t);
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    await servers.click('api');
    await servers.addToSelection('web');
    await servers.chooseFromMenu('Allow', 'web');
    const { message, detail } = await workbench.dialog.read();
    assert.equal(message, 'Allow 2 folders, each to the server it is listed below?');
    assert.match(detail, /^• MCP Roots Server: .*\/api\n• MCP Roots Server: .*\/web$/);
    await workbench.dialog.click('Allow');
    await eventually(async () =>
      assert.deepEqual(await rowsOf(servers), [
        `${server}: stopped`,
        '  [x] api: allowed',
        '  [x] web: allowed',
      ]),
    );
  });

  it('offers a folder that is dragged from the Explorer to the server it is dropped on', async t => {
    const { workbench } = await openWorkbench(t, { folders: ['api'], subfolders: ['api/src'] });
    const servers = workbench.view('Servers');
    await workbench.dragFromExplorer('src', 'MCP Roots', () => servers.row(server));
    await workbench.notifications.waitFor(`Allow "${server}" to see the added "src"`);
    await eventually(async () =>
      assert.deepEqual(await rowsOf(servers), [
        `${server}: stopped`,
        '  [ ] api: not asked',
        '  [ ] src: not asked',
      ]),
    );
  });
});
