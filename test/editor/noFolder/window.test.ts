import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { AccessTab } from '../support/accessTab.ts';
import { isClientLoaded } from '../support/loaded.ts';
import { Person } from '../support/person.ts';

describe('a window without a folder', () => {
  it('starts nothing and says why', async () => {
    assert.equal(vscode.workspace.workspaceFolders, undefined);
    const person = new Person();
    try {
      await vscode.commands.executeCommand('mcpRoots.startServer');
      await vscode.commands.executeCommand('mcpRoots.reviewAccess');
      const [start, review] = person.seen.map(({ text }) => text);
      assert.match(start ?? '', /^No folder on disk is open for/);
      assert.equal(review, start);
    } finally {
      person.leave();
    }
    assert.equal(isClientLoaded(), false);
  });

  it('starts a server without a folder in the home folder', async () => {
    const settings = vscode.workspace.getConfiguration('mcpRoots');
    const { Global } = vscode.ConfigurationTarget;
    const file = join(mkdtempSync(join(tmpdir(), 'own-')), 'cwd');
    const script = 'require("fs").writeFileSync(process.argv[1], process.cwd())';
    const person = new Person();
    try {
      await settings.update(
        'servers',
        { own: { command: process.execPath, args: ['-e', script, file] } },
        Global,
      );
      person.will('own', 'Start', 'Until the Window Closes');
      await vscode.commands.executeCommand('mcpRoots.startServer');
      const { detail } = await person.sees(/^Start "own"\?$/);
      assert.match(detail, /\nNo folder is shared\.$/);
      await eventually(() => assert.equal(readFileSync(file, 'utf8'), homedir()));
    } finally {
      person.leave();
      await settings.update('servers', undefined, Global);
    }
  });

  it('says on the access page that there is nothing to see', async () => {
    const tab = new AccessTab();
    try {
      await vscode.commands.executeCommand('mcpRoots.showAccess');
      const notice = await tab.tells(message =>
        message.kind === 'table' ? message.notice : undefined,
      );
      assert.match(notice, /^No folder is open/);
      assert.deepEqual(tab.table.folders, []);
    } finally {
      tab.leave();
    }
  });
});
