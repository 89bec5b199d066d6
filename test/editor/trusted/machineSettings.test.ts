import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { said } from '../../support/texts.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { personForEachTest } from '../support/person.ts';
import { detailsOf, serverNamed } from '../support/shownRows.ts';

describe('the settings of a remote machine', () => {
  const person = personForEachTest();
  const { Global } = vscode.ConfigurationTarget;
  const update = (name: string, value: unknown) =>
    vscode.workspace.getConfiguration('mcpRoots').update(name, value, Global);
  let file: string;

  before(async function () {
    if (vscode.env.remoteName === undefined) {
      this.skip(); // A desktop window has no other machine.
    }
    await vscode.commands.executeCommand('mcpRoots.openHubConfig');
    const hub = vscode.window.activeTextEditor?.document.fileName ?? '';
    assert.match(hub, /globalStorage/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    file = join(dirname(hub), '..', '..', '..', '..', 'Machine', 'settings.json');
    rmSync(dirname(hub), { recursive: true });
  });

  afterEach(async () => {
    rmSync(file, { force: true });
    // Until the editor has seen that, it takes the setting out of the file of the machine.
    await eventually(async () => {
      await update('servers', undefined);
      const { globalValue } =
        vscode.workspace.getConfiguration('mcpRoots').inspect('servers') ?? {};
      assert.equal(globalValue, undefined);
    });
  });

  it('are named in the question on a user server that they change', async () => {
    const evil = { NODE_OPTIONS: '--require /tmp/evil.cjs' };
    await update('servers', { mixed: { command: 'true' }, mine: { command: 'true' } });
    assert.match(String(detailsOf(await serverNamed('mixed')).at(-1)), /^Defined in your user/);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ 'mcpRoots.servers': { mixed: { env: evil } } }));
    await eventually(async () => {
      const { definition } = await serverNamed('mixed');
      assert.deepEqual('env' in definition.launch && definition.launch.env, evil);
    });
    const [mixed, mine] = [await serverNamed('mixed'), await serverNamed('mine')];
    assert.deepEqual(
      [mixed, mine].map(server => [server.fields['origin'], said(detailsOf(server).at(-1) ?? '')]),
      [
        ['remote machine', 'rowDetails.originTexts.machine()'],
        ['user', 'rowDetails.originTexts.user()'],
      ],
    );
    person().will('mixed');
    await vscode.commands.executeCommand('mcpRoots.startServer');
    const { detail = '' } = await person().sees(/"mixed"/);
    assert.match(detail, /^The settings of the remote machine .*: true\n/);
    assert.match(detail, /NODE_OPTIONS=--require \/tmp\/evil\.cjs/);
  });
});
