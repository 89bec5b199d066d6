import { deepEqual, equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { parse } from 'jsonc-parser';
import { hubName } from '../../src/domain/gateway/clientEntries.ts';
import { rootOf, serverMain, textOf } from '../support/bundledServer.ts';
import { type ListedServers, writeConfig } from '../support/hub.ts';
import { openSdk2 } from '../support/hubClients.ts';
import { packaged } from '../support/hubServers.ts';
import { readManual } from '../support/manual.ts';
import { atEnd } from '../support/processes.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const { blocks } = readManual('hub');
const json = blocks.filter(({ language }) => language === 'json');
const [vscode, cursor, desktop, inspector] = json.map(({ text }) => JSON.parse(text));
const line = blocks.find(({ language }) => language === 'sh')?.text ?? '';
const [, ...words] = line.trim().split(' ');

describe('the manual’s way to give the hub to', () => {
  test('VS Code, Cursor and Claude Code, which start it the same way', async t => {
    const { command, args } = vscode.servers[hubName];
    deepEqual(cursor.mcpServers[hubName], { command, args });
    deepEqual(words, ['mcp', 'add', '--scope', 'user', hubName, '--', command, ...args]);
    await works(t, { command, args });
  });

  test('Claude Desktop and other clients without roots, such as the Inspector', async t => {
    const { roots: _, ...start } = inspector.mcpServers[hubName];
    deepEqual(start, desktop.mcpServers[hubName]);
    await works(t, start);
  });
});

/** Starts the hub as that command would, with the manual's own configuration, and uses a server behind it. */
async function works(
  t: TestContext,
  { command, args }: { readonly command: string; readonly args: readonly string[] },
) {
  const folder = tempFolder(t);
  writeTree(folder, { 'inside/note.txt': 'This is inside.', 'outside.txt': 'This is outside.' });
  const inside = join(folder, 'inside');
  const places = new Map([
    ['/path/to/servers.json', writeConfig(t, exampleConfig())],
    ['/path/to/project', inside],
  ]);
  equal(command, 'mcp-roots');
  const client = await openSdk2('legacy', {
    command: process.execPath,
    args: [serverMain, ...args.map(arg => places.get(arg) ?? arg)],
    ...(!args.includes('--root') && { roots: () => [rootOf(inside)] }),
  });
  atEnd(t, () => client.close());

  const listed = (await client.call('list-servers')).structuredContent as unknown as ListedServers;
  deepEqual(
    listed.servers.map(({ name }) => name),
    ['files', 'indexer', 'remote'],
  );
  const read = (path: string) =>
    client.call('call-tool', {
      serverName: 'files',
      toolName: 'read_text_file',
      toolArgs: { path },
    });
  equal(textOf(await read(join(inside, 'note.txt'))), 'This is inside.');
  const refusal = await read(join(folder, 'outside.txt'));
  equal(refusal.isError, true);
  match(textOf(refusal), /^Access denied: Path '.*outside\.txt'/);
}

/** The manual's configuration; only its file server can start here, without the registry. */
function exampleConfig(): object {
  const config = parse(blocks.find(({ language }) => language === 'jsonc')?.text ?? '');
  const { files, indexer } = config.mcpServers;
  const [, name] = files.args;
  Object.assign(files, { command: process.execPath, args: [packaged(name)] });
  indexer.autoStart = false;
  return config;
}
