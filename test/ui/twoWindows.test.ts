import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { allGone } from '../support/processes.ts';
import { listsIn, type RecordingServer, rawServer } from '../support/recordingServer.ts';
import { writeWorkspace } from '../vscode/workspaceFile.ts';
import { definitionOf } from './support/definitionOf.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { rowsOf } from './support/rowsOf.ts';
import type { Workbench } from './support/workbench.ts';

describe('two windows with the same folders', () => {
  it('share what is answered for always and for the same server, and nothing else', async t => {
    const shared = rawServer(t);
    // One name in both windows, but not the same server.
    const own = { one: rawServer(t), two: rawServer(t) };
    const { workbench, server, workspace } = await openWorkbench(t, {
      settings: { 'mcpRoots.servers': { shared: definitionOf(shared) } },
      workspaceSettings: settingsWith(own.one),
    });
    const otherWorkspace = join(dirname(workspace), 'other.code-workspace');
    const withFolders = (...paths: string[]) => ({ folders: paths.map(path => ({ path })) });
    writeWorkspace(otherWorkspace, {
      ...withFolders('api', 'web'),
      settings: settingsWith(own.two),
    });
    const one = await shown(workbench);
    await startWith(one, 'shared', 'api', 'Until the Window Closes');
    await startWith(one, 'own', 'api', 'In This Workspace');
    const [first] = shared.pids() as [number];

    const two = await shown(await workbench.openBeside(server, otherWorkspace));
    await two.view('Servers').clickActionUntil(two.dialog.box, 'Start Server', 'shared');
    assert.equal((await two.dialog.read()).message, 'Allow "shared" to see "api", "web"?');
    assert.deepEqual(shared.pids(), [first]);
    await two.dialog.click('Allow');
    await two.quickInput.pick('In This Workspace');
    await eventually(() => assert.equal(shared.pids().length, 2));
    const second = shared.pids().find(pid => pid !== first)!;
    await startWith(two, 'own', 'web', 'Until the Window Closes');
    const told = () => ({
      shared: [listsIn(shared.bytesOf(first)), listsIn(shared.bytesOf(second))],
      own: [listsIn(own.one.bytes()), listsIn(own.two.bytes())],
    });
    const before = { shared: [[['api']], [['api', 'web']]], own: [[['api']], [['web']]] };
    await eventually(() => assert.deepEqual(told(), before));

    await shown(one);
    mkdirSync(join(dirname(workspace), 'docs'));
    const withDocs = withFolders('api', 'web', 'docs');
    writeWorkspace(workspace, { ...withDocs, settings: settingsWith(own.one) });
    writeWorkspace(otherWorkspace, { ...withDocs, settings: settingsWith(own.two) });
    await one.notifications.click('Who may see the added "docs"', 'Choose…');
    await one.quickInput.setChecked('shared', true);
    await one.quickInput.setChecked('own', true);
    await one.quickInput.accept();
    await one.quickInput.pick('Always');
    await eventually(() =>
      assert.deepEqual(told(), {
        shared: [
          [['api'], ['api', 'docs']],
          [
            ['api', 'web'],
            ['api', 'web', 'docs'],
          ],
        ],
        own: [[['api'], ['api', 'docs']], [['web']]],
      }),
    );
    assert.doesNotMatch(shared.bytesOf(first), /\/web/);
    assert.doesNotMatch(own.one.bytes(), /\/web/);
    assert.doesNotMatch(own.two.bytes(), /\/(?:api|docs)/);

    await one.runCommand('MCP Roots: Revoke All Access…');
    await one.dialog.click('Revoke');
    await allGone([shared, own.one, own.two].flatMap(({ pids }) => pids()));
    for (const window of [one, two]) {
      await shown(window);
      await eventually(async () => {
        const rows = await rowsOf(window.view('Servers'));
        for (const name of ['shared', 'own']) {
          assert.ok(rows.includes(`${name}: stopped`), rows.join('\n'));
        }
      });
    }
  });
});

describe('two windows of one workspace', () => {
  it('have the same answers within seconds, whatever is answered in the other, and when a page crashes', async t => {
    const server = rawServer(t);
    const {
      workbench,
      server: editor,
      workspace,
    } = await openWorkbench(t, {
      settings: { 'mcpRoots.servers': { files: definitionOf(server) } },
    });
    const one = await shown(workbench);
    await one.view('Servers').clickActionUntil(one.dialog.box, 'Start Server', 'files');
    await one.dialog.click('Allow');
    await one.quickInput.pick('In This Workspace');
    const areTicked = async (window: Workbench, ...names: string[]) => {
      await shown(window);
      await eventually(async () => {
        const rows = await rowsOf(window.view('Servers'));
        // The editor moves a tick at once; the words follow what the extension keeps.
        const ticked = rows.flatMap(row => /^ {2}\[x\] (\w+): (?!not )/.exec(row)?.[1] ?? []);
        const refused = rows.flatMap(row => /^ {2}\[ \] (\w+): not allowed/.exec(row)?.[1] ?? []);
        const others = ['api', 'web'].filter(name => !names.includes(name));
        assert.deepEqual({ ticked, refused }, { ticked: names, refused: others }, rows.join('\n'));
      });
    };
    await areTicked(one, 'api', 'web');
    const two = await workbench.openBeside(editor, workspace);
    await areTicked(two, 'api', 'web');

    await two.view('Servers').toggle('api', 'files');
    await areTicked(two, 'web');
    await areTicked(one, 'web');
    await eventually(() => assert.deepEqual(listsIn(server.bytes()).at(-1), ['web']));
    await one.view('Servers').toggle('web', 'files');
    await areTicked(one);
    await areTicked(two);
    await two.view('Servers').toggle('web', 'files');
    await areTicked(one, 'web');

    const crashed = new Promise(resolve => two.page.on('crash', resolve));
    const session = await two.page.context().newCDPSession(two.page);
    session.send('Page.crash').catch(() => {});
    await crashed;
    await one.view('Servers').toggle('web', 'files');
    await areTicked(one);
    await one.view('Servers').toggle('api', 'files');
    await areTicked(one, 'api');
    // Before the reload: the editor writes an answer to disk some 200 ms after the row shows it.
    await areTicked(await workbench.openBeside(editor, workspace), 'api');
    await one.reload();
    await areTicked(one, 'api');
  });
});

/** Brings a window to the front, with its servers in sight. */
async function shown(window: Workbench): Promise<Workbench> {
  await window.page.bringToFront();
  await window.openContainer('MCP Roots');
  return window;
}

/** Starts a server with one folder of those it is asked about, and without the others. */
async function startWith(window: Workbench, name: string, folder: string, scope: string) {
  const { dialog, quickInput } = window;
  await window.view('Servers').clickActionUntil(dialog.box, 'Start Server', name);
  await dialog.click('Choose Folders…');
  await quickInput.setChecked(folder, true);
  await quickInput.accept();
  await quickInput.pick(scope);
  await eventually(async () => {
    const rows = await rowsOf(window.view('Servers'));
    assert.match(rows.find(row => row.startsWith(`${name}:`)) ?? '', /running/);
  });
}

/** Settings of a workspace with a server `own`. */
function settingsWith(own: RecordingServer) {
  return { 'mcpRoots.servers': { own: definitionOf(own) } };
}
