import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { rawServer } from '../support/recordingServer.ts';
import { tempFolder } from '../support/temp.ts';
import { said } from '../support/texts.ts';
import { definitionOf } from './support/definitionOf.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { processesOf } from './support/processesOf.ts';
import { activityOf, showsRow } from './support/rowsOf.ts';

describe('a window where no server has seen a folder', () => {
  it('says what is missing until a server has seen a folder', async t => {
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
    await eventually(async () => assert.match(await servers.welcome(), /Restricted Mode: /));
    assert.deepEqual([processesOf(folder), silent.pids(), existsSync(counted)], [[], [], false]);

    await servers.clickWelcome('Manage Workspace Trust');
    const trust = page.locator('.workspace-trust-editor');
    await trust
      .getByRole('button', { name: /^Trust/ })
      .first()
      .click();
    await workbench.runCommand('View: Close Modal Editor');
    const says = (key: string) =>
      eventually(async () => assert.equal(said(await servers.message()), `serversView.${key}()`));
    await says('idleTexts.idle');
    assert.match(await workbench.view('Activity').welcome(), /Nothing happened yet/);
    await workbench.view('Activity').clickWelcome('Start Server');
    await quickInput.pick('silent');
    await dialog.click('Allow');
    await quickInput.pick('Until the Window Closes');
    await says('idleTexts.untold');
    await eventually(async () => assert.equal((await activityOf(workbench)).length, 2));

    await workbench.start('asking', 'Until the Window Closes');
    await eventually(async () => assert.equal(await servers.message(), ''));
    await t.test('loses no click on a row while a server asks again and again', async () => {
      const asked = () => readFileSync(counted).length;
      const before = asked();
      const clicks = 20;
      for (let click = 0; click < clicks; click++) {
        await servers.toggle('web', 'asking');
        const shown = click % 2 === 0 ? '  [ ] web: not allowed' : '  [x] web: exposed';
        await showsRow(servers, shown);
      }
      assert.ok(asked() > before + clicks, 'It went on asking meanwhile.');
    });
  });
});

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
