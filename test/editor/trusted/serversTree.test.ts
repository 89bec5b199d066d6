import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Server } from '../../../src/extension/servers/server.ts';
import { ServersTree } from '../../../src/extension/views/serversTree.ts';
import { accessOf, allowed, exclusion, folder, shownServer } from '../../support/shownServer.ts';

describe('the tree with items of the editor', () => {
  it('knows by its items which row looks different', async () => {
    const [api, web] = [folder('api'), folder('web')];
    const server = shownServer({ access: accessOf(allowed(api), exclusion(web, 'denied')) });
    const didChange = new vscode.EventEmitter<Server | undefined>();
    const questions = { of: () => [], onDidChange: didChange.event };
    const tree = new ServersTree({ all: [server], leftOut: [] }, { of: () => [] }, questions);
    const top = await tree.getChildren();
    const below = await tree.getChildren(top[0]);
    for (const row of [...top, ...below]) {
      tree.getTreeItem(row);
    }
    Object.assign(server, { access: accessOf(allowed(api), allowed(web)) });
    const drawn = new Promise(resolve => tree.onDidChangeTreeData(resolve));
    didChange.fire(server);
    assert.deepEqual(await drawn, [below[1]]);
  });
});
