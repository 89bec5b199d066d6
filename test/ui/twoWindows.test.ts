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
import { rowsOf, showsRow } from './support/rowsOf.ts';
import type { Workbench } from './support/workbench.ts';

describe('two windows with the same folders', () => {
  it('share only the answers "always" on the same server', async t => {
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
      await showsRow(window.view('Servers'), 'shared: stopped');
      await showsRow(window.view('Servers'), 'own: stopped');
    }
  });
});

describe('two windows of one workspace', () => {
  it('have the same answers within seconds, even when a page crashes', async t => {
    const server = rawServer(t);
    const {
      workbench,
      server: editor,
      workspace,
    } = await openWorkbench(t, {
      settings: { 'mcpRoots.servers': { files: definitionOf(server) } },
    });
    const one = await shown(workbench);
    await one.start('files', 'In This Workspace');
    // The editor moves a tick at once; the words follow what the extension keeps.
    const answersIn = async (window: Workbench) => {
      const rows = await rowsOf(window.view('Servers'));
      const ticked = rows.flatMap(row => /^ {2}\[x\] (\w+): (?!not )/.exec(row)?.[1] ?? []);
      const refused = rows.flatMap(row => /^ {2}\[ \] (\w+): not allowed/.exec(row)?.[1] ?? []);
      return { ticked, refused };
    };
    const areTicked = async (window: Workbench, ...names: string[]) => {
      await shown(window);
      const others = ['api', 'web'].filter(name => !names.includes(name));
      await eventually(async () =>
        assert.deepEqual(await answersIn(window), { ticked: names, refused: others }),
      );
    };
    // If the editor draws a row again during a click, the command gets no row: this clicks again.
    const answer = (window: Workbench, name: string, word: 'ticked' | 'refused') =>
      eventually(async () => {
        await window.view('Servers').toggle(name, 'files');
        await eventually(
          async () => assert.ok((await answersIn(window))[word].includes(name)),
          15_000,
        );
      });
    await areTicked(one, 'api', 'web');
    const two = await workbench.openBeside(editor, workspace);
    await areTicked(two, 'api', 'web');

    await answer(two, 'api', 'refused');
    await areTicked(two, 'web');
    await areTicked(one, 'web');
    await eventually(() => assert.deepEqual(listsIn(server.bytes()).at(-1), ['web']));
    await answer(one, 'web', 'refused');
    await areTicked(one);
    await areTicked(two);
    await answer(two, 'web', 'ticked');
    await areTicked(one, 'web');

    const crashed = new Promise(resolve => two.page.on('crash', resolve));
    const session = await two.page.context().newCDPSession(two.page);
    session.send('Page.crash').catch(() => {});
    await crashed;
    await answer(one, 'web', 'refused');
    await areTicked(one);
    await answer(one, 'api', 'ticked');
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

/** Starts a server with one of the folders in the question, without the others. */
async function startWith(window: Workbench, name: string, folder: string, scope: string) {
  const { dialog, quickInput } = window;
  await window.view('Servers').clickActionUntil(dialog.box, 'Start Server', name);
  await dialog.click('Choose Folders…');
  await quickInput.setChecked(folder, true);
  await quickInput.accept();
  await quickInput.pick(scope);
  await showsRow(window.view('Servers'), new RegExp(`^${name}: .*running`));
}

/** Settings of a workspace with a server `own`. */
function settingsWith(own: RecordingServer) {
  return { 'mcpRoots.servers': { own: definitionOf(own) } };
}
