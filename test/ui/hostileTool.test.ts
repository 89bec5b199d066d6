import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Frame } from 'playwright-core';
import { type Canary, startCanary } from '../support/canary.ts';
import { isSoak } from '../support/effort.ts';
import { eventually } from './support/eventually.ts';
import { lookAt } from './support/lookAt.ts';
import { openToolServer, type ToolWindow } from './support/toolServer.ts';
import type { ToolTab } from './support/toolTab.ts';
import { seriousProblems, webview, webviewFrame } from './support/webview.ts';

it('a hostile server runs nothing, fetches nothing, hides nothing and stops nothing', async t => {
  const canary = await startCanary(t);
  const window = await openToolServer(t, 'hostileServer', [canary.url]);
  const { page } = window.workbench;
  const violations: string[] = [];
  page.on('console', message => {
    if (/Content Security Policy|TrustedScript|Refused to/.test(message.text())) {
      violations.push(message.text());
    }
  });
  const errors: Error[] = [];
  page.on('pageerror', error => errors.push(error));

  /** Opens the tab of a tool, calls it, and looks whether all that did no harm. */
  async function call(tool: string, title?: string): Promise<ToolTab> {
    const tab = await window.open(tool, title);
    await assertHarmless(window, canary);
    await tab.button('Call').click();
    await tab.outcome();
    await assertHarmless(window, canary);
    return tab;
  }

  let markup: ToolTab;

  await t.test('by its names, titles, descriptions, schemas and texts', async () => {
    const { open, workbench } = window;
    await workbench.view('Servers').clickAction('Call Tool…', 'hostileServer');
    const items = await workbench.quickInput.items();
    const named = items[0]?.label ?? '';
    assert.ok(
      named.startsWith('x"><img src=x onerror=') && named.includes('\\u202egnp.exe\\u2066'),
    );
    await workbench.quickInput.dismiss();
    await call(named);
    const { description: title = '' } = items[1] ?? {};
    markup = await open('markup', title);
    await assertHarmless(window, canary);
    for (const schema of await markup.page.getByText('Schema', { exact: true }).all()) {
      await schema.click();
    }
    await markup.button('Call').click();
    const outcome = await markup.outcome();
    await eventually(async () =>
      assert.equal(await outcome.getByText("This content can't be shown.").count(), 2),
    );
    const shown = (await markup.page.locator('body').textContent()) ?? '';
    assert.doesNotMatch(
      shown,
      /[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff\u{e0000}-\u{e007f}]/u,
    );
    assert.match(shown, /safe\\u202egnp\.exe\\u2066/);
    assert.match(shown, /<script>fetch\('http:/);
    assert.match(shown, /\[c\]\(command:workbench\.action\.closeAllEditors\)/);
    assert.deepEqual(await seriousProblems(page), []);
    await assertHarmless(window, canary);
  });

  await t.test('by its links to resources, which only the server can read', async () => {
    const resources = markup.page.locator('.resource button.link');
    for (const link of [resources.first(), resources.nth(1)]) {
      await link.click();
      await webview(page).getByRole('heading', { name: 'Failed after' }).waitFor();
      await assertHarmless(window, canary);
      await window.workbench.runCommand('View: Close Editor');
    }
  });

  await t.test('by errors', async () => {
    const tab = await call('fails');
    await tab.page.getByRole('heading', { name: 'Failed after' }).waitFor();
  });

  await t.test('by inherited names of objects, which are arguments like others', async () => {
    const tab = await window.open('names');
    await tab.page.getByLabel('toString').fill('t');
    await tab.button('Call').click();
    const text = await (await tab.outcome()).locator('.text').textContent();
    assert.equal(text, 'got {"__proto__":"d","toString":"t"}');
    await assertHarmless(window, canary);
  });

  await t.test('by ten thousand contents, which the tab shows in portions', async () => {
    const tab = await call('contents');
    const outcome = await tab.outcome();
    const contents = outcome.locator('.content');
    assert.equal(await contents.count(), 100);
    // Rows out of sight are not laid out.
    assert.equal(await contents.first().locator('.text').evaluate(isLaidOut), true);
    assert.equal(await contents.last().locator('.text').evaluate(isLaidOut), false);
    await tab.button('Show More (9900 Left)').click();
    await tab.button('Show More (9800 Left)').waitFor();
    assert.equal(await contents.count(), 200);
    await assertHarmless(window, canary);
  });

  if (isSoak) {
    await t.test(
      'by circular schemas, which the tab follows as far as the user opens them',
      async () => {
        const tab = await window.open('circle');
        await tab.page.getByText('Schema', { exact: true }).first().click();
        await tab.button('Call').click();
        await tab.page.getByText('needs an answer.').first().waitFor();
        await assertHarmless(window, canary);
      },
    );

    await t.test('by ten thousand properties, of a schema and of an answer', async () => {
      const tab = await window.open('wide');
      assert.equal(await tab.page.locator('.field').count(), 1);
      await assertHarmless(window, canary);
      await tab.button('Call').click();
      const tree = (await tab.outcome()).locator('.tree');
      await tree.getByText('Show More (9900 Left)').click();
      await tree.getByText('Show More (9800 Left)').waitFor();
      assert.ok((await tree.locator('summary').count()) < 250);
      await assertHarmless(window, canary);
    });

    await t.test('by megabytes of text, which the tab shows in slices', async () => {
      const tab = await call('long');
      const outcome = await tab.outcome();
      const text = outcome.locator('.text');
      assert.equal((await text.textContent())?.length, 20_000);
      await outcome.getByRole('button', { name: /^Show More \(\d+ Characters Left\)$/ }).click();
      await eventually(async () => assert.equal((await text.textContent())?.length, 120_000));
      await assertHarmless(window, canary);
      await call('items');
    });

    await t.test('by endless nesting, which the tab opens as far as the user looks', async () => {
      const tree = (await (await call('deep')).outcome()).locator('.tree');
      await tree.getByText('deep').click();
      await tree.getByText('down').waitFor();
      await assertHarmless(window, canary);
    });
  }

  await t.test('by its questions', async () => {
    const tab = await window.open('asks');
    await tab.button('Call').click();
    await lookAt(tab.page.getByRole('heading', { name: 'The server "hostileServer" asks' }));
    assert.deepEqual(await seriousProblems(page), []);
    await assertHarmless(window, canary);
    await tab.button('Decline').click();
    assert.match((await (await tab.outcome()).textContent()) ?? '', /got \{"action":"decline"\}/);
  });

  assert.deepEqual(violations, []);
  assert.deepEqual(errors, []);

  await t.test('and each attempt would be noticed', async () => {
    const frame = await webviewFrame(page);
    await frame.evaluate(
      `globalThis.canary = 1; document.body.append(document.createElement('a'))`,
    );
    assert.deepEqual(await frame.evaluate(dangers), ['The canary was set.', '<a></a>']);
    await fetch(`${canary.url}/run`);
    assert.deepEqual(canary.heard, ['/run']);
    const markup = `document.body.innerHTML = '<img src="${canary.url}/pixel">'`;
    await assert.rejects(frame.evaluate(markup), /TrustedHTML/);
    const picture = `document.body.append(Object.assign(new Image(), { src: '${canary.url}/pixel' }))`;
    await frame.evaluate(picture);
    await eventually(async () => assert.notDeepEqual(violations, []));
    assert.deepEqual(canary.heard, ['/run']);
  });
});

/** Nothing ran, nothing was fetched, nothing could be; and the page answers a key at once. */
async function assertHarmless({ workbench }: ToolWindow, canary: Canary): Promise<void> {
  const frame = await webviewFrame(workbench.page);
  assert.deepEqual(canary.heard, []);
  assert.deepEqual(await frame.evaluate(dangers), []);
  const times = [await answerTime(frame), await answerTime(frame), await answerTime(frame)];
  assert.ok(Math.min(...times) < 200, `A key is answered after ${times.join(', ')} ms.`);
}

/** Things that our pages never have. The code runs in the page, like the other texts here. */
const dangers = `[
  ...(globalThis.canary === undefined ? [] : ['The canary was set.']),
  ...[...document.body.querySelectorAll('*')].flatMap(element => [
    ...(/^(a|iframe|object|embed|form|base|meta|script|style|link|template)$/i.test(element.localName)
      ? [element.outerHTML] : []),
    ...[...element.attributes].filter(({ name }) => /^on|^style$|href$/i.test(name)).map(
      ({ name, value }) => element.localName + ' ' + name + '=' + value),
    ...(element.src && !element.src.startsWith('blob:') ? [element.src] : []),
  ]),
]`;

const isLaidOut = (part: unknown) =>
  (part as { checkVisibility(options: object): boolean }).checkVisibility({
    contentVisibilityAuto: true,
  });

/** How long it takes, in milliseconds, from a key until the page is drawn. */
async function answerTime(frame: Frame): Promise<number> {
  const answered = frame.evaluate<number>(`new Promise(resolve => {
    document.addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() =>
      setTimeout(() => resolve(performance.now() - timeStamp))), { once: true });
  })`);
  await frame.getByRole('button', { name: 'Call', exact: true }).press('Shift');
  return answered;
}
