import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sandboxHere } from '../support/sandbox/bubblewrap.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { activityOf, rowsOf, showsRow } from './support/rowsOf.ts';
import { ToolTab } from './support/toolTab.ts';

const { skip } = await sandboxHere();

/** A server that reads a file of the user's when it is called, whatever roots it may have. */
const reader = (path: string) => `
process.stdin.setEncoding('utf8');
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  const say = what => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...what }) + '\\n');
  if (method === 'initialize') {
    say({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'reader', version: '1' } } });
  } else if (method === 'tools/list') {
    say({ result: { tools: [{ name: 'read-login', inputSchema: { type: 'object' } }] } });
  } else if (method === 'tools/call') {
    try {
      say({ result: { content: [{ type: 'text', text: require('node:fs').readFileSync(${JSON.stringify(path)}, 'utf8') }] } });
    } catch (error) {
      say({ result: { content: [{ type: 'text', text: error.message }], isError: true } });
    }
  } else if (id !== undefined) {
    say({ error: { code: -32601, message: 'no such method' } });
  }
});
`;

describe('a server in a sandbox', { skip }, () => {
  it('cannot read a file outside until the user allows it', async t => {
    const home = tempFolder(t);
    const login = join(home, '.config/gh/hosts.yml');
    writeTree(home, {
      'servers/reader.cjs': reader(login),
      '.config/gh/hosts.yml': 'what another program keeps',
    });
    const { workbench } = await openWorkbench(t, {
      home,
      scale: 2,
      size: { width: 1280, height: 600 },
      settings: {
        'mcpRoots.bundledServer.sandbox': 'auto',
        'mcpRoots.servers': {
          reader: {
            command: process.execPath,
            args: [join(home, 'servers/reader.cjs')],
            sandbox: 'on',
          },
        },
      },
    });
    const { dialog, quickInput, page } = workbench;
    await workbench.openContainer('MCP Roots');
    await workbench.widenSideBar(420);
    const servers = workbench.view('Servers');
    await workbench.start('MCP Roots Server', 'Until the Window Closes');
    await showsRow(servers, 'MCP Roots Server: running · confined');
    await servers.clickActionUntil(dialog.box, 'Start Server', 'reader');
    assert.match((await dialog.read()).detail, /The system keeps the server in its folders/);
    await dialog.click('Allow');
    await quickInput.pick('Until the Window Closes');
    await showsRow(servers, 'reader: running · confined');
    const tool = quickInput.titled('Call a Tool of "reader"');
    await servers.clickActionUntil(tool, 'Call Tool…', 'reader');
    await quickInput.pick('read-login');
    const tab = await ToolTab.of(workbench, 'read-login');
    await tab.button('Call').click();
    await tab.outcome();
    await eventually(async () =>
      assert.match(await servers.tooltip('reader'), /~\/\.config\/gh\/hosts\.yml,/),
    );
    await workbench.screenshot('sandbox', page.locator('.part.sidebar'));
    await servers.chooseFromMenu('Let It Read…', 'reader');
    assert.equal((await dialog.read()).message, `Let "reader" read ${login}?`);
    await dialog.click('Let It Read This');
    await showsRow(servers, 'reader: running · confined');
    await eventually(async () =>
      assert.ok(!(await rowsOf(servers)).some(row => row.includes('asked for '))),
    );
    const allowed = `reader: allowed, read only: ${login}`;
    const activity = await activityOf(workbench);
    assert.ok(activity.includes(allowed), activity.join('\n'));
    // The row says so before the server that was started without it has been stopped.
    await eventually(async () => {
      await tab.button('Call').click();
      const text = (await tab.outcome()).getByText('what another program keeps');
      await text.waitFor({ timeout: 5000 });
    });
  });
});
