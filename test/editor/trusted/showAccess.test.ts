import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Consent } from '../../../src/extension/consent/consent.ts';
import type { Screen } from '../../../src/extension/screen.ts';
import type { NewGrant } from '../../../src/extension/servers/serverRecords.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { AccessTab } from '../support/accessTab.ts';
import { uriOf } from '../support/folders.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { setServers } from '../support/recorder.ts';
import { serverNamed, startWith } from '../support/shownRows.ts';

describe('the page with who sees what', () => {
  const person = personForEachTest();
  let tab: AccessTab;

  beforeEach(() => {
    tab = new AccessTab();
  });

  afterEach(() => {
    tab.leave();
  });

  const show = (row?: object) => vscode.commands.executeCommand('mcpRoots.showAccess', row);
  const says = (server: string, folder: string, expected: string) =>
    eventually(() => assert.equal(tab.wordOf(server, folder), expected));

  it('follows the answers, wherever they are given, and gives them', async () => {
    const own = new OwnServer('shown');
    await own.defineAs();
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

  it('does what can be done, and nothing that it is asked for besides', async () => {
    const own = new OwnServer('guarded');
    await own.defineAs();
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
    // What came before it is through when this is.
    tab.click('guarded', 'web', true);
    await says('guarded', 'web', 'allowed');
    assert.equal(tab.wordOf('guarded', 'api'), 'not asked');
  });

  it('has no say on a server that has become another one since', async () => {
    const own = new OwnServer('changed');
    await own.defineAs();
    await show();
    await says('changed', 'api', 'not asked');
    const { id } = tab.table.rows.at(-1) ?? assert.fail();
    await own.defineAs({ args: ['--verbose'] });
    await eventually(() => assert.notEqual(tab.table.rows.at(-1)?.id, id));
    tab.say({ kind: 'set', viewer: id, folder: uriOf('api').toString(), isAllowed: true });
    tab.click('changed', 'web', true);
    await says('changed', 'web', 'allowed');
    assert.equal(tab.wordOf('changed', 'api'), 'not asked');
  });

  it('lets a folder be read only where a sandbox sees to it', async () => {
    await setServers({ kept: { command: 'node', sandbox: 'on' } });
    await show();
    await says('kept', 'api', 'not asked, read-write');
    tab.click('kept', 'api', true, true);
    await says('kept', 'api', 'allowed, read only, read-only');
    tab.click('kept', 'api', true, false);
    await says('kept', 'api', 'allowed, read-write');
    tab.click('kept', 'api', false);
    await says('kept', 'api', 'not allowed, read-write');
  });

  it('keeps that a folder is read only for no longer than it is allowed', async () => {
    await setServers({ brief: { command: 'node', sandbox: 'on' } });
    await show();
    await says('brief', 'api', 'not asked, read-write');
    tab.click('brief', 'api', true);
    await says('brief', 'api', 'allowed, read-write');
    const server = await serverNamed('brief');
    const access = server.access.folders.find(({ folder }) => folder.name === 'api');
    assert.ok(access?.root);
    const { definition, identity, fields } = server;
    const given = {
      serverId: definition.id,
      identity,
      fields,
      folder: access.folder.uri,
      decision: 'allowed',
      scope: 'session',
      at: 1,
    } as const;
    const kept: NewGrant[] = [];
    const setGrants = async (all: NewGrant[]) => void kept.push(...all);
    const records = { of: () => [given], setGrants };
    const consent = new Consent(records as never, { add: () => {} }, {} as Screen);
    await consent.set(server, access.folder, true, true);
    await consent.set(server, access.folder, false);
    assert.deepEqual(
      kept.map(({ decision, scope, isReadOnly }) => [decision, scope, isReadOnly]),
      [
        ['allowed', 'session', true],
        ['denied', 'workspace', undefined],
      ],
    );
  });

  it('opens filtered to the server or the folder it is called on, in one tab', async () => {
    await setServers({ one: { command: 'node' } });
    const server = await serverNamed('one');
    await show({ kind: 'server', server });
    const filterOf = (message: (typeof tab.told)[number]) =>
      message.kind === 'table' ? message.filter : undefined;
    assert.equal(await tab.tells(filterOf), 'one');
    const [access] = server.access.folders;
    assert.ok(access);
    tab.hide();
    await show({ kind: 'folder', server, access, name: access.folder.name });
    await eventually(async () => assert.equal(await tab.tells(filterOf), 'api'));
    assert.equal(tab.titles.length, 1);
  });
});
