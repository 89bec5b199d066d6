import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { homedir, hostname } from 'node:os';
import * as vscode from 'vscode';
import { extensionId } from '../../support/extensionId.ts';
import { addFolders, pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { setServers } from '../support/recorder.ts';
import { replacing } from '../support/replacing.ts';
import { becomes, serverNamed } from '../support/shownRows.ts';

const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

describe('asking for help', () => {
  const person = personForEachTest();
  const replace = replacing();

  /** The values that `reportIssue` gives to the editor's form. */
  async function reported(): Promise<unknown> {
    const { executeCommand } = vscode.commands;
    const handed: unknown[] = [];
    replace(vscode.commands, {
      executeCommand: async (command: string, ...args: unknown[]) =>
        command === 'workbench.action.openIssueReporter'
          ? handed.push(...args)
          : executeCommand(command, ...args),
    });
    await run('reportIssue');
    assert.equal(handed.length, 1);
    return handed[0];
  }

  it('copies the state of window and servers without any user text, and fills in the form of the editor', async () => {
    const own = `kanarie-${randomUUID()}`;
    await addFolders(own);
    await setServers({
      [own]: {
        command: `/${own}/program`,
        args: ['--token', own],
        env: { [own]: own },
        sandbox: 'on',
      },
      fails: { command: `/${own}/nothing`, args: [own] },
      far: { url: `https://${own}.example.com/mcp`, headers: { Authorization: `Bearer ${own}` } },
    });
    person().will('fails', 'Choose Folders…', [own], 'Until the Window Closes');
    await run('startServer');
    await becomes(await serverNamed('fails'), ({ state }) => state.kind === 'failed');
    await run('copyDiagnostics');
    await person().sees(/^The diagnostics are on the clipboard/);
    const text = await vscode.env.clipboard.readText();
    assert.match(text, /^- MCP Roots \d+\.\d+\.\d+$/m);
    assert.ok(text.includes(` ${vscode.version}, `), text);
    assert.match(text, /^- folders: 3, trusted$/m);
    assert.match(text, /^- stdio server, bundled; stopped; /m);
    assert.match(text, /; failed: not-started; problem: [^;]+; sees 1 of \d folders/);
    assert.match(text, /^- http server, workspace; stopped/m);
    for (const secret of [own, homedir(), pathBeside(''), hostname(), 'fails']) {
      assert.ok(secret.length > 1 && !text.includes(secret), `${secret} in ${text}`);
    }
    assert.deepEqual(await reported(), {
      extensionId,
      issueBody: text,
    });
  });
});
