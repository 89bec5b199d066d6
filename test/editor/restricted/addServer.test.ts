import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Person } from '../support/person.ts';

describe('adding servers in Restricted Mode', () => {
  it('is refused with a reason, and asks nothing', async () => {
    const person = new Person();
    try {
      for (const command of ['mcpRoots.addServer', 'mcpRoots.importServers']) {
        await vscode.commands.executeCommand(command);
      }
    } finally {
      person.leave();
    }
    const [first, second] = person.seen.map(({ text }) => text);
    assert.match(first ?? '', /^In Restricted Mode no server can be added/);
    assert.equal(second, first);
    assert.equal(person.seen.length, 2);
  });
});
