import { deepEqual, equal } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { rootOf, serverMain } from '../support/bundledServer.ts';
import { isSoak } from '../support/effort.ts';
import { startService } from '../support/httpService.ts';
import { callByInspector } from '../support/inspector.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

// Few at a time: a command of the Inspector has a minute, most of which it may need to start.
describe('the MCP Inspector gets its roots back', { concurrency: 2 }, () => {
  test('over stdio', t => {
    const server = { type: 'stdio', command: process.execPath, args: [serverMain] };
    return isServed(t, 'auto', server);
  });

  test('over HTTP', { skip: !isSoak && 'It starts for seconds.' }, async t => {
    const { url } = await startService(t);
    return isServed(t, 'legacy', { type: 'streamable-http', url });
  });
});

async function isServed(t: TestContext, era: 'auto' | 'legacy', server: object) {
  const folder = tempFolder(t);
  writeTree(folder, { 'one/': '', 'two words/': '' });
  const roots = [rootOf(join(folder, 'one'), 'One'), rootOf(join(folder, 'two words'), 'Two')];
  const { isError, structuredContent } = await callByInspector({
    home: folder,
    server: { ...server, roots },
    era,
    tool: 'get-roots',
  });
  equal(isError ?? false, false);
  deepEqual(structuredContent?.['roots'], roots);
  equal(structuredContent?.['era'], era === 'legacy' ? 'legacy' : 'modern');
}
