import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import * as vscode from 'vscode';
import { set, unsetAfterEachTest } from '../support/changedSettings.ts';
import { addFolders, pathBeside } from '../support/folders.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import {
  becomes,
  folderDetails,
  folderRow,
  folderState,
  serverNamed,
  startTold,
} from '../support/shownRows.ts';

describe('what servers are told of', () => {
  const person = personForEachTest();
  unsetAfterEachTest('excludeFolders', 'extraFolders', 'neverExpose');
  const { showOpenDialog } = vscode.window;
  afterEach(() => {
    Object.assign(vscode.window, { showOpenDialog });
  });

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  it('holds nothing that must never be exposed, whatever was allowed before', async () => {
    const own = new OwnServer('forbidden');
    await own.defineAs();
    const server = await startTold(person(), own, 'api', 'web');
    await set('neverExpose', [pathBeside('web')]);
    await own.until(({ answers }) => answers.length >= 2);
    assert.equal(folderState(server, 'web'), 'never');
    assert.deepEqual(folderDetails(server, 'web'), [
      'never exposed: mcpRoots.neverExpose forbids it',
    ]);
    await set('neverExpose', undefined);
    await own.until(({ answers }) => answers.length >= 3);
    assert.deepEqual(own.answers, [['api', 'web'], ['api'], ['api', 'web']]);
  });

  it('holds a folder with such a one in it after a second yes only', async () => {
    mkdirSync(pathBeside('api/private'), { recursive: true });
    await set('neverExpose', [pathBeside('api/private')]);
    const own = new OwnServer('holding');
    await own.defineAs();
    person().will(own.name, 'Choose Folders…', ['api'], 'Until the Window Closes');
    await run('startServer');
    const second = /api" holds folders that are never exposed by themselves\. Allow "holding"/;
    const { detail } = await person().sees(second);
    assert.ok(detail.includes(`• ${pathBeside('api/private')}`), detail);
    const server = await serverNamed(own.name);
    assert.equal(folderState(server, 'api'), 'not asked');
    assert.match(String(folderDetails(server, 'api').at(-1)), /^It holds what must never be /);
    assert.deepEqual([own.pids, server.access.roots], [[], []]);
    person().will(own.name, 'Allow', 'Until the Window Closes', 'Allow All the Same');
    await run('startServer');
    await own.until(({ answers }) => answers.length >= 1);
    assert.deepEqual(own.answers, [['api']]);
  });

  it('holds nothing of an allowed folder in which such a one appears, until it is allowed again', async () => {
    const own = new OwnServer('appearing');
    await own.defineAs();
    const server = await startTold(person(), own, 'api', 'web');
    mkdirSync(pathBeside('web/private'), { recursive: true });
    await set('neverExpose', [pathBeside('web/private')]);
    await own.until(({ answers }) => answers.length >= 2);
    assert.deepEqual(own.answers, [['api', 'web'], ['api']]);
    assert.match(folderState(server, 'web'), /^waiting/);
    assert.match(folderDetails(server, 'web').join('\n'), /^It holds what must never be /m);
  });

  it('holds no folder that is excluded while the server runs', async () => {
    const own = new OwnServer('excluded');
    await own.defineAs();
    const server = await startTold(person(), own, 'api', 'web');
    await set('excludeFolders', ['**/we?']);
    await own.until(({ answers }) => answers.length >= 2);
    assert.deepEqual(own.answers, [['api', 'web'], ['api']]);
    assert.equal(folderState(server, 'web'), 'left out');
  });

  it('is asked about only as far as the definition offers it', async () => {
    const own = new OwnServer('offered');
    await own.defineAs({ roots: ['web'] });
    person().will(own.name, 'Allow', 'Until the Window Closes');
    await run('startServer');
    await person().sees(/^Allow "offered" to see "web"\?$/);
    await own.until(({ answers }) => answers.length >= 1);
    assert.deepEqual(own.answers, [['web']]);
    assert.equal(folderState(await serverNamed(own.name), 'api'), 'not offered');
  });

  it('is not taken back from a server whose definition offers it', async () => {
    mkdirSync(pathBeside('named'), { recursive: true });
    await new OwnServer('naming').defineAs({ roots: [pathBeside('named')] });
    const server = await serverNamed('naming');
    await becomes(server, ({ access }) => access.folders.length === 3);
    const row = folderRow(server, 'named');
    await vscode.commands.executeCommand('mcpRoots.withdrawFolder', row, [row]);
    await person().sees(/^The definition of "naming" offers it this folder\. Change it there\.$/);
  });

  it('holds nothing that can never be exposed, however it is offered, and no offer of it is kept', async () => {
    const names = ['secret', 'built'];
    for (const name of names) {
      mkdirSync(pathBeside(name), { recursive: true });
    }
    await set('neverExpose', [pathBeside('secret')]);
    await set('excludeFolders', ['**/built']);
    const picked = names.map(name => vscode.Uri.file(pathBeside(name)));
    Object.assign(vscode.window, { showOpenDialog: async () => picked });
    const own = new OwnServer('tempted');
    await own.defineAs();
    const server = await startTold(person(), own, 'api', 'web');
    person().will(own.name, '$(folder-opened) Browse…');
    await run('offerFolder');
    const { text } = await person().sees(/^Of what you offered to "tempted"/);
    assert.equal(
      text,
      'Of what you offered to "tempted", nothing is asked about these. ' +
        '"secret": never exposed: mcpRoots.neverExpose forbids it. ' +
        '"built": left out by mcpRoots.excludeFolders.',
    );
    const shown = server.access.folders.map(({ folder }) => folder.name);
    assert.deepEqual(
      shown.filter(name => names.includes(name)),
      [],
    );
    assert.deepEqual(own.answers, [['api', 'web']]);
  });

  it('holds a very wide folder after a second yes, which is asked for only once', async () => {
    const own = new OwnServer('widening');
    await own.defineAs();
    const server = await startTold(person(), own, 'api', 'web');
    person().will('Allow', 'Until the Window Closes');
    await set('extraFolders', [process.platform === 'win32' ? 'C:\\Program Files' : '/usr']);
    const added = await person().sees(/^Allow "widening" to see the added /);
    assert.match(added.text, /until you answer\. .*: very wide\.$/);
    const second = await person().sees(
      / is very wide\. Allow "widening" to see it all the same\?$/,
    );
    assert.equal(second.detail, 'It may then work in everything below it.');
    assert.deepEqual([server.access.roots.length, server.access.waiting.length], [2, 1]);
    const wide = server.access.waiting[0]?.name ?? '';
    person().will(own.name, ['api', 'web', wide], 'Until the Window Closes', 'Allow All the Same');
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
    assert.ok(!later.some(({ text }) => / is very wide\./.test(text)));
  });

  it('holds no folder that took the place of another, until that is allowed', async () => {
    await addFolders('docs');
    const own = new OwnServer('replaced');
    await own.defineAs();
    const server = await startTold(person(), own, 'api', 'docs');
    renameSync(pathBeside('docs'), pathBeside('docs-of-before'));
    mkdirSync(pathBeside('docs'));
    const question = /^Allow "replaced" to see what took the place of "docs"/;
    const answer = person().waitsWith(question);
    await own.until(({ answers }) => answers.length >= 2);
    await person().sees(question);
    person().will('Until the Window Closes');
    answer('Allow');
    await own.until(({ answers }) => answers.length >= 3);
    assert.deepEqual(own.answers, [['api', 'docs'], ['api'], ['api', 'docs']]);
    await becomes(server, ({ access }) => access.waiting.length === 0);
  });

  it('holds no folder that was swapped for a link, from the next answer on', async () => {
    await addFolders('docs');
    mkdirSync(pathBeside('elsewhere'));
    const own = new OwnServer('swapped');
    await own.defineAs();
    const server = await startTold(person(), own, 'api', 'docs');
    renameSync(pathBeside('docs'), pathBeside('docs-kept'));
    symlinkSync(pathBeside('elsewhere'), pathBeside('docs'));
    // Asked in this very moment, long before anybody would look by the clock.
    const { content } = await server.callTool({ name: 'ask', arguments: {} });
    const told = content.map(part => (part.type === 'text' ? JSON.parse(part.text) : part));
    assert.deepEqual(told, [[{ uri: vscode.Uri.file(pathBeside('api')).toString(), name: 'api' }]]);
    rmSync(pathBeside('docs'));
    renameSync(pathBeside('docs-kept'), pathBeside('docs'));
    await becomes(server, ({ access }) => access.roots.length === 2);
  });
});
