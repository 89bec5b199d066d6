import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { folderNames } from '../support/folders.ts';
import { isClientLoaded } from '../support/loaded.ts';
import { Person } from '../support/person.ts';
import { Recorder } from '../support/recorder.ts';

describe('a window in Restricted Mode', () => {
  it('starts nothing, exposes nothing, and says why', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    assert.deepEqual(folderNames(), ['api', 'web']);
    const recorder = new Recorder('untrusted');
    await recorder.define();
    const person = new Person();
    try {
      await vscode.commands.executeCommand('mcpRoots.startServer');
      await person.sees(/^In Restricted Mode no server starts and no folder is exposed/);
      assert.equal(person.seen.length, 1);

      // What is allowed now holds once the workspace is trusted, and not before.
      person.will(['api'], 'In This Workspace');
      await vscode.commands.executeCommand('mcpRoots.reviewAccess');
      await vscode.commands.executeCommand('mcpRoots.startServer');
      assert.match(person.seen.at(-1)?.text ?? '', /^In Restricted Mode no server starts/);
    } finally {
      person.leave();
    }
    assert.deepEqual(recorder.pids, []);
    assert.equal(isClientLoaded(), false);
  });

  const unread = 'because its settings are ignored. Trust this workspace first.';
  for (const [command, refusal] of [
    ['checkRootsSupport', 'no server starts, so none can be checked. Trust this workspace first.'],
    ['addServer', `no server can be added, ${unread}`],
    ['importServers', `no server can be added, ${unread}`],
  ]) {
    it(`refuses ${command} with the reason, and asks nothing`, async () => {
      const person = new Person();
      try {
        await vscode.commands.executeCommand(`mcpRoots.${command}`);
      } finally {
        person.leave();
      }
      assert.deepEqual(
        person.seen.map(({ text }) => text),
        [`In Restricted Mode ${refusal}`],
      );
      assert.equal(isClientLoaded(), false);
    });
  }
});
