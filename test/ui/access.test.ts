import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { addFolder } from '../vscode/workspaceFile.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { seriousProblems, webview, webviewFrame } from './support/webview.ts';

const hostile = [
  '<img src=x onerror="document.title = 1">',
  '\u202egpj.exe',
  '[a](command:workbench.action.quit)',
  'x'.repeat(10_000),
];

describe('the access page', () => {
  it('works with the keyboard and a screen reader, and copies what it shows', async t => {
    const { workbench, workspace } = await openWorkbench(t, {
      folders: ['api', 'web', 'docs'],
      settings: {
        'workbench.colorTheme': 'Default High Contrast',
        'mcpRoots.servers': Object.fromEntries(
          ['everything', ...hostile].map(name => [name, { command: 'node' }]),
        ),
      },
    });
    const { page } = workbench;
    const { keyboard } = page;
    await workbench.openContainer('MCP Roots');
    await workbench.runCommand('MCP Roots: Show Access');
    const access = webview(page);
    const filter = access.getByLabel('Filter Servers and Folders');
    await access.getByRole('table', { name: 'Who sees what' }).waitFor();

    await t.test('shows names of servers as plain text, whoever wrote them', async () => {
      const names = (await shown(access)).slice(3).map(([name]) => name);
      assert.deepEqual(names, [
        hostile[0],
        '\\u202egpj.exe',
        hostile[2],
        `${'x'.repeat(40)} …(9940 more)… ${'x'.repeat(20)}`,
      ]);
      assert.equal(await access.locator('img, a').count(), 0);
      const title = await access.locator(':root').evaluate(root => root.ownerDocument.title);
      assert.equal(title, 'MCP Roots');
    });

    await t.test('works without a pointer', async () => {
      await filter.press('Tab');
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
      const frame = await webviewFrame(page);
      const shadow = await frame.evaluate('getComputedStyle(document.activeElement).boxShadow');
      assert.match(String(shadow), /0px 0px 0px 1px/);
      addFolder(workspace, 'extra');
      await access.getByRole('columnheader', { name: 'extra' }).waitFor();
      assert.equal(await focused(access), label);
      assert.deepEqual(await seriousProblems(page), []);
    });

    await t.test('copies what it shows, and keeps its filter', async () => {
      await filter.fill('docs');
      const rows = [
        ['Server', 'docs'],
        ['MCP Roots Server', 'not asked'],
        ['everything', 'allowed'],
      ];
      await eventually(async () => assert.deepEqual((await shown(access)).slice(0, 3), rows));
      await access.getByRole('button', { name: 'Copy' }).click();
      await access.getByText('Copied').waitFor();
      const text = String(await page.evaluate('navigator.clipboard.readText()'));
      assert.match(text, /^Server\tState\tdocs \(.*\)\n/);
      assert.match(text, /^everything\tstopped\tallowed$/m);

      await workbench.runCommand('File: New Untitled Text File');
      await page.locator('.tab', { hasText: 'Access' }).click();
      await eventually(async () => assert.deepEqual((await shown(access))[0], rows[0]));
      assert.equal(await filter.inputValue(), 'docs');
      await workbench.screenshot('access');
    });
  });
});

/** The accessible name of the element with the focus. */
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
