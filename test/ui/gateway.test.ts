import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { atEnd } from '../support/processes.ts';
import { countHands } from './support/countHands.ts';
import { eventually } from './support/eventually.ts';
import { lookAt } from './support/lookAt.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { showsRow } from './support/rowsOf.ts';

const filesystem = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-filesystem/dist/index.js',
);

describe('one server for every agent', () => {
  it("serves the editor's chat and an agent in a terminal, names both, and limits their tools", async t => {
    const { workbench, workspace, folder } = await openWorkbench(t, {
      // As README shows it.
      scale: 2,
      size: { width: 1280, height: 620 },
      settings: {
        'mcpRoots.servers': { files: { command: process.execPath, args: [filesystem] } },
        'chat.disableAIFeatures': false,
        'workbench.colorTheme': 'Default Dark Modern',
      },
    });
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    await workbench.start('files', 'In This Workspace');
    await showsRow(servers, /^files.*running/);

    await workbench.notifications.waitFor('"files" is running. Offer its tools to the chat of');
    await workbench.screenshot('offer-question');
    await workbench.notifications.click('"files" is running. Offer its', 'Offer');
    await workbench.runCommand('MCP: List Servers');
    await workbench.quickInput.pick('files (MCP Roots)');
    await workbench.quickInput.pick('Start Server');
    await showsRow(servers, /^ {2}.* chat: running$/);

    const api = join(dirname(workspace), 'api');
    const entries = join(api, '.mcp.json');
    const handled = await countHands(workbench);
    await servers.chooseFromMenu('Connect a Client…', 'files');
    await workbench.quickInput.pick('Claude Code');
    // Answers in these lists count only after time to read them.
    const list = (text: string) => workbench.page.getByPlaceholder(text);
    await lookAt(list('Which servers should "Claude Code" use?'));
    await workbench.quickInput.accept();
    await lookAt(list('How should "Claude Code" learn about the servers?'));
    await workbench.quickInput.pick('Write to api/.mcp.json');
    await workbench.page.locator('.tab', { hasText: '.mcp.json' }).waitFor();
    const connected = await handled();
    t.diagnostic(`connected: ${JSON.stringify(connected)}`);
    assert.ok(connected.hands <= 5, `${connected.hands} clicks and keys`);
    const { command, args } = JSON.parse(readFileSync(entries, 'utf8')).mcpServers.files;
    const client = new Client({ name: 'claude-code', version: '2.1.330' });
    await client.connect(
      new StdioClientTransport({
        command,
        args,
        cwd: api,
        env: { HOME: join(folder, 'home'), PATH: process.env['PATH'] ?? '' },
        stderr: 'inherit',
      }),
    );
    atEnd(t, () => client.close());
    const call = client.callTool({ name: 'list_allowed_directories', arguments: {} });
    const asked = await workbench.notifications.waitFor('Allow "claude-code" to use "files"');
    assert.match(asked, /"api", "web"\? .*\/api are the client/);
    await workbench.screenshot('client-question');
    await workbench.notifications.click('Allow "claude-code"', 'In This Workspace');
    const { content } = await call;
    assert.match(JSON.stringify(content), /\/api\\n.*\/web/);
    await showsRow(servers, '  claude-code · in api: running');
    await eventually(async () =>
      assert.match(
        await servers.tooltip('claude-code · in api'),
        /^Last shared api, web at .+\nThe client used the server once$/m,
      ),
    );
    await workbench.setSideBarWidth(420);
    await workbench.screenshot('gateway', workbench.page.locator('.part.sidebar'));

    const all = await toolsOf(client);
    await servers.click('Tools');
    await showsRow(servers, new RegExp(`^ {2}Tools: ${all.length} · about [\\d,]+ tokens$`));
    const changed = new Promise<void>(resolve =>
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
    );
    await servers.toggle('read_file');
    await changed;
    assert.deepEqual(
      await toolsOf(client),
      all.filter(name => name !== 'read_file'),
    );
    await servers.chooseFromMenu('Choose Tools…', 'claude-code · in api');
    await workbench.quickInput.setChecked('write_file', false);
    await workbench.quickInput.accept();
    const isLeft = (name: string) => name !== 'read_file' && name !== 'write_file';
    await eventually(async () => assert.deepEqual(await toolsOf(client), all.filter(isLeft)));
    const count = `${all.length - 2} of ${all.length} tools`;
    await eventually(async () =>
      assert.ok((await servers.tooltip('claude-code · in api')).split('\n').includes(count)),
    );
  });
});

async function toolsOf(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}
