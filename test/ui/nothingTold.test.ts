import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { rawServer } from '../support/recordingServer.ts';
import { tempFolder } from '../support/temp.ts';
import { definitionOf } from './support/definitionOf.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { processesOf } from './support/processesOf.ts';
import { activityOf, rowsOf } from './support/rowsOf.ts';
import type { Workbench } from './support/workbench.ts';

describe('a window in which no server was told of a folder', () => {
  it('says what is missing, in Restricted Mode and out of it, until one was', async t => {
    const counted = join(tempFolder(t), 'asked');
    const silent = rawServer(t, { asks: 'never' });
    const { workbench, folder } = await openWorkbench(t, {
      asksForTrust: true,
      settings: {
        'mcpRoots.servers': {
          silent: definitionOf(silent),
          asking: { command: process.execPath, args: ['-e', asking, counted] },
        },
      },
    });
    const { dialog, quickInput, page } = workbench;
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    await eventually(async () =>
      assert.match(
        await servers.welcome(),
        /Restricted Mode: no server starts, and no folder is exposed/,
      ),
    );
    await offersNoStart(workbench);
    assert.deepEqual([processesOf(folder), silent.pids(), existsSync(counted)], [[], [], false]);

    await servers.clickWelcome('Manage Workspace Trust');
    const trust = page.locator('.workspace-trust-editor');
    await trust
      .getByRole('button', { name: /^Trust/ })
      .first()
      .click();
    await workbench.runCommand('View: Close Modal Editor');
    await eventually(async () =>
      assert.equal(
        await servers.message(),
        'No server is running. You are asked before a server sees a folder.',
      ),
    );
    assert.match(await workbench.view('Activity').welcome(), /Nothing happened yet/);
    await workbench.view('Activity').clickWelcome('Start Server');
    await quickInput.pick('silent');
    await dialog.click('Allow');
    await quickInput.pick('Until the Window Closes');
    await eventually(async () =>
      assert.equal(
        await servers.message(),
        'No running server was told of a folder yet: they ask when they need them.',
      ),
    );
    await eventually(async () => assert.equal((await activityOf(workbench)).length, 2));

    await servers.clickActionUntil(dialog.box, 'Start Server', 'asking');
    await dialog.click('Allow');
    await quickInput.pick('Until the Window Closes');
    await eventually(async () => assert.equal(await servers.message(), ''));
    await t.test('while one asks again and again, no click on a row is lost', async () => {
      const asked = () => readFileSync(counted).length;
      const before = asked();
      const clicks = 20;
      for (let click = 0; click < clicks; click++) {
        await servers.toggle('web', 'asking');
        const shown = click % 2 === 0 ? '  [ ] web: not allowed' : '  [x] web: exposed';
        await eventually(async () => assert.ok((await rowsOf(servers)).includes(shown)));
      }
      assert.ok(asked() > before + clicks, 'It went on asking meanwhile.');
    });
  });
});

/** A start that can't work is neither in a welcome text nor in the palette. */
async function offersNoStart(workbench: Workbench): Promise<void> {
  const activity = await workbench.view('Activity').welcome();
  assert.match(activity, /Nothing happened yet/);
  for (const text of [activity, await workbench.view('Servers').welcome()]) {
    assert.doesNotMatch(text, /Start Server/);
  }
  await workbench.page.keyboard.press('F1');
  await workbench.quickInput.type('>MCP Roots: St');
  const commands = await eventually(async () => {
    const labels = (await workbench.quickInput.items()).map(({ label }) => label);
    assert.ok(labels.includes('MCP Roots: Stop Server'), labels.join());
    return labels;
  });
  assert.ok(!commands.includes('MCP Roots: Start Server'), commands.join());
  await workbench.quickInput.dismiss();
}

/** A server that asks for its roots ten times a second. */
const asking = `
const say = what => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...what }) + '\\n');
const { appendFileSync } = require('node:fs');
let asked = 0;
const ask = () => {
  appendFileSync(process.argv[1], '.');
  say({ id: 'roots-' + ++asked, method: 'roots/list' });
};
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'asking', version: '1' } } });
  } else if (method === 'notifications/initialized') {
    setInterval(ask, 100);
  } else if (method !== undefined && id !== undefined) {
    say({ id, error: { code: -32601, message: 'no such method' } });
  }
}).on('close', () => process.exit());
`;
