import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { node, setServers } from '../support/recorder.ts';
import { becomes, serverNamed } from '../support/shownRows.ts';

const support = join(import.meta.dirname, '..', '..', 'support');

describe('the tools of a server that says that they change', () => {
  const person = personForEachTest();

  it('are forgotten then, and asked for again', async () => {
    const start = JSON.stringify({ record: mkdtempSync(pathBeside('record-')) });
    await setServers({
      growing: { command: node, args: [join(support, 'modernServer.ts'), start] },
    });
    person().will('growing', 'Choose Folders…', ['api'], 'For This Session');
    await vscode.commands.executeCommand('mcpRoots.startServer');
    const server = await serverNamed('growing');
    await becomes(server, ({ state }) => state.kind === 'running');
    const names = async () => (await server.listTools()).map(({ name }) => name);
    assert.ok(!(await names()).includes('grown'));
    assert.notEqual(server.tools, undefined);
    await server.callTool({ name: 'grow', arguments: {} });
    await becomes(server, ({ tools }) => tools === undefined);
    assert.ok((await names()).includes('grown'));
  });
});
