import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { countHands } from './support/countHands.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { rowsOf } from './support/rowsOf.ts';
import type { TreeView } from './support/treeView.ts';
import type { Workbench } from './support/workbench.ts';

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const commandLine = `"${process.execPath}" "${everything}"`;

describe('a server of one’s own', () => {
  it('is added by a pasted command line, runs, is renamed and removed', async t => {
    const { workbench } = await openWorkbench(t);
    const { dialog, notifications, page, quickInput } = workbench;
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    await servers.row('MCP Roots Server');
    await servers.clickTitleAction('Add Server…');
    await quickInput.waitFor('Add Server');
    await workbench.screenshot('add-server-first');
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(commandLine)})`);
    await page.keyboard.press('ControlOrMeta+V');
    const handled = await countHands(workbench);

    await quickInput.accept();
    await reviewOf(workbench).waitFor();
    await workbench.screenshot('add-server-review');
    await quickInput.accept();
    const name = 'everything';
    await eventually(async () =>
      assert.ok(
        (await rowsOf(servers)).includes(`${name}: stopped`),
        String(await rowsOf(servers)),
      ),
    );
    const added = await handled();
    t.diagnostic(`added: ${JSON.stringify(added)}`);
    assert.ok(added.hands <= 4, `${added.hands} clicks and keys`);

    await notifications.click(`"${name}" was added`, 'Start');
    await dialog.click('Allow');
    await quickInput.pick('In This Workspace');
    const told = ['  [x] api: exposed', '  [x] web: exposed'];
    await eventually(async () => {
      assert.deepEqual(await foldersOf(servers, `${name}: running`), told);
    });
    const exposed = await handled();
    t.diagnostic(`exposed: ${JSON.stringify(exposed)}`);
    assert.ok(exposed.hands <= 5, `${exposed.hands} clicks and keys`);
    await workbench.screenshot('add-server-running');

    await servers.chooseFromMenu('Rename…', name);
    await quickInput.waitFor(`Rename Server "${name}"`);
    await quickInput.type('renamed');
    await quickInput.accept();
    await eventually(async () => {
      assert.deepEqual(await foldersOf(servers, 'renamed: running'), told);
      assert.equal(await dialog.isOpen(), false);
    });

    await servers.chooseFromMenu('Edit…', 'renamed');
    await quickInput.waitFor('Edit Server "renamed"');
    await workbench.screenshot('edit-server');
    await quickInput.dismiss();

    await servers.chooseFromMenu('Remove…', 'renamed');
    const { message, detail } = await dialog.read();
    assert.equal(message, 'Remove server "renamed"?');
    assert.match(
      detail,
      /Its definition, in your user settings\n• .* in all workspaces[\s\S]*It runs, and is stopped before/,
    );
    await workbench.screenshot('remove-server');
    await dialog.click('Remove');
    await eventually(async () =>
      assert.doesNotMatch((await rowsOf(servers)).join('\n'), /renamed|everything/),
    );
  });
});

/** The two rows below that of a server, which begins so. */
async function foldersOf(servers: TreeView, start: string): Promise<string[]> {
  const rows = await rowsOf(servers);
  const at = rows.findIndex(row => row.startsWith(start));
  return at < 0 ? rows : rows.slice(at + 1, at + 3);
}

/** The list that shows what will be written. */
function reviewOf({ page }: Workbench) {
  return page.locator('.quick-input-widget').getByText('Command Line', { exact: true });
}
