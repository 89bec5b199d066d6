import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../ui/support/eventually.ts';
import { BuiltInServer } from '../support/builtInClient.ts';
import { addFolders, closeAddedFolders, uriOf } from '../support/folders.ts';

describe('the editor’s own MCP client', () => {
  before(() => {
    for (const name of ['api', 'web']) {
      writeFileSync(join(uriOf(name).fsPath, 'note.txt'), `This is ${name}.`);
    }
  });

  it('uses the bundled server of a .vscode/mcp.json inside the folder of that file', async () => {
    const server = await BuiltInServer.start('mcp.config.ws0.bundled-of-folder', 'api');
    const { roots, source, era } = await server.roots();
    assert.deepEqual(
      { roots, source, era },
      {
        roots: [{ uri: uriOf('api').toString(), name: 'api' }],
        source: 'client',
        era: 'legacy',
      },
    );
    for (const tool of ['check-path', 'get-roots', 'list-directory', 'read-file']) {
      await eventually(() =>
        assert.ok(server.tools.includes(tool), `${tool} is not in ${server.tools}`),
      );
    }
    for (const path of ['note.txt', join(uriOf('api').fsPath, 'note.txt')]) {
      assert.equal(JSON.parse(await server.call('read-file', { path })).text, 'This is api.');
    }
    for (const path of ['../web/note.txt', join(uriOf('web').fsPath, 'note.txt')]) {
      const refusal = await server.call('read-file', { path });
      assert.match(refusal, /is outside the folders/);
      assert.ok(!refusal.includes('This is web.'));
    }
  });

  it('gives the bundled server of a workspace all folders, and each one that is added or removed', async () => {
    const server = await BuiltInServer.start(
      'mcp.config.workspace.bundled-of-window',
      'api',
      'web',
    );
    const path = join(uriOf('web').fsPath, 'note.txt');
    assert.equal(JSON.parse(await server.call('read-file', { path })).text, 'This is web.');

    await addFolders('docs');
    await eventually(async () => assert.deepEqual(await server.folders(), ['api', 'web', 'docs']));
    const added = join(uriOf('docs').fsPath, 'note.txt');
    writeFileSync(added, 'This is docs.');
    const read = await server.call('read-file', { path: added });
    assert.equal(JSON.parse(read).text, 'This is docs.');

    await closeAddedFolders();
    await eventually(async () => assert.deepEqual(await server.folders(), ['api', 'web']));
    assert.match(await server.call('read-file', { path: added }), /is outside the folders/);
  });
});
