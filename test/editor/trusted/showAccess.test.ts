import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { AccessTab } from '../support/accessTab.ts';
import { uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder, setServers } from '../support/recorder.ts';
import { serverNamed, startWith } from '../support/shownRows.ts';

describe('the access page', () => {
  const person = personForEachTest();
  let tab: AccessTab;

  beforeEach(() => {
    tab = new AccessTab();
  });

  afterEach(() => {
    tab.leave();
  });

  const show = () => vscode.commands.executeCommand('mcpRoots.showAccess');
  const showOf = (row: object) => vscode.commands.executeCommand('mcpRoots.showAccessOf', row);
  const says = (server: string, folder: string, expected: string) =>
    eventually(() => assert.equal(tab.wordOf(server, folder), expected));

  it('shows answers from everywhere, and gives answers', async () => {
    const own = await new Recorder('shown').define();
    await show();
    await says('shown', 'api', 'not asked');
    await startWith(person(), own.name, 'api');
    await says('shown', 'api', 'exposed');
    await says('shown', 'web', 'not allowed');

    tab.click('shown', 'web', true);
    await own.until(({ answers }) => answers.length >= 2);
    assert.deepEqual(own.answers.at(-1), ['api', 'web']);
    await says('shown', 'web', 'exposed');

    tab.click('shown', 'api', false);
    await own.until(({ answers }) => answers.length >= 3);
    assert.deepEqual(own.answers.at(-1), ['web']);
    await says('shown', 'api', 'not allowed');
  });

  it('does what is possible, and ignores every other request', async () => {
    await new Recorder('guarded').define();
    await show();
    await says('guarded', 'api', 'not asked');
    const { id } = tab.table.rows.at(-1) ?? assert.fail();
    const folder = uriOf('api').toString();
    for (const message of [
      { kind: 'set', viewer: id, folder: 'file:///etc', isAllowed: true },
      { kind: 'set', viewer: 'setting:guarded', folder, isAllowed: true },
      { kind: 'set', viewer: id, folder, isAllowed: true, isReadOnly: true },
      { kind: 'set', viewer: id, folder, isAllowed: 1 },
      { kind: 'run', command: 'workbench.action.closeWindow' },
      '<img src=x>',
    ]) {
      tab.say(message);
    }
    // Earlier messages are handled when this one is.
    tab.click('guarded', 'web', true);
    await says('guarded', 'web', 'allowed');
    assert.equal(tab.wordOf('guarded', 'api'), 'not asked');
  });

  it('cannot answer for a server that has changed since', async () => {
    const own = await new Recorder('changed').define();
    await show();
    await says('changed', 'api', 'not asked');
    const { id } = tab.table.rows.at(-1) ?? assert.fail();
    await own.define({ args: ['--verbose'] });
    await eventually(() => assert.notEqual(tab.table.rows.at(-1)?.id, id));
    tab.say({ kind: 'set', viewer: id, folder: uriOf('api').toString(), isAllowed: true });
    tab.click('changed', 'web', true);
    await says('changed', 'web', 'allowed');
    assert.equal(tab.wordOf('changed', 'api'), 'not asked');
  });

  it('opens in one tab, filtered to the server or folder of its row', async () => {
    await setServers({ one: { command: 'node' } });
    const server = await serverNamed('one');
    await showOf({ kind: 'server', server });
    const filterOf = (message: (typeof tab.told)[number]) =>
      message.kind === 'table' ? message.filter : undefined;
    assert.equal(await tab.tells(filterOf), 'one');
    const [access] = server.access.folders;
    assert.ok(access);
    tab.hide();
    await showOf({ kind: 'folder', server, access, name: access.folder.name });
    await eventually(async () => assert.equal(await tab.tells(filterOf), 'api'));
    assert.equal(tab.titles.length, 1);
  });
});
