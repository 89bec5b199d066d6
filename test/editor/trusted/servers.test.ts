import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder, setServers } from '../support/recorder.ts';

describe('servers', () => {
  const person = personForEachTest();

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  it('that can’t be started say why', async () => {
    const command = pathBeside('no-such-program');
    await setServers({ nowhere: { command } });
    person().will('nowhere', 'Allow', 'For This Session');
    await run('startServer');
    const { text } = await person().sees(/^"nowhere" could not be started/);
    assert.ok(text.includes(command), text);
    assert.match(text, /no-such-program (?:does not exist|is not there\.)$/);
  });

  it('with a mistake in the settings are named with it, and the others go on', async () => {
    const recorder = new Recorder('sound');
    const sound = recorder.definition();
    person().will('Show');
    await setServers({ sound, broken: { comand: 'node' }, wrong: { command: 'node', args: 'x' } });
    const { text } = await person().sees(/broken/);
    assert.match(text, /Server "broken" in mcpRoots\.servers: "comand" is not a known key/);
    assert.match(text, /Server "wrong" in mcpRoots\.servers: "args" must be a list of texts/);
    await eventually(() => {
      const { document, selection } = vscode.window.activeTextEditor ?? {};
      assert.equal(document?.getText(selection), '"comand": "node"');
    });
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    person().will('sound', 'Allow', 'For This Session');
    await run('startServer');
    await recorder.until(({ answers }) => answers.length >= 1);
  });

  it('go on when a switch in the settings is none, which is said and leaves it off', async () => {
    const settings = vscode.workspace.getConfiguration('mcpRoots');
    const { Workspace } = vscode.ConfigurationTarget;
    await settings.update('autoStart', 'yes', Workspace);
    await person().sees(/The setting mcpRoots\.autoStart must be true or false\. It is off/);
    await settings.update('autoStart', undefined, Workspace);
  });

  it('give a reason when a command finds none', async () => {
    for (const [command, reason] of [
      ['stopServer', /^No server is running\.$/],
      ['restartServer', /^No server is running\. Start one first\.$/],
      ['callTool', /^No server is running\. Start one first\.$/],
    ] as const) {
      await run(command);
      assert.match(person().seen.at(-1)?.text ?? '', reason);
    }
  });
});
