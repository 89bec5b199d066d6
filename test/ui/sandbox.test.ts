import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sandboxHere } from '../support/sandbox/bubblewrap.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { rowsOf } from './support/rowsOf.ts';

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
    say({ result: { tools: [{ name: 'read-settings', inputSchema: { type: 'object' } }] } });
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

describe('a server that is kept in its folders', { skip }, () => {
  it('says so, fails to read a neighbour, and reads it once it may', async t => {
    const base = tempFolder(t);
    const settings = join(base, 'neighbour/settings.json');
    writeTree(base, {
      'server/reader.cjs': reader(settings),
      'neighbour/settings.json': 'what the neighbour keeps',
    });
    const { workbench } = await openWorkbench(t, {
      scale: 2,
      size: { width: 1280, height: 600 },
      settings: {
        'mcpRoots.servers': {
          reader: {
            command: process.execPath,
            args: [join(base, 'server/reader.cjs')],
            sandbox: 'on',
          },
        },
      },
    });
    const { dialog, quickInput, page } = workbench;
    await workbench.openContainer('MCP Roots');
    await workbench.widenSideBar(380);
    const servers = workbench.view('Servers');
    const rowOf = async () => (await rowsOf(servers)).find(row => row.startsWith('reader: ')) ?? '';
    await servers.clickActionUntil(dialog.box, 'Start Server', 'reader');
    assert.match((await dialog.read()).detail, /The system keeps it in its folders/);
    await dialog.click('Allow');
    await quickInput.pick('For This Session');
    await eventually(async () => assert.match(await rowOf(), /kept in its folders by the system/));
    const tool = quickInput.titled('Call a Tool of "reader"');
    await servers.clickActionUntil(tool, 'Call Tool…', 'reader');
    await quickInput.pick('read-settings');
    await page.locator('.tab.active', { hasText: 'read-settings-1' }).waitFor();
    await eventually(async () =>
      assert.match(await rowOf(), new RegExp(`asked for ${settings}, which it does not see`)),
    );
    await workbench.screenshot('sandbox');
    await servers.clickActionUntil(dialog.box, 'Let It Read This…', 'reader');
    assert.equal((await dialog.read()).message, `Let "reader" read ${settings}?`);
    await dialog.click('Let It Read This');
    await eventually(async () => {
      assert.match(await rowOf(), /running/);
      assert.doesNotMatch(await rowOf(), /asked for/);
    });
    await servers.clickActionUntil(tool, 'Call Tool…', 'reader');
    await quickInput.pick('read-settings');
    await page.locator('.tab.active', { hasText: 'read-settings-2' }).waitFor();
    await page.locator('.view-line', { hasText: 'what' }).first().waitFor();
  });
});
