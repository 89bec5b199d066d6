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
    assert.equal(await access.getByLabel('Filter Servers').inputValue(), 'everything');
    // Forced colours draw each border, one that is transparent too.
    await page.emulateMedia({ forcedColors: 'active' });
    const dots = await access.locator('td .word:visible').evaluateAll(words =>
      words.map(word => {
        const { defaultView } = word.ownerDocument;
        return defaultView?.getComputedStyle(word, '::before').borderTopWidth !== '0px';
      }),
    );
    assert.deepEqual(dots, [false, true, false]);
    await page.emulateMedia({ forcedColors: null });

    await access.getByRole('button', { name: 'docs is not allowed to everything' }).click();
    const docs = access.getByRole('button', { name: 'docs is exposed to everything' });
    await docs.waitFor();
    assert.equal(await focused(access), 'docs is exposed to everything');
    await eventually(async () =>
      assert.match((await activityOf(workbench)).join('\n'), /everything: told of web, docs/),
    );
    await docs.press('Space');
    await access.getByRole('button', { name: 'docs is not allowed to everything' }).waitFor();
    await workbench.screenshot('access');
  });

  it('says who sees a folder, and copies what it shows', async t => {
    const { workbench } = await openWorkbench(t, window);
    const { page } = workbench;
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    await servers.click('everything');
    await servers.toggle('web', 'everything');
    await workbench.runCommand('MCP Roots: Show Access');
    const access = webview(page);
    await access.getByLabel('Filter Folders').fill('we');
    await eventually(async () =>
      assert.deepEqual(await shown(access), [
        ['Server', 'web'],
        ['MCP Roots Server', 'not asked'],
        ['everything', 'allowed'],
      ]),
    );
    await access.getByText('web is exposed to nobody here. It is allowed to everything.').waitFor();
    await access.getByRole('button', { name: 'Copy as Text' }).click();
    await access.getByText('Copied').waitFor();
    const text = await page.evaluate('navigator.clipboard.readText()');
    assert.match(String(text), /^# Who sees what in demo/);
    assert.match(String(text), /\| everything +\| stopped, told when it asks +\| allowed \(/);
    assert.doesNotMatch(String(text), /docs/);

    await workbench.runCommand('File: New Untitled Text File');
    await page.locator('.tab', { hasText: 'Access' }).click();
    await eventually(async () => assert.deepEqual((await shown(access))[0], ['Server', 'web']));
    assert.equal(await access.getByLabel('Filter Folders').inputValue(), 'we');
  });

  it('is used with the keyboard alone, and by those who listen', async t => {
    const { workbench, workspace } = await openWorkbench(t, window);
    const { page } = workbench;
    const { keyboard } = page;
    await workbench.openContainer('MCP Roots');
    await workbench.runCommand('MCP Roots: Show Access');
    const access = webview(page);
    await access.getByLabel('Filter Folders').press('Tab');
    await keyboard.press('Tab');
    assert.equal(
      await focused(access),
      'You were not asked yet whether MCP Roots Server may see api',
    );
    const path: string[] = [];
    for (const key of [
      'ArrowRight',
      'ArrowDown',
      'End',
      'Home',
      'ArrowUp',
      'ArrowUp',
      'ArrowRight',
    ]) {
      await keyboard.press(key);
      path.push(await focused(access));
    }
    assert.deepEqual(path, [
      'You were not asked yet whether MCP Roots Server may see web',
      'You were not asked yet whether everything may see web',
      'You were not asked yet whether everything may see docs',
      'everything',
      'MCP Roots Server',
      'Server',
      'api',
    ]);
    await keyboard.press('Control+End');
    await keyboard.press('Enter');
    const label = 'docs is allowed to everything, and not exposed yet';
    await eventually(async () => assert.equal(await focused(access), label));
    await access.locator('[aria-live]').getByText(label).waitFor({ state: 'attached' });
    addFolder(workspace, 'extra');
    await access.getByRole('columnheader', { name: 'extra' }).waitFor();
    assert.equal(await focused(access), label);
    await keyboard.press('Tab');
    assert.equal(await access.locator('table :focus').count(), 0);
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
  await access.getByRole('grid').waitFor();
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
      [...table.rows]
        .filter(({ hidden }) => !hidden)
        .map(row =>
          [...row.cells]
            .filter(({ hidden }) => !hidden)
            .map(cell => (cell.querySelector('.name, .word') ?? cell).textContent),
        ),
    );
}
