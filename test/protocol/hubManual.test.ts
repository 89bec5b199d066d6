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
  test('VS Code, Cursor and Claude Code, which start it alike', async t => {
    const { command, args }: Start = vscode.servers[hubName];
    deepEqual(cursor.mcpServers[hubName], { command, args });
    deepEqual(words, ['mcp', 'add', '--scope', 'user', hubName, '--', command, ...args]);
    await works(t, { command, args });
  });

  test('Claude Desktop and others that name no roots, as the Inspector may be one', async t => {
    const { roots: _, ...start } = inspector.mcpServers[hubName];
    deepEqual(start, desktop.mcpServers[hubName]);
    await works(t, start);
  });
});

interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

/** Starts the hub as that command would, with the manual's own configuration, and uses a server behind it. */
async function works(t: TestContext, { command, args }: Start) {
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

  const { structuredContent } = await client.call('list-servers');
  deepEqual(namesIn(structuredContent), ['files', 'indexer', 'remote']);
  const read = (path: string) =>
    client.call('call-tool', {
      serverName: 'files',
      toolName: 'read_text_file',
      toolArgs: { path },
    });
  equal(textOf(await read(join(inside, 'note.txt'))), 'This is inside.');
  const refusal = await read(join(folder, 'outside.txt'));
  equal(refusal.isError, true);
  match(textOf(refusal), /^Access denied: Path '.*outside\.txt' is outside the allowed roots/);
}

function namesIn(listed: unknown): readonly string[] {
  return (listed as ListedServers).servers.map(({ name }) => name);
}

/** The manual's own, of which only the file server can be started here, without its registry. */
function exampleConfig(): object {
  const config = parse(blocks.find(({ language }) => language === 'jsonc')?.text ?? '');
  const { files, indexer } = config.mcpServers;
  const [, name] = files.args;
  Object.assign(files, { command: process.execPath, args: [packaged(name)] });
  indexer.autoStart = false;
  return config;
}
