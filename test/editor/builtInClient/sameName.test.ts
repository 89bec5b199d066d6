import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasTool, invokeForText, offer } from '../support/agents.ts';
import { BuiltInServer } from '../support/builtInClient.ts';
import { uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder } from '../support/recorder.ts';
import { startWith } from '../support/shownRows.ts';
import { testEnds } from '../support/testEnds.ts';

describe('an offered server with the same name as one in mcp.json', () => {
  const t = testEnds();
  const person = personForEachTest();

  it('is used beside the server in mcp.json, and the editor enables one of the two', async () => {
    const file = join(uriOf('api').fsPath, '.vscode', 'mcp.json');
    const before = readFileSync(file, 'utf8');
    t.after(() => writeFileSync(file, before));
    const { servers } = JSON.parse(before);
    const taken = servers['bundled-of-folder'];
    writeFileSync(file, JSON.stringify({ servers: { ...servers, Taken: taken } }));
    const theirs = await BuiltInServer.start('mcp.config.ws0.Taken', 'api');

    await new Recorder('taken').define();
    const server = await startWith(person(), 'taken', 'api');
    await offer(server);
    await hasTool('taken', 'ask');
    assert.equal(JSON.parse(await invokeForText('taken', 'ask'))[0].name, 'api');
    assert.deepEqual(await theirs.folders(), ['api']);
  });
});
