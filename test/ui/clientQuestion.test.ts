import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Locator } from 'playwright-core';
import { connectMain } from '../support/fakeGateway.ts';
import { atEnd } from '../support/processes.ts';
import { rawServer } from '../support/recordingServer.ts';
import { definitionOf } from './support/definitionOf.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';

const legacy = { versionNegotiation: { mode: 'legacy' } } as const;
const names = ['files', 'git', 'notes'];
const madeUp = Array.from({ length: 12 }, (_, index) => `made-up-${index + 1}`);

describe('the question about a client', () => {
  it('is one for all clients and their servers, and comes back until it is answered', async t => {
    const { workbench, workspace, folder } = await openWorkbench(t, {
      size: { width: 1280, height: 620 },
      settings: {
        'mcpRoots.servers': Object.fromEntries(
          names.map(name => [name, definitionOf(rawServer(t))]),
        ),
      },
    });
    const { page, dialog, quickInput, notifications } = workbench;
    await workbench.openContainer('MCP Roots');
    for (const name of names) {
      await workbench.view('Servers').clickActionUntil(dialog.box, 'Start Server', name);
      await dialog.click('Allow');
      await quickInput.pick('In This Workspace');
    }
    const home = join(folder, 'home');
    const connected = async (name: string, server: string) => {
      const client = new Client({ name, version: '1' }, legacy);
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [connectMain, '--server', server],
        cwd: join(dirname(workspace), 'web'),
        env: { HOME: home, USERPROFILE: home },
      });
      await client.connect(transport);
      atEnd(t, () => client.close());
      return client;
    };
    const clients: Client[] = [];
    for (const name of names) {
      clients.push(await connected('outside', name));
    }
    const [files, , notes] = clients;
    const others: Client[] = [];
    for (const name of madeUp) {
      others.push(await connected(name, 'files'));
    }

    const center = page.locator('.notifications-center.visible');
    const bell = page.locator('[id="status.notifications"]');
    await bell.click();
    await center.waitFor();
    const refused = others.map(answerTo);
    await center.getByText(/"made-up-\d" and \d+ more\.$/).waitFor();
    const calls = [answerTo(files!), answerTo(notes!)];
    const text = 'Which servers may these clients use? They named themselves: "outside", "made-up-';
    const next = center.getByText(text);
    await next.waitFor({ timeout: 6_000 });
    await workbench.screenshot('client-question-listed');
    assert.ok(isWithin(await next.boundingBox(), await center.boundingBox()));

    await bell.click();
    await page.locator('.notification-toast').getByText(text).waitFor();
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
    assert.match(
      listed[0]?.description ?? '',
      /^"files", which sees "api", "web" · says that it runs in .*\/web$/,
    );
    await workbench.screenshot('client-servers');
    await quickInput.setChecked('outside', true, '"files"');
    await quickInput.accept();
    const [yes, no] = await Promise.all(calls);
    assert.match(yes ?? '', /api/);
    assert.match(no ?? '', /The user does not allow "outside" to use "notes"/);
    for (const answer of await Promise.all(refused)) {
      assert.match(answer, /The user does not allow "made-up-\d+" to use "files"/);
    }

    const [one] = [await connected('another', 'files'), await connected('another', 'git')];
    const answered = answerTo(one!);
    const asked = 'Allow "another" to use "files", "git"? The client itself says that it has this';
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

/** What a client that goes on to call is told in the end. */
async function answerTo(client: Client): Promise<string> {
  for (;;) {
    const { content } = await client.callTool({ name: 'ask' }).catch(error => ({
      content: String(error),
    }));
    const text = JSON.stringify(content);
    if (!text.includes('has not said yet')) {
      return text.replaceAll('\\', '');
    }
  }
}

type Box = Awaited<ReturnType<Locator['boundingBox']>>;

function isWithin(inner: Box, outer: Box): boolean {
  return (
    inner !== null &&
    outer !== null &&
    inner.y >= outer.y &&
    inner.y + inner.height <= outer.y + outer.height
  );
}
