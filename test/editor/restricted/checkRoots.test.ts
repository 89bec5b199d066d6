import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isClientLoaded } from '../support/loaded.ts';
import { Person } from '../support/person.ts';

describe('a check of roots support in Restricted Mode', () => {
  it('starts nothing, asks nothing, and says why', async () => {
    const person = new Person();
    try {
      await vscode.commands.executeCommand('mcpRoots.checkRootsSupport');
    } finally {
      person.leave();
    }
    assert.deepEqual(
      person.seen.map(({ text }) => text),
      ['In Restricted Mode no server starts, so none can be checked. Trust this workspace first.'],
    );
    assert.equal(isClientLoaded(), false);
  });
});
