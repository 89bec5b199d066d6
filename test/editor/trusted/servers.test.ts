import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { inEnglish } from '../../../src/domain/sentence.ts';
import { problemOfServer } from '../../../src/extension/views/problemItem.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { node, Recorder, setServers } from '../support/recorder.ts';
import { replacing } from '../support/replacing.ts';
import { becomes, detailsOf, rowOf, serverNamed } from '../support/shownRows.ts';

describe('servers', () => {
  const person = personForEachTest();
  const replace = replacing();

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  it('say what is missing in their definition, without a question', async () => {
    const path = pathBeside('no-such-folder');
    await setServers({
      unset: { command: node, args: ['${env:NO_SUCH_VARIABLE}'] },
      placeless: { command: node, cwd: path },
      kept: { command: node, sandbox: { read: [path] } },
    });
    for (const [name, lack, what] of [
      ['unset', 'NO_SUCH_VARIABLE', 'no value for NO_SUCH_VARIABLE'],
      ['placeless', 'no-such-folder', 'no folder "no-such-folder"'],
      ['kept', 'no-such-folder', 'no file or folder "no-such-folder"'],
    ] as const) {
      person().will(name);
      await run('startServer');
      await person().sees(new RegExp(`^"${name}" could not be started: .*${lack}`));
      const server = await serverNamed(name);
      const problem = problemOfServer(server);
      assert.equal(problem && inEnglish(problem.what), what);
      assert.equal(server.isLaunchAllowed, false);
    }
    await setServers({ unset: { command: node, args: ['-e', ''] } });
  });

  it('are named when the settings have a mistake, and the others go on', async () => {
    const recorder = new Recorder('sound');
    const sound = recorder.definition();
    person().will('Show');
    await setServers({ sound, broken: { comand: 'node' }, wrong: { command: 'node', args: 'x' } });
    const { text } = await person().sees(/broken/);
    assert.match(text, /Server "broken" .*: "comand" .*Server "wrong" .*: "args" /s);
    await eventually(() => {
      const { document, selection } = vscode.window.activeTextEditor ?? {};
      assert.equal(document?.getText(selection), '"comand": "node"');
    });
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await setServers({ sound, broken: { comand: 'node' }, late: { command: 1 } });
    const { text: next } = await person().sees(/late/);
    assert.match(next, /^Server "late" /);
    assert.doesNotMatch(next, /broken/, 'What is known is not said again.');
    person().will('sound', 'Allow', 'Until the Window Closes');
    await run('startServer');
    await recorder.until(({ answers }) => answers.length >= 1);
  });

  it('go on when a switch in the settings has a wrong value, and count it as off', async () => {
    const settings = vscode.workspace.getConfiguration('mcpRoots');
    const { Workspace } = vscode.ConfigurationTarget;
    await settings.update('autoStart', 'yes', Workspace);
    await person().sees(/ mcpRoots\.autoStart must be true or false\./);
    await settings.update('autoStart', undefined, Workspace);
  });

  it('say that they may be downloading, and end when the wait is cancelled', async function () {
    if (process.platform === 'win32') {
      this.skip(); // No program is run by a shebang there.
    }
    const own = new Recorder('downloaded');
    const { command, args } = own.definition({}, { isMute: true });
    const words = [command, ...args].map(word => `'${word}'`).join(' ');
    const npx = join(mkdtempSync(pathBeside('bin-')), 'npx');
    writeFileSync(npx, `#!/bin/sh\nexec ${words}\n`, { mode: 0o755 });
    await setServers({ [own.name]: { command: npx, args: ['-y', 'files'] } });
    const cancellation = new vscode.CancellationTokenSource();
    const titles: unknown[] = [];
    replace(vscode.window, {
      withProgress: ({ title }: vscode.ProgressOptions, task: (...args: unknown[]) => unknown) => {
        titles.push(title);
        return task({ report: () => {} }, cancellation.token);
      },
    });
    person().will(own.name, 'Choose Folders…', ['api'], 'Until the Window Closes');
    const starting = run('startServer');
    await own.until(({ bytes }) => bytes.includes('server/discover'));
    const server = await serverNamed(own.name);
    assert.deepEqual(rowOf(server), ['server.starting', 'starting…']);
    assert.ok(detailsOf(server).includes('The server may be downloading its program'));
    await own.until(() => titles.length > 0);
    assert.deepEqual(titles, ['Starting "downloaded", which may be downloading…']);
    cancellation.cancel();
    await starting;
    await becomes(server, ({ state }) => state.kind === 'stopped');
    await own.ended();
    assert.equal(own.pids.length, 1);
  });

  it('get a missing variable of this editor after a question', async () => {
    const name = 'MCP_ROOTS_TEST_TOKEN';
    const script = `if (!process.env.${name}) {
      console.error('${name} is not set');
      process.exit(1);
    }
    process.stdin.resume();`;
    process.env[name] = 'abc';
    try {
      await setServers({ wants: { command: node, args: ['-e', script] } });
      person().will('wants', 'Allow', 'Until the Window Closes');
      await run('startServer');
      const server = await serverNamed('wants');
      await becomes(server, ({ state }) => state.kind === 'failed');
      person().will('Pass Variables On');
      await vscode.commands.executeCommand('mcpRoots.passOn', { kind: 'problem', server });
      const setting = vscode.workspace.getConfiguration('mcpRoots').get<object>('servers');
      assert.deepEqual(Object(setting).wants.env, { [name]: `\${env:${name}}` });
      await person().sees(/^Pass MCP_ROOTS_TEST_TOKEN on to "wants"\?$/);
      // Its identity has changed, so the user is asked before it starts.
      const next = await serverNamed('wants');
      assert.notEqual(next.identity, server.identity);
      assert.equal(next.state.kind, 'stopped');
    } finally {
      delete process.env[name];
    }
  });

  it('give a reason when a command finds no server', async () => {
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
