import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import * as vscode from 'vscode';
import { set, unsetAfterEachTest } from '../support/changedSettings.ts';
import { addFolders, pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder } from '../support/recorder.ts';
import { replacing } from '../support/replacing.ts';
import {
  becomes,
  folderDetails,
  folderRow,
  folderState,
  serverNamed,
  startTold,
} from '../support/shownRows.ts';

describe('the folders that servers see', () => {
  const person = personForEachTest();
  unsetAfterEachTest('excludeFolders', 'extraFolders', 'neverExpose');
  const replace = replacing();

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  it('leave out a folder of neverExpose that was allowed before', async () => {
    const own = await new Recorder('forbidden').define();
    const server = await startTold(person(), own, 'api', 'web');
    await set('neverExpose', [pathBeside('web')]);
    await own.until(({ answers }) => answers.length >= 2);
    assert.equal(folderState(server, 'web'), 'never');
    assert.deepEqual(folderDetails(server, 'web'), [
      'never exposed, because the list mcpRoots.neverExpose has the folder',
    ]);
    await set('neverExpose', undefined);
    await own.until(({ answers }) => answers.length >= 3);
    assert.deepEqual(own.answers, [['api', 'web'], ['api'], ['api', 'web']]);
  });

  it('need a second yes for a folder that contains a forbidden one', async () => {
    mkdirSync(pathBeside('api/private'), { recursive: true });
    await set('neverExpose', [pathBeside('api/private')]);
    const own = await new Recorder('holding').define();
    person().will(own.name, 'Choose Folders…', ['api'], 'Until the Window Closes');
    await run('startServer');
    const second = /api" contains folders .* Share it with "holding"/;
    const { detail } = await person().sees(second);
    assert.ok(detail.includes(`• ${pathBeside('api/private')}`), detail);
    const server = await serverNamed(own.name);
    assert.equal(folderState(server, 'api'), 'not asked');
    assert.match(
      String(folderDetails(server, 'api').at(-1)),
      /^The folder contains paths on your never-expose list/,
    );
    assert.deepEqual([own.pids, server.access.roots], [[], []]);
    person().will(own.name, 'Allow', 'Until the Window Closes', 'Share Anyway');
    await run('startServer');
    await own.until(({ answers }) => answers.length >= 1);
    assert.deepEqual(own.answers, [['api']]);
  });

  it('keep a folder that the definition of the server offers', async () => {
    mkdirSync(pathBeside('named'), { recursive: true });
    await new Recorder('naming').define({ roots: [pathBeside('named')] });
    const server = await serverNamed('naming');
    await becomes(server, ({ access }) => access.folders.length === 3);
    const row = folderRow(server, 'named');
    await vscode.commands.executeCommand('mcpRoots.withdrawFolder', row, [row]);
    await person().sees(/^The definition of "naming" /);
  });

  it('exclude an offered folder that the rules forbid', async () => {
    const names = ['secret', 'built'];
    for (const name of names) {
      mkdirSync(pathBeside(name), { recursive: true });
    }
    await set('neverExpose', [pathBeside('secret')]);
    await set('excludeFolders', ['**/built']);
    const picked = names.map(name => vscode.Uri.file(pathBeside(name)));
    replace(vscode.window, { showOpenDialog: async () => picked });
    const own = await new Recorder('tempted').define();
    const server = await startTold(person(), own, 'api', 'web');
    person().will(own.name, '$(folder-opened) Browse…');
    await run('offerFolder');
    const { text } = await person().sees(/^You offered folders to "tempted"/);
    assert.match(
      text,
      / "secret": .*mcpRoots\.neverExpose.* "built": .*mcpRoots\.excludeFolders\./,
    );
    const shown = server.access.folders.map(({ folder }) => folder.name);
    assert.deepEqual(
      shown.filter(name => names.includes(name)),
      [],
    );
    assert.deepEqual(own.answers, [['api', 'web']]);
  });

  it('need one second yes for a very wide folder', async () => {
    const own = await new Recorder('widening').define();
    const server = await startTold(person(), own, 'api', 'web');
    person().will('Allow', 'Until the Window Closes');
    await set('extraFolders', [process.platform === 'win32' ? 'C:\\Program Files' : '/usr']);
    const added = await person().sees(/^Allow "widening" to see the added /);
    assert.match(added.text, /until you answer\. .*: very wide\.$/);
    await person().sees(/ is very wide\. Share it with "widening" /);
    assert.deepEqual([server.access.roots.length, server.access.waiting.length], [2, 1]);
    const wide = server.access.waiting[0]?.name ?? '';
    person().will(own.name, ['api', 'web', wide], 'Until the Window Closes', 'Share Anyway');
    await run('reviewAccess');
    await own.until(({ answers }) => answers.length >= 2);
    assert.deepEqual(own.answers[1], ['api', 'web', wide]);
    const shown = person().seen.length;
    await run('restartServer');
    await own.until(({ answers }) => answers.length >= 3);
    person().will(own.name, ['api', wide], 'Until the Window Closes');
    await run('reviewAccess');
    await own.until(({ answers }) => answers.length >= 4);
    assert.deepEqual(own.answers[3], ['api', wide]);
    const later = person().seen.slice(shown);
    assert.ok(!later.some(({ text }) => / is very wide/.test(text)));
  });

  it('leave out a folder that replaced another until the user allows it', async () => {
    await addFolders('docs');
    const own = await new Recorder('replaced').define();
    const server = await startTold(person(), own, 'api', 'docs');
    renameSync(pathBeside('docs'), pathBeside('docs-of-before'));
    mkdirSync(pathBeside('docs'));
    const question = /^Allow "replaced" .* what replaced "docs"/;
    const answer = person().waitsWith(question);
    await own.until(({ answers }) => answers.length >= 2);
    await person().sees(question);
    person().will('Until the Window Closes');
    answer('Allow');
    await own.until(({ answers }) => answers.length >= 3);
    assert.deepEqual(own.answers, [['api', 'docs'], ['api'], ['api', 'docs']]);
    await becomes(server, ({ access }) => access.waiting.length === 0);
  });

  it('leave out a folder that was swapped for a link, from the next answer on', async () => {
    await addFolders('docs');
    mkdirSync(pathBeside('elsewhere'));
    const own = await new Recorder('swapped').define();
    const server = await startTold(person(), own, 'api', 'docs');
    renameSync(pathBeside('docs'), pathBeside('docs-kept'));
    symlinkSync(pathBeside('elsewhere'), pathBeside('docs'));
    // Asked in this very moment, long before anybody would look by the clock.
    const { content } = await server.requests.callTool({ name: 'ask', arguments: {} });
    const told = content.map(part => (part.type === 'text' ? JSON.parse(part.text) : part));
    assert.deepEqual(told, [[{ uri: vscode.Uri.file(pathBeside('api')).toString(), name: 'api' }]]);
    rmSync(pathBeside('docs'));
    renameSync(pathBeside('docs-kept'), pathBeside('docs'));
    await becomes(server, ({ access }) => access.roots.length === 2);
  });
});
