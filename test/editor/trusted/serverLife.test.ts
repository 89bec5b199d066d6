import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readSnapshots, snapshotsFolder } from '../../../src/connect/snapshot.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import { said } from '../../support/texts.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { set, unsetAfterEachTest } from '../support/changedSettings.ts';
import { connectClient } from '../support/connectedClient.ts';
import { exportedActivity } from '../support/exportedActivity.ts';
import { uriOf } from '../support/folders.ts';
import { hideSandboxes } from '../support/hiddenSandboxes.ts';
import { personForEachTest } from '../support/person.ts';
import { QuickInputs } from '../support/quickInputs.ts';
import { node, Recorder, setServers } from '../support/recorder.ts';
import { replacing } from '../support/replacing.ts';
import { becomes, folderState, rowOf, serverNamed } from '../support/shownRows.ts';

describe('the definition of a server', () => {
  const person = personForEachTest();
  unsetAfterEachTest('inputs');
  let quick: QuickInputs;
  let showSandboxes: () => void;
  const replace = replacing();
  let boxes = 0;
  const { Global } = vscode.ConfigurationTarget;
  const configuration = () => vscode.workspace.getConfiguration('mcpRoots');
  const servers = () => configuration().inspect<object>('servers')?.workspaceValue;
  const workspaceFile = () => vscode.workspace.workspaceFile?.fsPath ?? '';

  beforeEach(() => {
    quick = new QuickInputs();
    showSandboxes = hideSandboxes();
    boxes = 0;
    const enter = async () => {
      boxes += 1;
      return 'hunter2';
    };
    replace(vscode.window, { showInputBox: enter });
  });
  afterEach(async () => {
    quick.leave();
    showSandboxes();
    await configuration().update('servers', undefined, Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const run = (command: string, server?: Server) =>
    vscode.commands.executeCommand(`mcpRoots.${command}`, server && { kind: 'server', server });

  /** Writes the file of the workspace as a person would, in the editor. */
  async function write(text: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(workspaceFile());
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
    await document.save();
  }

  it('is edited in the list where it was added, and the rest of the file stays', async () => {
    const text = (command: string, env: string) => `  "settings": {
    // Mine.
    "mcpRoots.servers": {
      // The first.
      "one": {
        "command": "${command}", /* Why. */
        "args": ["serve"], "cwd": "\${workspaceFolder}",
        "roots": ["api"], // Only this.
        "protocol": "legacy",
        "env": {
          "A": "1"${env} // One.
        },
      },
      "two": { "command": "true" }, // The second.
    },
  },
`;
    const before = readFileSync(workspaceFile(), 'utf8');
    const { folders } = JSON.parse(before);
    await write(`{\n  "folders": ${JSON.stringify(folders)},\n${text('true', '')}}\n`);
    await eventually(() => assert.deepEqual(Object.keys(servers() ?? {}), ['one', 'two']));
    quick.will(
      ...[{ pick: 'Command Line' }, { enter: 'false serve' }],
      ...[{ pick: 'Environment Variables' }, { pick: 'Add Environment Variable…' }],
      ...[{ enter: 'B' }, { enter: '2' }, { pick: 'Save' }],
    );
    await run('editServer', await serverNamed('one'));
    const [review] = quick.asked;
    assert.deepEqual([review?.title, review?.steps], ['Edit Server "one"', '']);
    assert.deepEqual(review?.content.split('\n').slice(0, 5), [
      ...['Save', '', 'Command Line', 'Environment Variables', 'Open Definition'],
    ]);
    assert.deepEqual(review?.descriptions.slice(2, 4), ['true serve', 'A=1']);
    assert.ok(
      readFileSync(workspaceFile(), 'utf8').endsWith(
        `${text('false', ',\n          "B": "2"')}}\n`,
      ),
      readFileSync(workspaceFile(), 'utf8'),
    );
    assert.deepEqual((await serverNamed('one')).definition.offers, ['api']);

    // The editor itself leaves a comma that breaks the file, where the last setting of it goes.
    for (const name of ['one', 'two']) {
      person().will('Remove');
      await run('removeServer', await serverNamed(name));
    }
    const left = readFileSync(workspaceFile(), 'utf8');
    assert.match(left, /"settings": \{\s+\/\/ Mine\.\s+\},\n\}\n$/);
    await write(before);
  });

  it('stays the same when the user changes nothing, and opens at its place', async () => {
    await setServers({ other: { command: 'true' }, shown: { command: 'true' } });
    const before = readFileSync(workspaceFile(), 'utf8');
    quick.will({ pick: 'Command Line' }, 'back', { pick: 'Save' });
    await run('editServer', await serverNamed('shown'));
    quick.will({ pick: 'Open Definition' });
    await run('editServer', await serverNamed('shown'));
    assert.equal(readFileSync(workspaceFile(), 'utf8'), before);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.fsPath, workspaceFile());
    assert.match(editor?.document.getText(editor.selection) ?? '', /^"shown"/);
  });

  it('keeps what others wrote while the list was open', async () => {
    await setServers({ shared: { command: 'true' } });
    const edited = async (meanwhile: Parameters<typeof setServers>[0]) => {
      const server = await serverNamed('shared');
      quick.asked.length = 0;
      const changed = eventually(() => assert.equal(quick.asked.length, 1)).then(() =>
        setServers(meanwhile),
      );
      const wait = { look: 'Save', until: changed };
      quick.will(wait, { pick: 'Command Line' }, { enter: 'false' }, { pick: 'Save' });
      return run('editServer', server);
    };
    const meanwhile = { shared: { command: 'true', autoStart: false, env: { KEEP: 'me' } } };
    await edited(meanwhile);
    assert.deepEqual(servers(), meanwhile);
    await person().sees(/^The definition of "shared" changed/);
    await setServers({ shared: { command: 'true' } });
    await edited(undefined);
    await person().sees(/^"shared" is not in the settings\.$/);
    assert.equal(servers(), undefined);
  });

  it('is edited from the row of its problem and from its message', async () => {
    await setServers({ misspelled: { command: 'no-such-command' } });
    const server = await serverNamed('misspelled');
    person().will('Allow', 'Until the Window Closes', 'Edit…');
    await run('startServer', server);
    const asked = () =>
      quick.asked.filter(({ title }) => title === 'Edit Server "misspelled"').length;
    await eventually(() => assert.equal(asked(), 1));
    const line = `${node} --version`;
    quick.will({ pick: 'Command Line' }, { enter: line }, { pick: 'Save' });
    const answer = person().waitsWith(/^"misspelled" was changed/);
    await vscode.commands.executeCommand('mcpRoots.editServer', { kind: 'problem', server });
    assert.ok(asked() > 1);
    await person().sees(/^"misspelled" was changed/);
    const before = person().seen.length;
    answer('Start');
    await eventually(() => assert.match(person().seen[before]?.text ?? '', /misspelled/));
  });

  it('stays in the settings of the user when it was there', async () => {
    await configuration().update('servers', { mine: { url: 'https://acme.com' } }, Global);
    quick.will({ pick: 'URL' }, { enter: 'https://acme.com/mcp' }, { pick: 'Save' });
    await run('editServer', await serverNamed('mine'));
    const mine = { url: 'https://acme.com/mcp' };
    assert.deepEqual(configuration().inspect('servers')?.globalValue, { mine });
    assert.equal(servers(), undefined);
  });

  it('is renamed, and its server keeps its answers, secrets and place', async () => {
    const own = await new Recorder('before').define({ env: { SERVER_TOKEN: '${input:token}' } });
    const { before } = servers() as { before: object };
    await setServers({ first: { command: 'true' }, before, last: { command: 'true' } });
    person().will('before', 'Choose Folders…', 'In This Workspace');
    quick.will({ check: ['api'] });
    await run('startServer');
    await own.until(({ answers }) => answers.length === 1);
    await run('offerToAgents', await serverNamed('before'));
    const seen = person().seen.length;

    quick.will({ enter: 'first' }, { enter: 'after' });
    await run('renameServer', await serverNamed('before'));
    assert.deepEqual(quick.complaints, ['A server with this name exists already.']);
    assert.deepEqual(Object.keys(servers() ?? {}), ['first', 'after', 'last']);
    const server = await serverNamed('after');
    await becomes(server, ({ state }) => state.kind === 'running');
    // Older editors start offered servers automatically.
    await own.until(({ answers }) => answers.length >= 2);
    assert.deepEqual(new Set(own.answers.map(String)), new Set(['api']));
    assert.match(folderState(server, 'api'), /^exposed/);
    assert.deepEqual([boxes, server.isOffered, person().seen.length], [1, true, seen]);
    await assert.rejects(serverNamed('before'));
    await run('stopServer', server);
  });

  it('is removed with all that is kept about its server, which is new when added again', async () => {
    const own = new Recorder('leaving');
    const definition = { env: { LEAVING_TOKEN: '${input:leaving-LEAVING_TOKEN}' } };
    await own.define(definition);
    const input = { id: 'leaving-LEAVING_TOKEN', description: 'LEAVING_TOKEN (leaving)' };
    await set('inputs', [{ ...input, type: 'promptString' }, { id: 'mine' }]);
    const start = async () => {
      person().will('leaving', 'Choose Folders…', 'In This Workspace');
      quick.will({ check: ['api'] });
      const count = own.answers.length;
      await run('startServer');
      await own.until(({ answers }) => answers.length > count);
    };
    await start();
    const isKept = () => {
      const folder = snapshotsFolder(homedir());
      return readdirSync(folder).some(
        file => 'leaving' in (readSnapshots(join(folder, file))?.servers ?? {}),
      );
    };
    person().will('In This Workspace');
    const client = await connectClient('leaving-client', 'leaving', uriOf('api').fsPath);
    await client.listTools();
    await client.callTool({ name: 'answers', arguments: {} });
    await client.close();
    await eventually(() => assert.ok(isKept()));

    await run('removeServer', await serverNamed('leaving'));
    assert.deepEqual(Object.keys(servers() ?? {}), ['leaving']);
    const question = await person().sees(/^Remove server "leaving"\?$/);
    assert.equal(question.detail.split('\n• ').length, 1 + 6);
    assert.ok(question.detail.includes('"leaving" is running'), question.detail);
    person().will('Remove');
    await run('removeServer', await serverNamed('leaving'));
    await own.ended();
    const stops = (await exportedActivity()).filter(({ kind }) => kind === 'stopped');
    assert.deepEqual(
      stops.flatMap(({ serverLabel, why }) => (serverLabel === 'leaving' ? [why] : [])),
      ['removed'],
    );
    assert.equal(servers(), undefined);
    await eventually(() => assert.ok(!isKept()));
    assert.deepEqual(configuration().get('inputs'), [{ id: 'mine' }]);
    await assert.rejects(serverNamed('leaving'));

    await own.define(definition);
    const again = await serverNamed('leaving');
    assert.deepEqual([again.access.waiting.length, again.isLaunchAllowed], [2, false]);
    assert.equal(folderState(again, 'api'), 'not asked');
    await start();
    assert.equal(boxes, 2);
    await run('stopServer', await serverNamed('leaving'));
    person().will('Remove');
    await run('removeServer', await serverNamed('leaving'));
  });

  it('of a user server is removed in every workspace, as far as possible', async () => {
    await configuration().update('servers', { everywhere: { command: 'true' } }, Global);
    const server = await serverNamed('everywhere');
    const { definition, identity } = server;
    // The contents of other workspaces: a yes, secrets, and the file of a closed window.
    const { records, secrets } = server['context'];
    const revoked: string[] = [];
    const listening = records.onDidRevoke(id => revoked.push(id));
    const elsewhere = { definition, identity: 'elsewhere' };
    await secrets.of(elsewhere).set('token', 'abc');
    const closed = join(snapshotsFolder(homedir()), 'closed.json');
    mkdirSync(snapshotsFolder(homedir()), { recursive: true });
    const last = { everywhere: { identity, isOfUser: true, answers: {} } };
    writeFileSync(closed, JSON.stringify({ name: 'closed', folders: [], servers: last }));
    const { forget } = records;
    records.forget = async (...args) => {
      await forget.apply(records, args);
      throw new Error('No space is left.');
    };
    person().will('Remove');
    await run('removeServer', server);
    records.forget = forget;
    listening.dispose();
    const question = await person().sees(/^Remove server "everywhere"\?$/);
    assert.deepEqual(question.detail.split('\n• ').slice(1, 5).map(said), [
      ...['removeServer.removalOf.5()', 'removeServer.removalOf()'],
      ...['removeServer.removalOf.folder()', 'removeServer.removalOf.3()'],
    ]);
    await person().sees(/^"everywhere" was removed, but .*: No space is left\.$/);
    assert.deepEqual([revoked, await secrets.namesOf(elsewhere)], [[definition.id], []]);
    assert.ok(!existsSync(closed));
    await assert.rejects(serverNamed('everywhere'));
  });

  it('can be changed only for servers in the settings, not for the bundled one', async () => {
    await setServers({ other: { command: 'true' } });
    const bundled = await serverNamed('MCP Roots Server');
    await setServers(undefined);
    await run('editServer');
    await person().sees(/^Your settings have no servers\.$/);
    assert.match(rowOf(bundled)[0], /^server\.stopped\.bundled$/);
    await run('removeServer', bundled);
    assert.equal(person().seen.filter(({ text }) => text.startsWith('Remove')).length, 0);
  });
});
