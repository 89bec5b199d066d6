import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { addFolder } from '../vscode/workspaceFile.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { activityOf } from './support/rowsOf.ts';
import { seriousProblems, webview } from './support/webview.ts';

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const window = {
  folders: ['api', 'web', 'docs'],
  settings: {
    'mcpRoots.servers': { everything: { command: process.execPath, args: [everything] } },
  },
};

describe('the page with who sees what', () => {
  it('opens for one server, and tells it of a folder whose cell is clicked', async t => {
    const { workbench } = await openWorkbench(t, window);
    const { page, dialog, quickInput } = workbench;
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    await servers.clickActionUntil(dialog.box, 'Start Server', 'everything');
    await dialog.click('Choose Folders…');
    await quickInput.setChecked('web', true);
    await quickInput.accept();
    await quickInput.pick('In This Workspace');
    await eventually(async () =>
      assert.match((await activityOf(workbench)).join('\n'), /everything: told of web/),
    );
    await servers.chooseFromMenu('Show Access', 'everything');
    const access = webview(page);
    await eventually(async () =>
      assert.deepEqual(await shown(access), [
        ['Server', 'api', 'web', 'docs'],
        ['everything', 'not allowed', 'exposed', 'not allowed'],
      ]),
    );
    assert.equal(await access.getByLabel('Filter Servers and Folders').inputValue(), 'everything');

    await access.getByRole('checkbox', { name: 'docs for everything: not allowed' }).click();
    const docs = access.getByRole('checkbox', { name: 'docs for everything: exposed' });
    await docs.waitFor();
    assert.equal(await docs.isChecked(), true);
    await eventually(async () =>
      assert.match((await activityOf(workbench)).join('\n'), /everything: told of web, docs/),
    );
    await docs.press('Space');
    await access.getByRole('checkbox', { name: 'docs for everything: not allowed' }).waitFor();
    await workbench.screenshot('access');
  });

  it('copies what it shows, and keeps its filter', async t => {
    const { workbench } = await openWorkbench(t, window);
    const { page } = workbench;
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    await servers.click('everything');
    await servers.toggle('web', 'everything');
    await workbench.runCommand('MCP Roots: Show Access');
    const access = webview(page);
    await access.getByLabel('Filter Servers and Folders').fill('web');
    await eventually(async () =>
      assert.deepEqual(await shown(access), [
        ['Server', 'web'],
        ['MCP Roots Server', 'not asked'],
        ['everything', 'allowed'],
      ]),
    );
    await access.getByRole('button', { name: 'Copy' }).click();
    await access.getByText('Copied').waitFor();
    const text = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.match(text, /^Server\tState\tweb \(.*\)\n/);
    assert.match(text, /^everything\tstopped, told when it asks\tallowed$/m);

    await workbench.runCommand('File: New Untitled Text File');
    await page.locator('.tab', { hasText: 'Access' }).click();
    await eventually(async () => assert.deepEqual((await shown(access))[0], ['Server', 'web']));
    assert.equal(await access.getByLabel('Filter Servers and Folders').inputValue(), 'web');
  });

  it('is used with the keyboard alone, and by those who listen', async t => {
    const { workbench, workspace } = await openWorkbench(t, window);
    const { page } = workbench;
    const { keyboard } = page;
    await workbench.openContainer('MCP Roots');
    await workbench.runCommand('MCP Roots: Show Access');
    const access = webview(page);
    await access.getByRole('table', { name: 'Who sees what' }).waitFor();
    await access.getByLabel('Filter Servers and Folders').press('Tab');
    const path: string[] = [];
    for (let stop = 0; stop < 6; stop++) {
      await keyboard.press('Tab');
      path.push(await focused(access));
    }
    assert.deepEqual(path, [
      'api for MCP Roots Server: not asked',
      'web for MCP Roots Server: not asked',
      'docs for MCP Roots Server: not asked',
      'api for everything: not asked',
      'web for everything: not asked',
      'docs for everything: not asked',
    ]);
    await keyboard.press('Space');
    const label = 'docs for everything: allowed';
    await eventually(async () => assert.equal(await focused(access), label));
    addFolder(workspace, 'extra');
    await access.getByRole('columnheader', { name: 'extra' }).waitFor();
    assert.equal(await focused(access), label);
    assert.deepEqual(await seriousProblems(page), []);
  });
});

it('shows the name of a server as what it is, whoever wrote it', async t => {
  const hostile = [
    '<img src=x onerror="document.title = 1">',
    '\u202egpj.exe',
    '[a](command:workbench.action.quit)',
    'x'.repeat(10_000),
  ];
  const { workbench } = await openWorkbench(t, {
    settings: {
      'mcpRoots.servers': Object.fromEntries(hostile.map(name => [name, { command: 'node' }])),
    },
  });
  await workbench.openContainer('MCP Roots');
  await workbench.runCommand('MCP Roots: Show Access');
  const access = webview(workbench.page);
  await access.getByRole('table').waitFor();
  const names = (await shown(access)).slice(2).map(([name]) => name);
  assert.deepEqual(names, [
    hostile[0],
    '\\u202egpj.exe',
    hostile[2],
    `${'x'.repeat(40)} …(9940 more)… ${'x'.repeat(20)}`,
  ]);
  assert.equal(await access.locator('img, a').count(), 0);
  assert.equal(
    await access.locator(':root').evaluate(root => root.ownerDocument.title),
    'MCP Roots',
  );
});

/** What has the focus, as it is called. */
function focused(access: FrameLocator): Promise<string> {
  return access
    .locator(':focus')
    .evaluate(element => element.getAttribute('aria-label') ?? element.textContent ?? '');
}

/** The words in the table, as far as it is shown. */
async function shown(access: FrameLocator): Promise<readonly (readonly string[])[]> {
  return access
    .locator('table')
    .evaluate(table =>
      [...table.rows].map(row =>
        [...row.cells].map(cell => (cell.querySelector('.name, label') ?? cell).textContent),
      ),
    );
}
