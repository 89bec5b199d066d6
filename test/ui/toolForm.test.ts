import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { isSoak } from '../support/effort.ts';
import { eventually } from './support/eventually.ts';
import { lookAt } from './support/lookAt.ts';
import { openToolServer } from './support/toolServer.ts';
import { ToolTab } from './support/toolTab.ts';
import { seriousProblems, webview, webviewFrame } from './support/webview.ts';
import type { Workbench } from './support/workbench.ts';

const given = {
  title: 'Ada',
  count: 3,
  isDry: true,
  sort: 'size',
  tags: ['green'],
  globs: ['*.ts'],
};

describe('the tab of a tool', () => {
  it('works without a pointer', async t => {
    const { workbench, open } = await openToolServer(t, 'kindServer');
    const { page, notifications, quickInput } = workbench;
    const { keyboard } = page;

    await t.test('to be opened, filled in and called, and names mistakes', async () => {
      const tab = await openByKeys(workbench, 'order', 'Place an Order');
      await eventually(async () => assert.match(await focused(page), /^title/));
      await keyboard.press('Control+Enter');
      await eventually(async () =>
        assert.match(await focused(page), /^title: .*\. title needs an answer\.$/),
      );
      await keyboard.type('Ada');
      await tabTo(page, /^Dry run/);
      await keyboard.press('t');
      await tabTo(page, /^sort/);
      await keyboard.press('s');
      await tabTo(page, /^green/);
      await keyboard.press('Space');
      await tabTo(page, /^globs/);
      await keyboard.type('*.ts');
      await keyboard.press('Control+Enter');
      await tab.outcome();
      const end = `document.querySelector('.outcome').getBoundingClientRect().bottom`;
      const frame = await webviewFrame(page);
      await eventually(async () => assert.ok(await frame.evaluate(`${end} <= innerHeight`)));
      assert.deepEqual(await copied(page), given);
    });

    await t.test('to read the answer in a tree', async () => {
      const { page: tab } = await ToolTab.of(workbench, 'Place an Order');
      await tabTo(page, /^\{6\}$/);
      await tabTo(page, /^globs: \[1\]$/);
      await keyboard.press('Enter');
      await tab.locator('.tree').getByText('"*.ts"').waitFor();
    });

    await t.test('to call with JSON for all arguments, beside their schema', async () => {
      await workbench.runCommand('View: Close All Editors');
      const tab = await open('order', 'Place an Order');
      await tab.page.getByRole('textbox', { name: 'title', exact: true }).fill('Ada');
      await tab.page.getByRole('textbox', { name: 'at', exact: true }).fill('{"x":');
      await tabTo(page, /^As JSON$/);
      await keyboard.press('Enter');
      await eventually(async () => assert.match(await focused(page), /^Arguments/));
      const all = tab.page.getByRole('textbox', { name: 'Arguments' });
      const written = JSON.parse(await all.inputValue());
      assert.deepEqual(written, { title: 'Ada', count: 3, at: '{"x":' });
      assert.ok(await tab.button('As JSON').isHidden());
      await tab.page.getByText('Schema', { exact: true }).click();
      await tab.page.locator('.tree').getByText('$defs').waitFor();
      await all.fill('[]');
      await tab.button('Call').click();
      await tab.page.getByText('Arguments must be an object').waitFor();
      const args = { title: 'Bea', 'no such': 1 };
      await all.fill(JSON.stringify(args));
      await tab.button('Call').click();
      await tab.outcome();
      assert.deepEqual(await copied(page), args);
      await tab.close();
    });

    await t.test('to follow a call, and to cancel it', async () => {
      const tab = await openByKeys(workbench, 'slow');
      await keyboard.press('Control+Enter');
      await tab.page.getByRole('status').getByText('step 3').waitFor();
      await tabTo(page, /^Cancel$/);
      await keyboard.press('Enter');
      await tab.page.getByRole('heading', { name: 'Cancelled after' }).waitFor();
      await eventually(async () => assert.equal(await focused(page), 'Call'));
    });

    await t.test('to answer what the server asks', async () => {
      const tab = await openByKeys(workbench, 'ask');
      await keyboard.press('Control+Enter');
      await lookAt(tab.page.getByRole('alert').getByText('The server "kindServer" asks'));
      await tabTo(page, /^Send$/);
      await keyboard.press('Enter');
      await eventually(async () =>
        assert.equal(await focused(page), 'Your name: Your name needs an answer.'),
      );
      await keyboard.type('Ada');
      await keyboard.press('Control+Enter');
      await tab.outcome();
      await eventually(async () => assert.equal(await focused(page), 'Call'));
      const answer = { action: 'accept', content: { name: 'Ada', color: 'green' } };
      assert.deepEqual(await copied(page), [{ type: 'text', text: JSON.stringify(answer) }]);
    });

    await t.test('and takes no second click of a double click as the next answer', async () => {
      const tab = await open('askTwice');
      await tab.button('Call').click();
      await lookAt(tab.page.getByText('First?'));
      const box = await tab.button('Send').boundingBox();
      assert.ok(box);
      const click = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await click();
      await tab.page.getByText('Second?').waitFor();
      await click();
      await lookAt(tab.page.getByText('Second?'));
      await tab.button('Decline').click();
      assert.match((await (await tab.outcome()).textContent()) ?? '', /accept,decline/);
    });

    await t.test('to answer a question in a separate tab when no call waits', async () => {
      await workbench.runCommand('View: Close All Editors');
      const tab = await open('askLater');
      await tab.button('Call').click();
      await tab.outcome();
      await tab.close();
      await notifications.click('asks: Who are you?', 'Answer…');
      const asked = webview(page);
      await lookAt(asked.getByRole('heading', { name: 'The server "kindServer" asks' }));
      assert.equal(await asked.getByRole('button', { name: 'Call', exact: true }).count(), 0);
      assert.deepEqual(await seriousProblems(page), []);
      await tabTo(page, /^Your name/);
      await page.keyboard.type('Ada');
      await page.keyboard.press('Control+Enter');
      await page.locator('.webview').waitFor({ state: 'detached' });
      const after = await open('answered');
      await after.button('Call').click();
      const outcome = await after.outcome();
      await outcome.getByText('"accept"').waitFor();
      await outcome.getByText('content').click();
      await outcome.getByText('"Ada"').waitFor();
    });

    await t.test('and shows pictures, plays sounds and opens resources', async () => {
      await workbench.runCommand('View: Close All Editors');
      const tab = await open('report');
      await tab.button('Call').click();
      const outcome = await tab.outcome();
      await eventually(async () =>
        assert.deepEqual(await outcome.locator('img').evaluateAll(widths), [32, 80]),
      );
      await eventually(async () =>
        assert.equal(await outcome.locator('audio').evaluate(length), 0.1),
      );
      await outcome.getByText('application/zip, 3 bytes', { exact: true }).waitFor();
      await outcome.getByText('application/zip, 1 byte', { exact: true }).waitFor();
      await outcome.getByRole('button', { name: 'b.txt' }).click();
      await webview(page).getByText('The text of b.').waitFor();
    });

    await t.test('and has no part that is hard to see or to hear', async () => {
      await workbench.runCommand('View: Close All Editors');
      const report = await open('report');
      await report.button('Call').click();
      await report.outcome();
      await report.page.getByText('# A note').waitFor();
      await open('order', 'Place an Order');
      const refuse = await open('refuse');
      await refuse.button('Call').click();
      await refuse.outcome();
      const ask = await open('ask');
      await ask.button('Call').click();
      await ask.button('Send').waitFor();
      await workbench.runCommand('MCP Roots: Show Access');
      const found: string[] = [];
      for (const { name, kind } of isSoak ? themes : themes.slice(0, 1)) {
        await workbench.runCommand('Preferences: Color Theme');
        await quickInput.type(name);
        await quickInput.accept();
        for (const tab of ['report', 'order', 'refuse', 'ask', 'Access']) {
          await page.locator('.tab', { hasText: tab }).click();
          await webview(page).locator(`body.${kind} main`).waitFor();
          if (tab === 'order') {
            await webview(page).getByRole('button', { name: 'Call', exact: true }).click();
          }
          await webview(page)
            .locator('h2, table, .problem')
            .filter({ visible: true })
            .first()
            .waitFor();
          await workbench.screenshot(`page-${kind}-${tab}`);
          const problems = await seriousProblems(page);
          found.push(...problems.map(problem => `${tab}, ${name}: ${problem}`));
        }
      }
      assert.deepEqual(found, []);
    });
  });
});

const widths = (pictures: unknown[]) =>
  pictures.map(picture => (picture as { readonly naturalWidth: number }).naturalWidth);
const length = (sound: unknown) => (sound as { readonly duration: number }).duration;

/** A light theme, and one with high contrast: the tests above are in the dark default. */
const themes = [
  { name: 'Default Light Modern', kind: 'vscode-light' },
  { name: 'Dark High Contrast', kind: 'vscode-high-contrast' },
] as const;

/** Opens the tab of a tool from the row of its server, without a pointer. */
async function openByKeys(workbench: Workbench, tool: string, title = tool): Promise<ToolTab> {
  const { page, quickInput } = workbench;
  const { keyboard } = page;
  await workbench.runCommand('MCP Roots: Focus on Servers View');
  const row = page.locator('.part.sidebar .monaco-list-row.focused');
  await keyboard.press('Home');
  await eventually(async () => {
    await keyboard.press('ArrowDown');
    assert.match((await row.getAttribute('aria-label')) ?? '', /^Server kindServer/);
  });
  await keyboard.press('Shift+F10');
  const item = page.locator('.monaco-menu .action-item.focused .action-label');
  await eventually(async () => {
    await keyboard.press('ArrowDown');
    assert.equal(await item.innerText({ timeout: 1_000 }), 'Call Tool…');
  });
  await keyboard.press('Enter');
  await quickInput.waitFor('Call a Tool');
  await keyboard.type(tool);
  await keyboard.press('Enter');
  return ToolTab.of(workbench, title);
}

/** The name and description of the page's element with the focus. */
async function focused(page: Page): Promise<string> {
  const frame = await webviewFrame(page);
  return frame.evaluate<string>(`(() => {
    const host = document.activeElement;
    if (host === document.body) {
      return '';
    }
    const part = host.shadowRoot?.activeElement ?? host;
    const named = part.closest('label') ?? host;
    const name = part.getAttribute('aria-label') ?? named.textContent;
    const about = part.getAttribute('aria-description');
    return name.trim() + (about ? ': ' + about : '');
  })()`);
}

/** Presses Tab until that has the focus. */
async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < 100; presses++) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    seen.push(now);
    if (wanted.test(now)) {
      return;
    }
  }
  assert.fail(`Tab leads to ${seen.join(', ')}.`);
}

/** The text that the button of that name copies. */
async function copied(page: Page): Promise<unknown> {
  await page.evaluate(`navigator.clipboard.writeText('')`);
  await tabTo(page, /^Copy$/);
  await page.keyboard.press('Enter');
  return eventually(async () => JSON.parse(await page.evaluate('navigator.clipboard.readText()')));
}
