import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { rawServer } from '../support/recordingServer.ts';
import { tempFolder } from '../support/temp.ts';
import { addFolder } from '../vscode/workspaceFile.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { rowsOf } from './support/rowsOf.ts';

const folders = Array.from({ length: 12 }, (_, index) => `folder-${index + 1}`);
const idle = Array.from({ length: 16 }, (_, index) => `idle-${index + 1}`);

describe('twenty servers and twelve folders', () => {
  it('are read at a glance in a sidebar of 180 pixels, and what needs attention is seen to', async t => {
    const [files, github] = [rawServer(t), rawServer(t)];
    const { workbench, workspace } = await openWorkbench(t, {
      folders,
      settings: {
        'mcpRoots.servers': {
          ...Object.fromEntries(idle.map(name => [name, { command: 'no-such-program' }])),
          ...{ broken: { command: 'no-such-program' } },
          ...{ files: { command: files.start.command, args: files.start.args, roots: folders } },
          ...{ github: { command: github.start.command, args: github.start.args } },
        },
      },
    });
    const { dialog, quickInput, notifications } = workbench;
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    await workbench.view('Activity').fold();
    const all = ['MCP Roots Server', ...idle, 'broken', 'files', 'github'];
    const stopped = all.map(name => `${name}: stopped`);
    await eventually(async () => assert.deepEqual(await rowsOf(servers), stopped));

    for (const name of ['broken', 'files', 'github']) {
      await servers.clickActionUntil(dialog.box, 'Start Server', name);
      await dialog.click('Allow');
      await quickInput.pick('For This Session');
      await eventually(async () =>
        assert.doesNotMatch((await rowsOf(servers)).join('\n'), /start/),
      );
    }
    await notifications.waitFor('"broken" could not be started');
    addFolder(workspace, 'more');
    await workbench.setSideBarWidth(180);
    const broken = [
      'broken: failed',
      '  "no-suc…gram" not found: Edit…',
      '  [x] 12 folders: allowed',
      '  [ ] more: not asked',
    ];
    const shown = [
      'github: waiting',
      '  [ ] more: waiting',
      '  [x] 12 folders: exposed',
      '  Tools: ',
      ...broken,
      'files: running',
      '  [x] 12 folders: exposed',
      '  [ ] more: not offered',
      '  Tools: ',
    ];
    await eventually(async () =>
      assert.deepEqual((await rowsOf(servers)).slice(0, shown.length + 1), [
        ...shown,
        'MCP Roots Server: stopped',
      ]),
    );
    const words = await servers.firstWords(1);
    assert.deepEqual(
      words.filter(
        ({ label, isMarked, isWhole }) => !isWhole && !isMarked && label !== 'MCP Roots Server',
      ),
      [],
    );
    const needy = words.filter(({ text }) => text === 'failed' || text === 'waiting');
    assert.deepEqual(
      needy.map(({ label, isInView }) => [label, isInView]),
      [
        ['github', true],
        ['broken', true],
      ],
    );
    await workbench.screenshot('many-servers-180', workbench.page.locator('.part.sidebar'));

    await workbench.clickStatusBar('MCP Roots: 1 failed, 1 waiting');
    assert.equal(await workbench.badge('MCP Roots'), 2);
    await quickInput.pick('Allow "github" to see "more"?');
    await dialog.click('Allow');
    await quickInput.pick('For This Session');
    await eventually(async () =>
      assert.ok((await rowsOf(servers)).includes('  [x] 13 folders: exposed')),
    );
    await workbench.clickStatusBar('MCP Roots: 1 failed');
    await quickInput.dismiss();

    await servers.clickTitleAction('Filter Servers…');
    await quickInput.pick('needs attention');
    await eventually(async () => assert.deepEqual(await rowsOf(servers), broken));
    assert.equal(await servers.description(), 'needs attention');
    await servers.clickTitleAction('Filter Servers…');
    await quickInput.pick('all');

    await servers.toggle('13 folders', 'github');
    const { message, detail } = await dialog.read();
    assert.equal(message, 'Revoke 13 folders, each from the server it is listed below?');
    assert.equal(detail.split('\n').length, 13);
    await dialog.click('Revoke');
    await eventually(async () =>
      assert.ok((await rowsOf(servers)).includes('github: stopped'), 'It sees no folder any more.'),
    );
  });
});

describe('a click on a row', () => {
  it('is not lost while its server asks for its roots again and again', async t => {
    const counted = join(tempFolder(t), 'asked');
    const { workbench } = await openWorkbench(t, {
      settings: {
        'mcpRoots.servers': {
          asking: { command: process.execPath, args: ['-e', asking, counted] },
        },
      },
    });
    const { dialog, quickInput } = workbench;
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    await servers.clickActionUntil(dialog.box, 'Start Server', 'asking');
    await dialog.click('Allow');
    await quickInput.pick('For This Session');
    await eventually(async () => assert.ok((await rowsOf(servers)).includes('  [x] web: exposed')));
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
