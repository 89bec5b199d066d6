import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { homedir, hostname } from 'node:os';
import * as vscode from 'vscode';
import { type ReportedWindow, reportIssue } from '../../../src/extension/commands/reportIssue.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { set, unsetAfterEachTest } from '../support/changedSettings.ts';
import { addFolders, pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { setServers } from '../support/recorder.ts';
import { shownBy } from '../support/shownDocument.ts';
import { becomes, serverNamed } from '../support/shownRows.ts';

const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);
const form = 'workbench.action.openIssueReporter';
const repository = 'https://github.com/owner/mcp-roots';
const bugs = 'https://codeberg.org/owner/mcp-roots/issues';

describe('asking for help', () => {
  const person = personForEachTest();
  unsetAfterEachTest('extraFolders');
  const { executeCommand, getCommands } = vscode.commands;
  const { openExternal } = vscode.env;

  afterEach(async () => {
    Object.assign(vscode.commands, { executeCommand, getCommands });
    Object.assign(vscode.env, { openExternal });
    await executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('copies how the window and its servers stand, without anything that a person named or wrote', async () => {
    const own = `kanarie-${randomUUID()}`;
    await addFolders(own);
    await set('extraFolders', [pathBeside(own), own]);
    await setServers({
      [own]: {
        command: `/${own}/program`,
        args: ['--token', own],
        env: { [own]: own },
        sandbox: 'on',
      },
      fails: { command: `/${own}/nothing`, args: [own] },
      wrong: { command: 'x', [own]: own },
      far: { url: `https://${own}.example.com/mcp`, headers: { Authorization: `Bearer ${own}` } },
    });
    person().will('fails', 'Choose Folders…', [own], 'For This Session');
    await run('startServer');
    await becomes(await serverNamed('fails'), ({ state }) => state.kind === 'failed');
    await run('copyDiagnostics');
    await person().sees(/^The diagnostics are on the clipboard\. They name no folder/);
    const text = await vscode.env.clipboard.readText();
    assert.match(text, /^- MCP Roots \d+\.\d+\.\d+$/m);
    assert.ok(text.includes(` ${vscode.version}, `), text);
    assert.match(text, /^- folders: 3, trusted$/m);
    assert.match(text, /^- mcpRoots\.servers \(workspace\): object of 4$/m);
    assert.match(text, /^- mistake: .*"…" is not a known key/m);
    assert.match(text, /^1\. stdio by node, .*, bundled; stopped; /m);
    assert.match(text, /; failed: not-started; problem: [^;]+; sees 1 of \d folders/);
    assert.match(text, /^\d\. http, headers: 1, workspace; stopped/m);
    for (const secret of [own, homedir(), pathBeside(''), hostname(), 'fails', 'wrong']) {
      assert.ok(secret.length > 1 && !text.includes(secret), `${secret} in ${text}`);
    }
  });

  it('begins an issue in a document where nobody said where it belongs', async () => {
    const text = (await shownBy(() => run('reportIssue'))).getText();
    await person().sees(/^The beginning of an issue is on the clipboard\. This copy of MCP Roots/);
    assert.match(text, /^### What happened\n/);
    assert.equal(await vscode.env.clipboard.readText(), text);
  });

  /** A window without servers of an extension with these addresses. */
  const windowOf = (packageJSON: ReportedWindow['extension']['packageJSON']): ReportedWindow => ({
    servers: { all: [] },
    clients: { of: () => [] },
    sandbox: () => Promise.reject(new Error('There is none.')),
    extension: { id: 'mcp-roots.mcp-roots', packageJSON },
  });

  it('begins it in a document where the editor has no form, and offers the page', async () => {
    const opened: string[] = [];
    const open = async (uri: vscode.Uri) => opened.push(uri.toString(true));
    Object.assign(vscode.env, { openExternal: open });
    person().will('Open codeberg.org');
    const shown = await shownBy(() =>
      reportIssue(windowOf({ version: '1.2.3', bugs: { url: bugs } })),
    );
    await eventually(() => assert.deepEqual(opened, [bugs]));
    assert.match(shown.getText(), /^- MCP Roots 1\.2\.3$/m);
  });

  it('opens the form of the editor, filled in, where that knows where to send it', async () => {
    const opened: unknown[] = [];
    const execute = async (command: string, ...args: unknown[]) =>
      command === form ? opened.push(args) : executeCommand(command, ...args);
    Object.assign(vscode.commands, { executeCommand: execute });
    const { Global } = vscode.ConfigurationTarget;
    const reporter = vscode.workspace.getConfiguration('issueReporter.experimental');
    await reporter.update('webReporter', true, Global);
    try {
      await reportIssue(windowOf({ repository: { url: repository } }));
    } finally {
      await reporter.update('webReporter', undefined, Global);
    }
    assert.equal(opened.length, 1);
    const [{ extensionId, issueBody }] = opened[0] as [{ extensionId: string; issueBody: string }];
    assert.equal(extensionId, 'mcp-roots.mcp-roots');
    assert.match(issueBody, /^### What happened\n[\s\S]*### Servers that failed\n\n- none\n$/);
  });
});
