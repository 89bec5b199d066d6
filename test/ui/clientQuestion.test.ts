import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { rawServer } from '../support/recordingServer.ts';
import { definitionOf } from './support/definitionOf.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';

const names = ['files', 'git', 'notes'];
const madeUp = Array.from({ length: 12 }, (_, index) => `made-up-${index + 1}`);

describe('the question about a client', () => {
  it('covers all clients, and comes back until it is answered', async t => {
    const { workbench, connect } = await openWorkbench(t, {
      size: { width: 1280, height: 620 },
      settings: {
        'mcpRoots.servers': Object.fromEntries(
          names.map(name => [name, definitionOf(rawServer(t))]),
        ),
      },
    });
    const { page, quickInput, notifications } = workbench;
    await workbench.openContainer('MCP Roots');
    for (const name of names) {
      await workbench.start(name, 'In This Workspace');
    }
    const clients: Client[] = [];
    for (const name of names) {
      clients.push(await connect('outside', name));
    }
    const [files, , notes] = clients;
    const others: Client[] = [];
    for (const name of madeUp) {
      others.push(await connect(name, 'files'));
    }

    const center = page.locator('.notifications-center.visible');
    const bell = page.locator('[id="status.notifications"]');
    await bell.click();
    await center.waitFor();
    const refused = others.map(answerTo);
    const shown = page.locator('.notification-toast');
    await shown.getByText(/"made-up-\d" and \d+ more\.$/).waitFor();
    await bell.click();
    await center.waitFor();
    const calls = [answerTo(files!), answerTo(notes!)];
    const text = ': "outside", "made-up-';
    await shown.getByText(text).waitFor();
    const [toast, ...more] = await notifications.read();
    const buttons = ['In This Workspace…', 'Until the Window Closes…'];
    assert.deepEqual([toast?.buttons, more], [buttons, []]);
    await eventually(async () => assert.equal(await workbench.badge('MCP Roots'), 13));
    await workbench.screenshot('client-question-several');

    await notifications.click(text, 'In This Workspace…');
    await quickInput.waitFor('Servers for "outside", "made-up-');
    const listed = await quickInput.items();
    assert.deepEqual(
      listed.slice(0, 3).map(({ label, checked }) => [label, checked]),
      names.map(() => ['outside', false]),
    );
    assert.match(listed[0]?.description ?? '', /^"files", .* "api", "web" · .*\/web$/);
    await workbench.screenshot('client-servers');
    await quickInput.setChecked('outside', true, '"files"');
    await quickInput.accept();
    const [yes, no] = await Promise.all(calls);
    assert.match(yes ?? '', /api/);
    assert.match(no ?? '', /not allow "outside" to use "notes"/);
    for (const answer of await Promise.all(refused)) {
      assert.match(answer, /not allow "made-up-\d+" to use "files"/);
    }

    const [one] = [await connect('another', 'files'), await connect('another', 'git')];
    const answered = answerTo(one!);
    const asked = 'Allow "another" to use "files", "git"?';
    await notifications.click(asked, 'Until the Window Closes…');
    await quickInput.waitFor('Servers for "another"');
    assert.deepEqual(
      (await quickInput.items()).map(({ label, description, checked }) => [
        label,
        description,
        checked,
      ]),
      ['files', 'git'].map(name => [name, 'sees "api", "web"', true]),
    );
    await quickInput.setChecked('git', false);
    await quickInput.accept();
    assert.match(await answered, /api/);
  });
});

/** The last answer to a client that keeps calling. */
async function answerTo(client: Client): Promise<string> {
  for (;;) {
    const { content } = await client.callTool({ name: 'ask' }).catch(error => ({
      content: String(error),
    }));
    const text = JSON.stringify(content);
    if (!text.includes('has not answered yet')) {
      return text.replaceAll('\\', '');
    }
  }
}
