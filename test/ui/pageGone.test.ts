import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connectMain } from '../support/fakeGateway.ts';
import { allGone, atEnd, isAlive } from '../support/processes.ts';
import { listsIn, rawServer } from '../support/recordingServer.ts';
import { writeWorkspace } from '../vscode/workspaceFile.ts';
import { definitionOf } from './support/definitionOf.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench, type TestEditor } from './support/openWorkbench.ts';
import { rowsOf } from './support/rowsOf.ts';
import type { Workbench } from './support/workbench.ts';

describe('a window without its page', () => {
  it('ends what was revoked elsewhere, lets nobody in, and can be found again when it is back', async t => {
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
      await window.view('Servers').clickActionUntil(window.dialog.box, 'Start Server', 'files');
      await window.dialog.click('Allow');
      await window.quickInput.pick('In This Workspace');
    }
    await eventually(() => assert.equal(listsIn(server.bytes()).length, 2));
    const client = await clientIn(t, editor, 'api');
    await crashing.page.bringToFront();
    const first = callOf(client);
    await crashing.notifications.click('Allow "outside" to use "files"', 'In This Workspace');
    assert.match(await first, /api/);
    // The process in which the window asked the server what it is, for the client, ends.
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
    // Within 5 s of the crash the page is not yet missed, and the client is told the answer.
    const refusal = /The window of "files" does not answer\.|"files" waits for an answer:/;
    assert.match(await callOf(client), refusal);
    assert.equal(server.count('tools/call'), calls);
    assert.deepEqual(listsIn(server.bytes()), told);
    const windows = join(editor.folder, 'home', '.mcp-roots', 'windows');
    const files = () => readdirSync(windows).filter(name => name.endsWith('.json'));
    await eventually(() => assert.equal(files().length, 1));
    await assert.rejects(
      clientIn(t, editor, 'api'),
      /No editor window has a folder open that holds/,
    );

    await devTools.send('Debugger.resume');
    await devTools.send('Debugger.disable');
    await eventually(() => assert.equal(files().length, 2));
    await sleeping.page.bringToFront();
    await eventually(async () => {
      assert.deepEqual((await rowsOf(sleeping.view('Servers'))).slice(2), [
        'files: stopped',
        '  no folder is left: Review Access…',
        '  [ ] web: not asked',
      ]);
    });
  });
});

/** Another window of the same editor, with one folder of its own. */
async function besides({ workbench, server, workspace }: TestEditor, name: string) {
  mkdirSync(join(dirname(workspace), name));
  const file = join(dirname(workspace), `${name}.code-workspace`);
  writeWorkspace(file, { folders: [{ path: name }] });
  return workbench.openBeside(server, file);
}

/** Ends the page as a crash of the browser does: nobody is told, and its extension host goes on. */
async function crash({ page }: Workbench): Promise<void> {
  const crashed = page.waitForEvent('crash');
  const devTools = await page.context().newCDPSession(page);
  devTools.send('Page.crash').catch(() => {});
  await crashed;
  // What crashed can't be asked to leave at the end of the test.
  await page.close();
}

async function clientIn(t: TestContext, { folder, workspace }: TestEditor, name: string) {
  const home = join(folder, 'home');
  const client = new Client(
    { name: 'outside', version: '1' },
    {
      versionNegotiation: { mode: 'legacy' },
    },
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [connectMain, '--server', 'files'],
    cwd: join(dirname(workspace), name),
    env: { HOME: home, USERPROFILE: home },
  });
  atEnd(t, () => client.close());
  await client.connect(transport);
  return client;
}

/** The roots that the server was told in a call, or why there was none. */
async function callOf(client: Client): Promise<string> {
  return client.callTool({ name: 'ask' }).then(JSON.stringify, String);
}
