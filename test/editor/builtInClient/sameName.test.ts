import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasTool, invokeForText, offer } from '../support/agents.ts';
import { BuiltInServer } from '../support/builtInClient.ts';
import { uriOf } from '../support/folders.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { startWith } from '../support/shownRows.ts';
import { testEnds } from '../support/testEnds.ts';

describe('a server that is offered under a name of mcp.json', () => {
  const t = testEnds();
  const person = personForEachTest();

  it('is used beside that one, of which the editor has only one on', async () => {
    const file = join(uriOf('api').fsPath, '.vscode', 'mcp.json');
    const before = readFileSync(file, 'utf8');
    t.after(() => writeFileSync(file, before));
    const { servers } = JSON.parse(before);
    const taken = servers['bundled-of-folder'];
    writeFileSync(file, JSON.stringify({ servers: { ...servers, Taken: taken } }));
    const theirs = await BuiltInServer.start('mcp.config.ws0.Taken', 'api');

    const own = new OwnServer('taken');
    await own.defineAs();
    const server = await startWith(person(), 'taken', 'api');
    await offer(server);
    await hasTool('taken', 'ask');
    assert.equal(JSON.parse(await invokeForText('taken', 'ask'))[0].name, 'api');
    assert.deepEqual(await theirs.folders(), ['api']);
  });
});
