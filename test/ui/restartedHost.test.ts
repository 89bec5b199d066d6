import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allGone, isAlive } from '../support/processes.ts';
import { type RecordingServer, rawServer } from '../support/recordingServer.ts';
import { removeFolder } from '../vscode/workspaceFile.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { parentOf } from './support/processesOf.ts';
import { rowsOf, showsRow } from './support/rowsOf.ts';

describe('an extension host that is killed or ends in order', {
  skip: process.platform !== 'linux' && 'only there a server leaves sessions',
}, () => {
  it('leaves no stubborn process, and its clients go on with the next host', async t => {
    const server = rawServer(t);
    const stubborn = rawServer(t, {
      isStubborn: true,
      leavesGrandchild: true,
      leavesSessions: true,
    });
    const definitionOf = ({ start: { command, args } }: RecordingServer) => ({ command, args });
    const { workbench, workspace, connect } = await openWorkbench(t, {
      settings: {
        'mcpRoots.servers': { files: definitionOf(server), stubborn: definitionOf(stubborn) },
      },
    });
    const { page, notifications } = workbench;
    await workbench.openContainer('MCP Roots');
    const servers = workbench.view('Servers');
    const shows = (row: string) => showsRow(servers, `stubborn: ${row}`);
    const alive = () => [...stubborn.pids(), ...stubborn.grandchildren()].filter(isAlive);
    const areGone = () => eventually(() => assert.deepEqual(alive(), []));
    const areThere = () => eventually(() => assert.equal(alive().length, 5));

    await workbench.start('stubborn', 'Until the Window Closes');
    await shows('running');
    await areThere();
    await servers.clickAction('Stop Server', 'stubborn');
    await shows('stopping…');
    await workbench.runCommand('File: New Untitled Text File');
    await page.keyboard.type('before');
    await shows('stopped');
    await areGone();
    // The next host leaves the focus to a user who types.
    await page.keyboard.type(' and after');
    const lines = page.locator('.editor-instance .view-line');
    await eventually(async () =>
      assert.match(await lines.first().innerText(), /^before\sand\safter$/),
    );
    await servers.clickAction('Start Server', 'stubborn');
    await areThere();
    await workbench.start('files', 'In This Workspace');
    await eventually(() => assert.equal(server.count('notifications/initialized'), 1));

    const client = await connect('outside', 'files');
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
    assert.match(await hanging, /"files" broke during this call/);
    // On a busy machine, the next host may start after the call's time limit, as the call says.
    await eventually(async () => assert.deepEqual(await folders(), ['api', 'web']));
    await allGone(first);
    await areGone();
    await shows('stopped');

    // Without its first folder, the editor restarts the extension host.
    const second = server.pids().filter(pid => !first.includes(pid));
    removeFolder(workspace, 'api');
    await allGone(second);
    // The editor may restore the folder: its present folders count.
    await eventually(async () => {
      const rows = await rowsOf(servers);
      const ticked = rows.flatMap(row => /^ {2}\[x\] (\w+): exposed/.exec(row)?.[1] ?? []);
      assert.ok(ticked.includes('web'), rows.join('\n'));
      assert.deepEqual(await folders(), ticked);
    });

    await workbench.start('stubborn', 'Until the Window Closes');
    await areThere();
    await client.close();
    await workbench.close();
    await allGone(server.pids());
    await areGone();
  });
});
