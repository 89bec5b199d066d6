import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../ui/support/eventually.ts';
import { BuiltInServer } from '../support/builtInClient.ts';
import { uriOf } from '../support/folders.ts';

const denied = /^Access denied: Path '.*' is outside the allowed roots boundaries\./;

describe('the editor’s own MCP client, with a server behind the hub', () => {
  before(() => {
    for (const name of ['api', 'web']) {
      writeFileSync(noteIn(name), `This is ${name}.`);
    }
  });

  it('reads in the folder of a .vscode/mcp.json, and is refused all others', async () => {
    const hub = await BuiltInServer.startHub('mcp.config.ws0.hub-of-folder', 'api');
    for (const tool of ['call-tool', 'get-roots', 'list-servers', 'list-tools', 'read-file']) {
      await eventually(() => assert.ok(hub.tools.includes(tool), `${tool} is not in ${hub.tools}`));
    }
    // It says of a server that takes long to start that it is to be asked again.
    await eventually(async () =>
      assert.match(await hub.call('list-tools', { serverName: 'files' }), /read_text_file/),
    );
    for (const path of ['note.txt', noteIn('api')]) {
      assert.match(await read(hub, path), /This is api\./);
    }
    for (const path of ['../web/note.txt', noteIn('web')]) {
      const refusal = await read(hub, path);
      assert.match(refusal, denied);
      assert.ok(!refusal.includes('This is web.'));
    }
  });
});

function read(hub: BuiltInServer, path: string): Promise<string> {
  return hub.callBehind('files', 'read_text_file', { path });
}

function noteIn(folder: string): string {
  return join(uriOf(folder).fsPath, 'note.txt');
}
