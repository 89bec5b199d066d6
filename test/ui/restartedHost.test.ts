import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connectMain } from '../support/fakeGateway.ts';
import { allGone, atEnd, isAlive } from '../support/processes.ts';
import { type RecordingServer, rawServer } from '../support/recordingServer.ts';
import { removeFolder } from '../vscode/workspaceFile.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { parentOf } from './support/processesOf.ts';
import { rowsOf } from './support/rowsOf.ts';

describe('an extension host that is killed or ends in order', {
  skip: process.platform !== 'linux' && 'only there a server leaves sessions',
}, () => {
  it('leaves nothing of a server that does not want to end, and a client outside goes on with the next one', async t => {
    const server = rawServer(t);
    const stubborn = rawServer(t, {
      isStubborn: true,
      leavesGrandchild: true,
      leavesSessions: true,
      printsRubbish: true,
    });
    const definitionOf = ({ start: { command, args } }: RecordingServer) => ({ command, args });
    const { workbench, folder, workspace } = await openWorkbench(t, {
      settings: {
        'mcpRoots.servers': { files: definitionOf(server), stubborn: definitionOf(stubborn) },
      },
    });
    const { page, dialog, quickInput, notifications } = workbench;
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    const shows = (row: string) =>
      eventually(async () => assert.ok((await rowsOf(servers)).includes(`stubborn: ${row}`)));
    const alive = () => [...stubborn.pids(), ...stubborn.grandchildren()].filter(isAlive);
    const areGone = () => eventually(() => assert.deepEqual(alive(), []));
    const areThere = () => eventually(() => assert.equal(alive().length, 5));
    const start = async (name: string, scope: string) => {
      await servers.clickActionUntil(dialog.box, 'Start Server', name);
      await dialog.click('Allow');
      await quickInput.pick(scope);
    };

    await start('stubborn', 'Until the Window Closes');
    await shows('running');
    await areThere();
    await servers.clickAction('Stop Server', 'stubborn');
    await shows('stopping…');
    await workbench.runCommand('File: New Untitled Text File');
    await page.keyboard.type('before');
    await shows('stopped');
    await areGone();
    // It takes the keyboard from nobody who writes meanwhile.
    await page.keyboard.type(' and after');
    const lines = page.locator('.editor-instance .view-line');
    await eventually(async () =>
      assert.match(await lines.first().innerText(), /^before\sand\safter$/),
    );
    await servers.clickAction('Start Server', 'stubborn');
    await areThere();
    await start('files', 'In This Workspace');
    await eventually(() => assert.equal(server.count('notifications/initialized'), 1));

    const client = new Client(
      { name: 'outside', version: '1' },
      { versionNegotiation: { mode: 'legacy' } },
    );
    const home = join(folder, 'home');
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [connectMain, '--server', 'files'],
      cwd: join(dirname(workspace), 'web'),
      env: { HOME: home, USERPROFILE: home },
    });
    await client.connect(transport);
    atEnd(t, () => client.close());
    const call = async (name: string) => {
      const { content } = await client.callTool({ name });
      return (content as { readonly text: string }[])[0]?.text ?? '';
    };
    const folders = async () =>
      JSON.parse(await call('ask')).map((root: { readonly name: string }) => root.name);

    const asked = folders();
    await notifications.click('Allow "outside" to use "files"', 'In This Workspace');
    assert.deepEqual(await asked, ['api', 'web']);

    const first = server.pids();
    const hanging = call('hang').catch(String);
    await eventually(() => assert.match(server.bytes(), /"hang"/));
    await workbench.killHost(parentOf(first[0]));
    assert.match(await hanging, /The server "files" went away during this call\. Whether/);
    // On a busy machine the next host may take longer than a call waits, which is then told so.
    await eventually(async () => assert.deepEqual(await folders(), ['api', 'web']));
    await allGone(first);
    await areGone();
    await shows('stopped');

    // Without its first folder the editor starts the extension host anew.
    const second = server.pids().filter(pid => !first.includes(pid));
    removeFolder(workspace, 'api');
    await allGone(second);
    // Not always does the editor keep the folder away: whatever it has then is what counts.
    await eventually(async () => {
      const rows = await rowsOf(servers);
      const ticked = rows.flatMap(row => /^ {2}\[x\] (\w+): exposed/.exec(row)?.[1] ?? []);
      assert.ok(ticked.includes('web'), rows.join('\n'));
      assert.deepEqual(await folders(), ticked);
    });

    await start('stubborn', 'Until the Window Closes');
    await areThere();
    await client.close();
    await workbench.close();
    await allGone(server.pids());
    await areGone();
  });
});
