import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { allGone, isAlive } from '../support/processes.ts';
import { listsIn, rawServer } from '../support/recordingServer.ts';
import { writeWorkspace } from '../vscode/workspaceFile.ts';
import { definitionOf } from './support/definitionOf.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench, type TestEditor } from './support/openWorkbench.ts';
import { rowsOf } from './support/rowsOf.ts';
import type { Workbench } from './support/workbench.ts';

describe('a window without its page', () => {
  it('ends revoked sessions and lets no client in until the page is back', async t => {
    const server = rawServer(t);
    const editor = await openWorkbench(t, {
      folders: ['api'],
      settings: { 'mcpRoots.servers': { files: definitionOf(server) } },
    });
    const [crashing, sleeping] = [editor.workbench, await besides(editor, 'web')];
    // A window that opens while the page of another is paused may not get its commands.
    const revoking = await besides(editor, 'docs');
    for (const window of [crashing, sleeping]) {
      await window.page.bringToFront();
      await window.openContainer('MCP Roots');
      await window.start('files', 'In This Workspace');
    }
    await eventually(() => assert.equal(listsIn(server.bytes()).length, 2));
    const client = await editor.connect('outside', 'files', 'api');
    await crashing.page.bringToFront();
    const first = callOf(client);
    await crashing.notifications.click('Allow "outside" to use "files"', 'In This Workspace');
    assert.match(await first, /api/);
    // The window's own process for the client, which described the server, ends.
    const pids = await eventually(() => {
      const alive = server.pids().filter(isAlive);
      assert.equal(alive.length, 3);
      return alive;
    });
    const told = listsIn(server.bytes());

    const devTools = await sleeping.page.context().newCDPSession(sleeping.page);
    await devTools.send('Debugger.enable');
    await devTools.send('Debugger.pause');
    await crash(crashing);
    await revoking.page.bringToFront();
    await revoking.runCommand('MCP Roots: Revoke All Access…');
    await revoking.dialog.click('Revoke');

    await allGone(pids);
    const calls = server.count('tools/call');
    // Within 5 s of the crash, the page is not missed yet, and the call waits for an answer.
    assert.match(await callOf(client), /"files\W+ (does not answer|needs your answer)/);
    assert.equal(server.count('tools/call'), calls);
    assert.deepEqual(listsIn(server.bytes()), told);
    const windows = join(editor.folder, 'home', '.mcp-roots', 'windows');
    const files = () => readdirSync(windows).filter(name => name.endsWith('.json'));
    await eventually(() => assert.equal(files().length, 1));
    await assert.rejects(
      editor.connect('outside', 'files', 'api'),
      /No open editor window contains /,
    );

    await devTools.send('Debugger.resume');
    await devTools.send('Debugger.disable');
    await eventually(() => assert.equal(files().length, 2));
    await sleeping.page.bringToFront();
    await eventually(async () => {
      assert.deepEqual((await rowsOf(sleeping.view('Servers'))).slice(2), [
        'files: stopped',
        '  may see no folder: Review Access…',
        '  [ ] web: not asked',
      ]);
    });
  });
});

/** Another window of the same editor, with a different folder. */
async function besides({ workbench, server, workspace }: TestEditor, name: string) {
  mkdirSync(join(dirname(workspace), name));
  const file = join(dirname(workspace), `${name}.code-workspace`);
  writeWorkspace(file, { folders: [{ path: name }] });
  return workbench.openBeside(server, file);
}

/** Ends the page like a crash of the browser: without notice, while its extension host goes on. */
async function crash({ page }: Workbench): Promise<void> {
  const crashed = page.waitForEvent('crash');
  const devTools = await page.context().newCDPSession(page);
  devTools.send('Page.crash').catch(() => {});
  await crashed;
  // A crashed page can't be asked to leave at the end of the test.
  await page.close();
}

/** The roots that the server got in a call, or the reason for none. */
async function callOf(client: Client): Promise<string> {
  return client.callTool({ name: 'ask' }).then(JSON.stringify, String);
}
