import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { renameFolder } from '../support/folders.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { becomes, detailsOf, rowOf, serverNamed } from '../support/shownRows.ts';

describe('a server that does not ask again', () => {
  const person = personForEachTest();

  it('is shown as such three seconds after its folders changed, with a restart at hand', async () => {
    const own = new OwnServer('forgetful');
    await own.defineAs({}, { asks: 'never' });
    person().will(own.name, 'Choose Folders…', ['api', 'web'], 'Until the Window Closes');
    await vscode.commands.executeCommand('mcpRoots.startServer');
    const server = await serverNamed(own.name);
    await becomes(server, ({ record }) => record?.isSilent === true);
    assert.match(
      detailsOf(server).join(),
      /It has never asked for its roots, though it had time to/,
    );
    await server.callTool({ name: 'ask', arguments: {} });
    assert.equal(rowOf(server)[1], 'running');
    const changed = Date.now();
    await renameFolder('web', 'site');
    await own.until(({ notices }) => notices >= 1);
    await becomes(server, ({ isNeglecting }) => isNeglecting);
    assert.ok(Date.now() - changed >= 3000);
    assert.deepEqual(rowOf(server), ['server.running.stale', 'restart']);
    assert.match(String(detailsOf(server)[1]), /^It has not asked again since its folders changed/);
    await server.callTool({ name: 'ask', arguments: {} });
    await becomes(server, ({ isNeglecting }) => !isNeglecting);
    assert.equal(rowOf(server)[0], 'server.running');
    await renameFolder('site', 'web');
  });
});
